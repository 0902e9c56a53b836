import type { Label } from './label.ts'

/** What a context says about its lines in the audit trail, beside what the labels of its plain nouns say. */
export interface TrailWords {
  /** What a line is about, by the first part of its code (`region.exported`). */
  readonly nouns?: Readonly<Record<string, Label>>
  /** What was done, by the second part, where the words common to all do not have it; of an import, what came in. */
  readonly verbs?: Readonly<Record<string, Label>>
  /** Names of rows that differ from the noun of their codes. */
  readonly rows?: Readonly<Record<string, string>>
  /** What lines can be about, as the trail has it. */
  readonly entities?: readonly string[]
}
