import { goTo } from './go.ts'
import { closeTab, useTabs } from './tabs.ts'

/** Goes to another page in place of this one: its tab closes as soon as the other is open. */
export const moveOn = (from: string, to: string): void => {
  const path = to.split('?')[0] ?? to
  if (path === from) return
  // An address may lead on to another: whatever opens in place of this page is the other.
  const stop = useTabs.subscribe(({ active }) => {
    if (active === null || active === from) return
    stop()
    closeTab(from)
  })
  goTo(to, { replace: true })
}
