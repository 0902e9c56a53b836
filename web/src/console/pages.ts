import type { QueryClient } from '@tanstack/react-query'
import { type ComponentType, createElement } from 'react'
import { firstCallsOfConsole } from '../boot/first-calls.ts'
import { askAhead } from '../kernel/ask-ahead.ts'
import { loadChunk } from '../kernel/chunk.ts'
import type { Label } from '../kernel/i18n/index.ts'
import { latePage } from '../kernel/late-page.tsx'
import { PageSkeleton } from '../ui/states.tsx'
import { matchPath, matchTop, type PageEntry, type Params, type Preparations, type SectionPage, sectionKeyOf } from './page-entry.ts'

/** What is drawn at a path. */
export interface ResolvedPage {
  readonly key: string
  readonly title: Label
  readonly params: Params
  /** Path that must be in the person's menu; null when everybody may come. */
  readonly menuPath: string | null
  readonly Component: ComponentType
  /** The address that its tab is known by: its own, or that of the page it is a part of. */
  readonly tab: string
  /** Where it stands in the workspace of an examination. */
  readonly inSection: SectionPage | null
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

/** The screen of a plain noun, by its declaration alone. */
const loadNoun = async (path: string): Promise<{ readonly Page: ComponentType }> => {
  const { resourcesByPath } = await loadChunk(() => import('../resource/declared.ts'))
  const resource = resourcesByPath.get(path)
  if (resource === undefined) throw new Error(`no noun is declared for ${path}`)
  const [{ ResourcePage }, within] = await Promise.all([
    loadChunk(() => import('../resource/resource-page.tsx')),
    resource.within === undefined ? null : loadChunk(() => import('../resource/within-page.tsx')),
  ])
  return { Page: () => createElement(within?.WithinPage ?? ResourcePage, { resource }) }
}

const loads = new Map<string, Promise<{ readonly Page: ComponentType }>>()
/** One load per page; a failed one may be begun again. */
const loadOnce = (entry: PageEntry) => {
  const known = loads.get(entry.path)
  if (known !== undefined) return known
  const load = entry.load === undefined ? loadNoun(entry.path) : loadChunk(entry.load)
  loads.set(entry.path, load)
  load.catch(() => loads.delete(entry.path))
  return load
}

const componentOf = (entry: PageEntry): ComponentType =>
  keep(entry.path, () => latePage(async () => (await loadOnce(entry)).Page, PageSkeleton))

/** The pages that the workspace of an examination is made of. */
export const sectionPages: readonly SectionPage[] = entries.flatMap(entry =>
  entry.section === undefined
    ? []
    : {
        section: entry.section,
        path: entry.path,
        key: sectionKeyOf(entry.path),
        title: entry.title,
        menuPath: menuPathOf(entry),
        alsoAlone: entry.alsoAlone === true,
        Component: componentOf(entry),
      },
)

/** Pages with other views of the same, by the path that stands in the side menu. */
export const pageViews = new Map(entries.flatMap(({ path, views }) => (views === undefined ? [] : [[path, views] as const])))

const matchEntry = (entry: PageEntry, path: string) => {
  if (entry.hasParts) return matchTop(entry.path, path)
  const params = matchPath(entry.path, path)
  return params && { params, path }
}

/** Feature pages first, then the plain nouns. Null: nobody knows the path (S2.06). */
export const resolvePage = async (path: string): Promise<ResolvedPage | null> => {
  for (const entry of entries) {
    const match = matchEntry(entry, path)
    if (match === null) continue
    return {
      key: entry.path,
      title: entry.title,
      params: match.params,
      menuPath: menuPathOf(entry),
      Component: componentOf(entry),
      tab: match.path,
      inSection: sectionPages.find(page => page.path === entry.path) ?? null,
    }
  }
  const { resourcesByPath } = await loadChunk(() => import('../resource/declared.ts'))
  const resource = resourcesByPath.get(path)
  if (resource === undefined) return null
  const Component = keep(path, () => latePage(async () => (await loadNoun(path)).Page, PageSkeleton))
  const title = resource.menu?.label ?? resource.label
  return { key: path, title, params: {}, menuPath: resource.menuPath, Component, tab: path, inSection: null }
}

/**
 * Begins to fetch what a path needs; called at start and when a menu item is pointed at. A failure waits until somebody really goes
 * there: only then may the page be loaded anew.
 */
export const preloadPage = (path: string): void => {
  const entry = entries.find(each => matchEntry(each, path) !== null)
  if (entry?.load !== undefined) void entry.load().catch(() => {})
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
