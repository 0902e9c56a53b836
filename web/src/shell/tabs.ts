import { create } from 'zustand'
import type { Label } from '../kernel/i18n/index.ts'
import { onForget } from '../kernel/session.ts'

export interface Tab {
  /** Path; the tab's identity. */
  readonly path: string
  /** The address it shows where it has several; otherwise its path. */
  readonly at?: string
  /** Search parts of the addresses that it showed before, by their paths. */
  readonly left?: Readonly<Record<string, string>>
  /** With the `?`, or empty. */
  readonly search: string
  readonly title: Label
  /** A new number draws the page from scratch. */
  readonly version: number
  readonly usedAt: number
}

/** More open pages than this are not kept alive; the one used longest ago is drawn anew when it is visited. */
export const maxLive = 15

const isTab = (value: unknown): value is Tab =>
  typeof value === 'object' && value !== null && 'path' in value && 'title' in value && 'usedAt' in value

/** The address that a tab shows. */
export const atOf = (tab: Pick<Tab, 'path' | 'at'>): string => tab.at ?? tab.path
export const hrefOf = (tab: Pick<Tab, 'path' | 'at' | 'search'>): string => atOf(tab) + tab.search
/** The search part of one of the addresses of a tab, as it was left. */
export const searchOf = (tab: Tab | undefined, at: string): string =>
  tab === undefined ? '' : atOf(tab) === at ? tab.search : (tab.left?.[at] ?? '')

const storeName = 'kaopu-tabs'
const load = (): readonly Tab[] => {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(storeName) ?? '[]')
    return Array.isArray(stored) ? stored.filter(isTab) : []
  } catch {
    return []
  }
}

export const useTabs = create<{ tabs: readonly Tab[]; active: string | null }>(() => ({ tabs: load(), active: null }))
useTabs.subscribe(({ tabs }) => {
  try {
    sessionStorage.setItem(storeName, JSON.stringify(tabs))
  } catch {
    // The tabs then last as long as the page.
  }
})
onForget(() => useTabs.setState({ tabs: [], active: null }))

let uses = load().reduce((most, tab) => Math.max(most, tab.usedAt), 0)

type Opened = Pick<Tab, 'path' | 'at' | 'search' | 'title'>
const moved = (tab: Tab, { at, search }: Opened, usedAt: number): Tab => {
  const to = at === undefined ? tab : { ...tab, at, left: { ...tab.left, [atOf(tab)]: tab.search } }
  return { ...to, search, usedAt }
}

/** Opens the page of a path as a tab, or goes to the tab it has (S2.22), which keeps the name its page gave it. */
export const withTab = (tabs: readonly Tab[], opened: Opened, usedAt: number): readonly Tab[] =>
  tabs.some(tab => tab.path === opened.path)
    ? tabs.map(tab => (tab.path === opened.path ? moved(tab, opened, usedAt) : tab))
    : [...tabs, { ...opened, version: 1, usedAt }]

/** Without the tab, and the tab to go to when it was the current one; the only tab stays (S2.25). */
export const withoutTab = (
  tabs: readonly Tab[],
  path: string,
  current: string,
): { readonly tabs: readonly Tab[]; readonly next: Tab | null } => {
  const index = tabs.findIndex(tab => tab.path === path)
  if (index < 0 || tabs.length < 2) return { tabs, next: null }
  const rest = tabs.filter(tab => tab.path !== path)
  return { tabs: rest, next: path === current ? (rest[Math.min(index, rest.length - 1)] ?? null) : null }
}

/** Paths of the tabs whose pages are kept alive. */
export const livePaths = (tabs: readonly Tab[]): ReadonlySet<string> =>
  new Set(
    [...tabs]
      .sort((a, b) => b.usedAt - a.usedAt)
      .slice(0, maxLive)
      .map(tab => tab.path),
  )

export const openTab = (opened: Opened): void => {
  uses += 1
  useTabs.setState(state => ({ tabs: withTab(state.tabs, opened, uses), active: opened.path }))
}
/**
 * The address counts, not `active`, which lags behind while a page is being entered: closing such a page must lead away
 * from it, or its arrival would open it again.
 * @returns the tab to go to, null when the address stays
 */
export const closeTab = (path: string): Tab | null => {
  const { tabs } = useTabs.getState()
  const shown = tabs.find(tab => atOf(tab) === location.pathname)?.path ?? location.pathname
  const closed = withoutTab(tabs, path, shown)
  useTabs.setState({ tabs: closed.tabs })
  return closed.next
}
/** The tab one place further; at an end it stays (drag and drop has the same by menu: not everybody can drag). */
export const movedTab = (tabs: readonly Tab[], path: string, to: number): readonly Tab[] => {
  const from = tabs.findIndex(tab => tab.path === path)
  const moved = tabs[from]
  if (moved === undefined) return tabs
  const rest = tabs.toSpliced(from, 1)
  return rest.toSpliced(Math.max(0, Math.min(to, rest.length)), 0, moved)
}
export const moveTab = (path: string, to: number): void => useTabs.setState(state => ({ tabs: movedTab(state.tabs, path, to) }))
/** Leaves these tabs alone open (S2.26). */
export const keepTabs = (paths: readonly string[]): void =>
  useTabs.setState(state => ({ tabs: state.tabs.filter(tab => paths.includes(tab.path)) }))
/** The home page opens afterwards (S2.26). */
export const closeAllTabs = (): void => useTabs.setState({ tabs: [], active: null })
export const retitleTab = (path: string, title: Label): void =>
  useTabs.setState(state => ({ tabs: state.tabs.map(tab => (tab.path === path ? { ...tab, title } : tab)) }))
/** Draws the page of a tab from scratch. */
export const renewTab = (path: string): void =>
  useTabs.setState(state => ({ tabs: state.tabs.map(tab => (tab.path === path ? { ...tab, version: tab.version + 1 } : tab)) }))
export const hasTab = (path: string): boolean => useTabs.getState().tabs.some(tab => tab.path === path)
