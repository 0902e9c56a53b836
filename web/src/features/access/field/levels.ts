import type { RuledRole } from '#contract/access/field-rule.routes.ts'
import { type FieldLevel, fieldLevels } from '#contract/kernel/field-rule.ts'

/** Levels that differ from full, by `noun.field`. */
export type Levels = Readonly<Record<string, FieldLevel>>

export const levelsOf = (rules: RuledRole['rules']): Levels =>
  Object.fromEntries(rules.map(rule => [`${rule.noun}.${rule.field}`, rule.level]))

/** The levels with one of them changed; in full is no rule. */
export const withLevel = (levels: Levels, at: string, level: FieldLevel): Levels => {
  const { [at]: _, ...rest } = levels
  return level === 'full' ? rest : { ...rest, [at]: level }
}

export const changesOf = (before: Levels, after: Levels): number =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(at => before[at] !== after[at]).length

/** What is sent: noun and field apart. */
export const rulesOf = (levels: Levels): { noun: string; field: string; level: 'masked' | 'hidden' }[] =>
  Object.entries(levels).flatMap(([at, level]) => {
    const [noun = '', field = ''] = at.split('.')
    return level === 'full' ? [] : [{ noun, field, level }]
  })

/** Whether a level shows more than the reader may let others see; what already counts stays a choice. */
export const isBeyond = (level: FieldLevel, most: FieldLevel, saved: FieldLevel): boolean =>
  level !== saved && fieldLevels.indexOf(level) < fieldLevels.indexOf(most) && fieldLevels.indexOf(level) < fieldLevels.indexOf(saved)
