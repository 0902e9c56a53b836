import { useMemo } from 'react'
import { type Section, type SectionPage, sections, workspacePath } from '#web/console/page-entry.ts'
import { leavesOf, useMenu } from '#web/shell/menu.ts'
import { useSections } from '#web/shell/page-context.tsx'
import type { Place } from './places.ts'

export interface Part {
  readonly section: Section
  readonly pages: readonly SectionPage[]
}
/** Sections that the frame draws itself. */
const own: ReadonlySet<Section> = new Set(['overview', 'history'])

/** The sections that the person has a right to, each with its pages; null while the menu is on its way. */
export const useParts = (): readonly Part[] | null => {
  const { items } = useMenu()
  const pages = useSections()
  return useMemo(() => {
    if (items === null) return null
    const paths = new Set(leavesOf(items).map(item => item.path))
    const mine = pages.filter(page => page.menuPath === null || paths.has(page.menuPath))
    return sections
      .map(section => ({ section, pages: mine.filter(page => page.section === section) }))
      .filter(part => own.has(part.section) || part.pages.length > 0)
  }, [items, pages])
}

/** Address of a place in the workspace; null where the person has no such section. */
export const hrefTo = (parts: readonly Part[], examId: string, { section, search, page }: Place): string | null => {
  if (!parts.some(part => part.section === section)) return null
  const query = new URLSearchParams(search).toString()
  return workspacePath(examId, section, page) + (query === '' ? '' : `?${query}`)
}
