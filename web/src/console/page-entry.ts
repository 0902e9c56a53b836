import type { QueryClient } from '@tanstack/react-query'
import type { ComponentType } from 'react'
import type { Label } from '../kernel/i18n/index.ts'

/** Sections of an examination's workspace, in the order of their navigation. */
export const sections = [
  'overview',
  'setup',
  'signups',
  'review',
  'reduction',
  'fees',
  'tickets',
  'results',
  'selection',
  'messages',
  'statistics',
  'history',
] as const
export type Section = (typeof sections)[number]
export const isSection = (value: string | undefined): value is Section => (sections as readonly (string | undefined)[]).includes(value)

/**
 * One screen of the console. A feature lists its screens in `pages.ts` in `web/src/features/<context>` or a folder of it, which the console reads at
 * start; the screen itself comes with `load` when somebody opens it.
 */
export interface PageEntry {
  /** Path in the address, `:name` for a part that varies: `/exam/detail/:id`. */
  readonly path: string
  /** Label of the tab, title of the document. */
  readonly title: Label
  /** Absent: the screen of the plain noun that is declared for the path. */
  readonly load?: () => Promise<{ readonly Page: ComponentType }>
  /**
   * Who may open it. `menu` (default): whoever has this path in the menu. `{ under: '/exam/examination' }`: whoever has that one,
   * for pages that no menu names. `open`: everybody who is logged in.
   */
  readonly access?: 'menu' | 'open' | { readonly under: string }
  /**
   * The page is about one examination and stands in this section of its workspace, which says which one (`?examId=`). Whoever has the list of
   * examinations finds it there and not in the side menu; its own address leads there.
   */
  readonly section?: Section
  /** Besides its section, the page keeps its own address and its place in the menu: it has rows of no examination too. */
  readonly alsoAlone?: true
  /** Other pages show the same in other ways: the side menu has this one alone, under this name, and each leads to the others. */
  readonly views?: PageViews
  /** Addresses below this one are parts of the page: they share its tab. */
  readonly hasParts?: true
}

export interface PageViews {
  readonly title: Label
  readonly others: readonly string[]
}

/** A page as a section of the workspace shows it. */
export interface SectionPage {
  readonly section: Section
  /** Its own path, `/exam/typeCode`. */
  readonly path: string
  /** Its name within the section, `typeCode`. */
  readonly key: string
  readonly title: Label
  /** Path that must be in the person's menu. */
  readonly menuPath: string | null
  readonly alsoAlone: boolean
  readonly Component: ComponentType
}

/** Whoever has this menu sees examinations as workspaces. */
export const examinationsPath = '/exam/examination'

/** Address of a section of an examination's workspace; `mine` stands for the examination with work for the person. */
export const workspacePath = (examId: string, section: Section, page?: string): string =>
  `${examinationsPath}/${examId}/${section}${page === undefined ? '' : `/${page}`}`

/** Name of a page within its section: the last word of its path. */
export const sectionKeyOf = (path: string): string =>
  path
    .split('/')
    .filter(part => part !== '' && !part.startsWith(':'))
    .at(-1) ?? ''

/** Values of the `:name` parts when `path` fits the pattern or lies below it, with the part of it that fits. */
export const matchTop = (pattern: string, path: string): { readonly params: Params; readonly path: string } | null => {
  const top = path.split('/').slice(0, pattern.split('/').length).join('/')
  const params = matchPath(pattern, top)
  return params === null ? null : { params, path: top }
}

export const definePages = (pages: readonly PageEntry[]): readonly PageEntry[] => pages

/**
 * What pages ask for only after another answer, by their paths: when the program starts at one of them, it is asked for once the person's
 * buttons are known, while the code of the page is still on its way. Lists stand in `prepare.ts` beside it. A preparation asks
 * for what its page asks for, under the same keys, and for nothing that the person may not have.
 */
export type Preparations = Readonly<Record<string, (client: QueryClient, search: URLSearchParams) => Promise<void>>>

export type Params = Readonly<Record<string, string>>

/** Values of the `:name` parts when `path` fits the pattern, else null. */
export const matchPath = (pattern: string, path: string): Params | null => {
  const want = pattern.split('/')
  const have = path.split('/')
  if (want.length !== have.length) return null
  const params: Record<string, string> = {}
  for (const [index, part] of want.entries()) {
    const value = have[index] ?? ''
    if (part.startsWith(':') && value !== '') params[part.slice(1)] = decodeURIComponent(value)
    else if (part !== value) return null
  }
  return params
}
