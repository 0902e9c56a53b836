import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo } from 'react'
import type { Params } from '../console/page-entry.ts'
import type { Label } from '../kernel/i18n/index.ts'
import { goTo } from './go.ts'
import { retitleTab, useTabs } from './tabs.ts'

interface PageHandle {
  readonly path: string
  readonly params: Params
  /** What the screen at a path is called; null when no screen answers to it. Handed in: a page does not know the list of pages. */
  readonly titleAt: (path: string) => Promise<Label | null>
}
const PageContext = createContext<PageHandle>({ path: '', params: {}, titleAt: async () => null })

export const PageProvider = ({ path, params, titleAt, children }: PageHandle & { readonly children: ReactNode }) => {
  const value = useMemo(() => ({ path, params, titleAt }), [path, params, titleAt])
  return <PageContext value={value}>{children}</PageContext>
}

/**
 * The page's own address. A page in a hidden tab keeps its own, whatever the address bar says, so pages ask here and not the router.
 */
export const usePage = () => {
  const { path, params, titleAt } = useContext(PageContext)
  const text = useTabs(state => state.tabs.find(tab => tab.path === path)?.search ?? '')
  /** What the menu and the tab call it. */
  const title = useTabs(state => state.tabs.find(tab => tab.path === path)?.title ?? null)
  const search = useMemo(() => new URLSearchParams(text), [text])
  /** Replaces the search part; empty values leave it. */
  const setSearch = useCallback(
    (values: Readonly<Record<string, string | number | null | undefined>>) => {
      const next = new URLSearchParams()
      for (const [name, value] of Object.entries(values))
        if (value !== null && value !== undefined && value !== '') next.set(name, String(value))
      const query = next.toString()
      goTo(query === '' ? path : `${path}?${query}`, { replace: true })
    },
    [path],
  )
  /** For effects; they run when the page is shown, which is not drawn anew for it. */
  const isActive = useCallback(() => useTabs.getState().active === path, [path])
  return { path, params, search, setSearch, isActive, title, titleAt }
}

/** Names the tab after what the page shows, such as an examination. */
export const useTabTitle = (title: Label | null): void => {
  const { path } = useContext(PageContext)
  const zh = title?.zh
  const en = title?.en
  useEffect(() => {
    if (zh !== undefined && en !== undefined) retitleTab(path, { zh, en })
  }, [path, zh, en])
}
