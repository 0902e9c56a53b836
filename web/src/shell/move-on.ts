import { goTo } from './go.ts'
import { closeTab, useTabs } from './tabs.ts'

/** Goes to another page in place of this one: its tab closes as soon as the other is open. */
export const moveOn = (from: string, to: string): void => {
  const path = to.split('?')[0] ?? to
  if (path === from) return
  const stop = useTabs.subscribe(({ active }) => {
    if (active !== path) return
    stop()
    closeTab(from)
  })
  goTo(to, { replace: true })
}
