import { type FieldLevel, fieldLevels } from '#contract/kernel/field-rule.ts'

const rank = (level: FieldLevel): number => fieldLevels.indexOf(level)

export interface FieldChange {
  readonly at: string
  readonly before: FieldLevel
  readonly after: FieldLevel
}

/** What one set of rules changes of another; a field that neither names is seen in full on both sides. */
export const fieldChanges = (
  before: Readonly<Record<string, FieldLevel>>,
  after: Readonly<Record<string, FieldLevel>>,
): readonly FieldChange[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .sort()
    .map(at => ({ at, before: before[at] ?? 'full', after: after[at] ?? 'full' }))
    .filter(change => change.before !== change.after)

/** Changes that would show others more than before, and more than who changes it sees themselves (ADR 0042). Taking away is always allowed. */
export const beyondSight = (changes: readonly FieldChange[], own: Readonly<Record<string, FieldLevel>>): readonly FieldChange[] =>
  changes.filter(({ at, before, after }) => rank(after) < rank(before) && rank(after) < rank(own[at] ?? 'full'))
