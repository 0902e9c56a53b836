import type { QueryClient } from '@tanstack/react-query'
import { type ComponentType, createElement } from 'react'
import { firstCallsOfConsole } from '../boot/first-calls.ts'
import { askAhead } from '../kernel/ask-ahead.ts'
import { loadChunk } from '../kernel/chunk.ts'
import type { Label } from '../kernel/i18n/index.ts'
import { latePage } from '../kernel/late-page.tsx'
import { PageSkeleton } from '../ui/states.tsx'
import { matchPath, type PageEntry, type Params, type Preparations } from './page-entry.ts'

/** What is drawn at a path. */
export interface ResolvedPage {
  readonly key: string
  readonly title: Label
  readonly params: Params
  /** Path that must be in the person's menu; null when everybody may come. */
  readonly menuPath: string | null
  readonly Component: ComponentType
}

const lists = import.meta.glob<{ readonly pages: readonly PageEntry[] }>('../features/**/pages.ts', { eager: true })
const entries: readonly PageEntry[] = Object.values(lists).flatMap(list => list.pages)

const components = new Map<string, ComponentType>()
const keep = (key: string, make: () => ComponentType): ComponentType => {
  const known = components.get(key)
  if (known !== undefined) return known
  const made = make()
  components.set(key, made)
  return made
}

const menuPathOf = (entry: PageEntry): string | null =>
  entry.access === 'open' ? null : typeof entry.access === 'object' ? entry.access.under : entry.path

const loads = new Map<string, Promise<{ readonly Page: ComponentType }>>()
/** One load per page; a failed one may be begun again. */
const loadOnce = (entry: PageEntry) => {
  const known = loads.get(entry.path)
  if (known !== undefined) return known
  const load = loadChunk(entry.load)
  loads.set(entry.path, load)
  load.catch(() => loads.delete(entry.path))
  return load
}

/** Feature pages first, then the plain nouns. Null: nobody knows the path (S2.06). */
export const resolvePage = async (path: string): Promise<ResolvedPage | null> => {
  for (const entry of entries) {
    const params = matchPath(entry.path, path)
    if (params === null) continue
    const Component = keep(entry.path, () => latePage(async () => (await loadOnce(entry)).Page, PageSkeleton))
    return { key: entry.path, title: entry.title, params, menuPath: menuPathOf(entry), Component }
  }
  const { resourcesByPath } = await loadChunk(() => import('../resource/declared.ts'))
  const resource = resourcesByPath.get(path)
  if (resource === undefined) return null
  const Component = keep(path, () =>
    latePage(async () => {
      const [{ ResourcePage }, within] = await Promise.all([
        loadChunk(() => import('../resource/resource-page.tsx')),
        resource.within === undefined ? null : loadChunk(() => import('../resource/within-page.tsx')),
      ])
      return () => createElement(within?.WithinPage ?? ResourcePage, { resource })
    }, PageSkeleton),
  )
  return { key: path, title: resource.menu?.label ?? resource.label, params: {}, menuPath: resource.menuPath, Component }
}

/**
 * Begins to fetch what a path needs; called at start and when a menu item is pointed at. A failure waits until somebody really goes
 * there: only then may the page be loaded anew.
 */
export const preloadPage = (path: string): void => {
  const entry = entries.find(each => matchPath(each.path, path) !== null)
  if (entry !== undefined) void entry.load().catch(() => {})
  else if (path !== '/' && !path.startsWith('/myiframe')) {
    void import('../resource/declared.ts').catch(() => {})
    void import('../resource/resource-page.tsx').catch(() => {})
  }
}

const prepared = import.meta.glob<{ readonly preparations: Preparations }>('../features/**/prepare.ts', { eager: true })
/** What the page of the address asks for after its first answers. A failure is the page's to show: it asks again. */
export const preparePage = async (client: QueryClient, { pathname, search }: Location): Promise<void> => {
  const prepare = Object.values(prepared).find(({ preparations }) => pathname in preparations)?.preparations[pathname]
  await prepare?.(client, new URLSearchParams(search)).catch(() => {})
}

/** A page is being opened anew: its first answers come beside its files. */
export const beginPage = (path: string): void => {
  preloadPage(path)
  for (const call of firstCallsOfConsole[path] ?? []) askAhead(call)
}
