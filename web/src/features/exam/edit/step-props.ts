import type { Draft } from './draft.ts'

export interface StepProps {
  readonly draft: Draft
  /** Fields that stay as they are, each with why. */
  readonly frozen: Readonly<Record<string, string>>
  readonly onChange: (part: Partial<Pick<Draft, 'values' | 'signitems' | 'signfiles' | 'examitems'>>) => void
  readonly onValues: (part: Readonly<Record<string, unknown>>) => void
  /** Texts of the server by field. */
  readonly problems: Readonly<Record<string, string>>
  /** Shows what is missing too: somebody has tried to release or save. */
  readonly strict: boolean
  /** The field that the cursor is led to. */
  readonly wanted: string | null
}
