import type { QueryClient } from '@tanstack/react-query'
import type { ComponentType } from 'react'
import type { Label } from '../kernel/i18n/index.ts'

/**
 * One screen of the console. A feature lists its screens in `pages.ts` in `web/src/features/<context>` or a folder of it, which the console reads at
 * start; the screen itself comes with `load` when somebody opens it.
 */
export interface PageEntry {
  /** Path in the address, `:name` for a part that varies: `/exam/detail/:id`. */
  readonly path: string
  /** Label of the tab, title of the document. */
  readonly title: Label
  readonly load: () => Promise<{ readonly Page: ComponentType }>
  /**
   * Who may open it. `menu` (default): whoever has this path in the menu. `{ under: '/exam/examination' }`: whoever has that one,
   * for pages that no menu names. `open`: everybody who is logged in.
   */
  readonly access?: 'menu' | 'open' | { readonly under: string }
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
