import { type MaskKind, masks } from '../kernel/mask.ts'
import type { FieldType } from '../signup/content.ts'

/** Answers that fit a line of the paper. */
const printable: ReadonlySet<FieldType> = new Set(['text', 'number', 'date', 'month', 'select', 'radio', 'checkbox', 'school', 'major'])
/** These stand on every ticket (domain 7.2): what is printed is not printed twice. */
const printedAnyway: ReadonlySet<string> = new Set(['name', 'sex', 'idCard', 'photo'])

/** Lines of the person's table that an examination may add. */
export const mostOnTicket = 3

/** Whether an office may have an answer printed on the ticket (domain 3.3 `useInTicket`): nobody's sealed answers are asked for. */
export const fitsTicket = (item: {
  readonly itemKey: string
  readonly fieldType: string
  readonly sensitive?: number | null | undefined
}): boolean => printable.has(item.fieldType as FieldType) && (item.sensitive ?? 0) < 2 && !printedAnyway.has(item.itemKey)

/** Sealed or not, a number on a paper that others see is not read whole. */
const maskOfType: Partial<Record<FieldType, MaskKind>> = { phone: 'phone', idcard: 'idCard' }
const maskOfKey: Readonly<Record<string, MaskKind>> = { email: 'email', address: 'address', emergencyContact: 'name' }
const linesOfTicket: ReadonlySet<FieldType> = new Set([...printable, 'cascader', 'region', 'phone', 'idcard'])

interface TicketItem {
  readonly itemKey: string
  readonly fieldType: FieldType
  readonly sensitive: number
}

/** What of the fields that an examination wants on the ticket is printed: what stands there anyway and what fits no line is left out. */
export const printedItems = <T extends TicketItem & { readonly useInTicket: number }>(items: readonly T[]): T[] =>
  items
    .filter(item => item.useInTicket === 1 && linesOfTicket.has(item.fieldType) && !printedAnyway.has(item.itemKey))
    .slice(0, mostOnTicket)

/**
 * An answer as the paper shows it (domain P5): numbers of people and phones, and whatever was sealed, by their mask. A field may have become
 * sensitive after it was chosen for the ticket.
 */
export const ticketText = ({ itemKey, fieldType, sensitive }: TicketItem, text: string): string => {
  const kind = maskOfType[fieldType] ?? (sensitive === 2 ? (maskOfKey[itemKey] ?? 'text') : 'none')
  return kind === 'none' || text === '' ? text : masks[kind](text)
}
