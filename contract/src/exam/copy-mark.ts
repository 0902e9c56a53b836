import type { Label } from '../kernel/label.ts'

/** Stands behind the name of an examination that was made from another one, until somebody has given it its own. */
export const copyMark: Label = { zh: '（副本）', en: ' (copy)' }

/** The mark that a name still ends in, whatever the language it was copied in. */
export const copyMarkOf = (name: string): string | undefined =>
  [copyMark.zh, copyMark.en].map(mark => mark.trimStart()).find(mark => name.trimEnd().endsWith(mark))

/** Years that a text names and that lie before the one given: “2025年”, “2025-2026” and “2025” of a text written for an earlier one. */
export const earlierYearsIn = (text: string, year: number): readonly number[] =>
  [...new Set([...text.matchAll(/(?<!\d)20\d\d(?!\d)/g)].map(([found]) => Number(found)))]
    .filter(found => found < year && found >= year - 5)
    .sort()
