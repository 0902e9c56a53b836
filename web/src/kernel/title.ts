import { create } from 'zustand'
import { type Label, useLabel, useT } from './i18n/index.ts'
import { onStored, readStored, writeStored } from './storage.ts'

/** The platform's name is a setting of the tenant (decision 1.1); the last one seen is kept for the pages after the login. */
const useTitleStore = create<{ title: Label | null }>(() => ({ title: null }))

const load = () => useTitleStore.setState({ title: readStored<Label>('title') })

load()
onStored('title', load)

export const setPlatformTitle = (title: Label | null): void => {
  writeStored('title', title)
  useTitleStore.setState({ title })
}

/** S1.07 */
export const usePlatformTitle = (): string => {
  const t = useT()
  const label = useLabel()
  const title = useTitleStore(state => state.title)
  return (title === null ? '' : label(title)) || t('app.name')
}
