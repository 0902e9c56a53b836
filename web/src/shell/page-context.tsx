import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo } from 'react'
import type { Params, SectionPage } from '../console/page-entry.ts'
import type { Label } from '../kernel/i18n/index.ts'
import { goTo } from './go.ts'
import { retitleTab, searchOf, useTabs } from './tabs.ts'

interface PageHandle {
  /** Of its tab. */
  readonly path: string
  readonly params: Params
  /** What the screen at a path is called; null when no screen answers to it. Handed in: a page does not know the list of pages. */
  readonly titleAt: (path: string) => Promise<Label | null>
  /** The pages that a workspace shows. Handed in like the titles. */
  readonly sections: readonly SectionPage[]
  /** Of a page that shares its tab with others. */
  readonly part?: PagePart
}
export interface PagePart {
  /** Its own address. */
  readonly at: string
  readonly title: Label
  /** Values of its address that the frame around it settles: they are read like any other and cannot be changed by the page. */
  readonly fixed: Readonly<Record<string, string>>
}
const PageContext = createContext<PageHandle>({ path: '', params: {}, titleAt: async () => null, sections: [] })
const nothingFixed: PagePart['fixed'] = {}

export const PageProvider = ({ path, params, titleAt, sections, part, children }: PageHandle & { readonly children: ReactNode }) => {
  const value = useMemo(
    () => ({ path, params, titleAt, sections, ...(part === undefined ? {} : { part }) }),
    [path, params, titleAt, sections, part],
  )
  return <PageContext value={value}>{children}</PageContext>
}

/** What the tab of a page shows: the address of one of its parts, or its own. */
export const useTabAt = (): string => {
  const { path } = useContext(PageContext)
  return useTabs(state => state.tabs.find(tab => tab.path === path)?.at ?? path)
}
export const useSections = (): readonly SectionPage[] => useContext(PageContext).sections

/**
 * The page's own address. A page in a hidden tab keeps its own, whatever the address bar says, so pages ask here and not the router.
 */
export const usePage = () => {
  const { path, params, titleAt, part } = useContext(PageContext)
  const fixed = part?.fixed ?? nothingFixed
  const at = part?.at ?? null
  const text = useTabs(state => {
    const tab = state.tabs.find(each => each.path === path)
    return at === null ? (tab?.search ?? '') : searchOf(tab, at)
  })
  const ofTab = useTabs(state => state.tabs.find(tab => tab.path === path)?.title ?? null)
  /** What the menu and the tab call it. */
  const title = part?.title ?? ofTab
  const search = useMemo(() => new URLSearchParams({ ...Object.fromEntries(new URLSearchParams(text)), ...fixed }), [text, fixed])
  /** Replaces the search part; empty values leave it. */
  const setSearch = useCallback(
    (values: Readonly<Record<string, string | number | null | undefined>>) => {
      const next = new URLSearchParams()
      for (const [name, value] of Object.entries(values))
        if (value !== null && value !== undefined && value !== '' && !(name in fixed)) next.set(name, String(value))
      const query = next.toString()
      const own = at ?? path
      goTo(query === '' ? own : `${own}?${query}`, { replace: true })
    },
    [path, at, fixed],
  )
  /** For effects; they run when the page is shown, which is not drawn anew for it. */
  const isActive = useCallback(() => {
    const { tabs, active } = useTabs.getState()
    return active === path && (at === null || tabs.find(tab => tab.path === path)?.at === at)
  }, [path, at])
  return { path, params, search, setSearch, isActive, title, titleAt, fixed }
}

/** Names the tab after what the page shows, such as an examination. */
export const useTabTitle = (title: Label | null): void => {
  const { path, part } = useContext(PageContext)
  const zh = title?.zh
  const en = title?.en
  // The tab of a page among others is named by the frame around them.
  const isOwn = part === undefined
  useEffect(() => {
    if (isOwn && zh !== undefined && en !== undefined) retitleTab(path, { zh, en })
  }, [path, isOwn, zh, en])
}
