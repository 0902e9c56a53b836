import type { Field } from './field.ts'
import { foldGroups, foldWidth } from './fold-width.ts'
import { tidyLine, tidyTable, tidyText } from './tidy-text.ts'

/** Whether a text has one line or several; `table`: several, whose tabs part cells. */
export type Lines = 'one' | 'many' | 'table'

/** A text with room for that many characters has several lines, unless it says otherwise; names, codes and words to search for are shorter. */
const linesFrom = 200
/** Fields whose names say that they hold a code or a number: full width is none of their characters. */
const codeNames = /(?:^code|Code|No|Number)$|^(?:account|username|email|phone|mobile|idCard)$/
export const isCode = (name: string): boolean => codeNames.test(name)
/** Passwords are never changed: who typed a space sends it again. */
const passwordName = /^(?:(?:old|new)P|p)assword\d?$/
const ways = { one: tidyLine, many: tidyText, table: tidyTable } as const

/** Numbers that are printed in groups: neither spaces nor hyphens are part of them. */
const grouped = /^(?:sign|ticket|order|pay|refund|appeal)No$/

/** What decides how a typed text is meant. */
export interface TypedPlace {
  readonly name: string
  readonly lines?: Lines | undefined
  readonly pattern?: string | undefined
  readonly max?: number | undefined
}

/** A typed text as it is meant at its place (ADR 0144): the same for the calls of the server and the forms of the browser. */
export const tidyAs = ({ name, lines, pattern, max }: TypedPlace, typed: string): string => {
  if (passwordName.test(name)) return typed
  const isOne = pattern !== undefined || (max !== undefined && max < linesFrom)
  const text = ways[lines ?? (isOne ? 'one' : 'many')](typed)
  if (grouped.test(name)) return foldGroups(text)
  if (isCode(name)) return foldWidth(text)
  if (pattern === undefined) return text
  // Where only half width is taken, full width means the same.
  const rule = new RegExp(pattern, 'u')
  const folded = foldWidth(text)
  return folded !== text && !rule.test(text) && rule.test(folded) ? folded : text
}

/** Of a declared field of text: the lines of its control. */
export const linesOf = (field: Pick<Field, 'widget' | 'isTable'>): Lines =>
  field.isTable ? 'table' : field.widget === 'textarea' || field.widget === 'richtext' ? 'many' : 'one'

/** What was typed into the control of a declared field. */
export const tidyField = (name: string, field: Field, typed: string): string => {
  if (field.kind === 'text') return tidyAs({ name, lines: linesOf(field), pattern: field.pattern, max: field.max }, typed)
  return field.kind === 'json' ? typed : foldWidth(typed)
}
