import type { FieldType } from '../signup/content.ts'

/** Answers that fit a line of the paper; nobody's sealed answers are printed. */
const printable: ReadonlySet<FieldType> = new Set(['text', 'number', 'date', 'month', 'select', 'radio', 'checkbox', 'school', 'major'])
/** These stand on every ticket (domain 7.2). */
const printedAnyway: ReadonlySet<string> = new Set(['name', 'sex', 'idCard'])

/** Lines of the person's table that an examination may add. */
export const mostOnTicket = 3

/** Whether an answer can be printed on the ticket (domain 3.3 `useInTicket`). */
export const fitsTicket = (item: {
  readonly itemKey: string
  readonly fieldType: string
  readonly sensitive?: number | null | undefined
}): boolean => printable.has(item.fieldType as FieldType) && (item.sensitive ?? 0) < 2 && !printedAnyway.has(item.itemKey)
