import type { Label } from '../kernel/label.ts'

/** Stands behind the name of an examination that was made from another one, until somebody has given it its own. */
export const copyMark: Label = { zh: '（副本）', en: ' (copy)' }

export const hasCopyMark = (name: string): boolean => [copyMark.zh, copyMark.en].some(mark => name.trimEnd().endsWith(mark.trimStart()))

/** Years that a text names and that lie before the one given: “2025年”, “2025-2026” and “2025” of a text written for an earlier one. */
export const earlierYearsIn = (text: string, year: number): readonly number[] =>
  [...new Set([...text.matchAll(/(?<!\d)20\d\d(?!\d)/g)].map(([found]) => Number(found)))]
    .filter(found => found < year && found >= year - 5)
    .sort()
