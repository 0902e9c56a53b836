import { type Field, requiredMessage } from '#contract/kernel/field.ts'
import type { Fields, Resource } from '#contract/kernel/resource.ts'
import { fromWireTime } from '#contract/kernel/when.ts'
import { dayOf, isEmpty, minuteOf, yuanOf } from '../kernel/format.ts'
import type { Label } from '../kernel/i18n/index.ts'

/** A row of a plain noun as it arrives; its fields are known by the declaration only. */
export type Row = Readonly<Record<string, unknown>> & { readonly id: string }

export interface NamedField {
  readonly name: string
  readonly field: Field
}

const named = (fields: Fields): readonly NamedField[] => Object.entries(fields).map(([name, field]) => ({ name, field }))

export const listFields = (fields: Fields): readonly NamedField[] =>
  named(fields).filter(({ field }) => field.list !== false && field.kind !== 'json')
/** What only a page knows how to draw, by field name. */
type Drawn = Readonly<Record<string, unknown>>
/** @param drawn - lists and objects have no control of their own: they are asked for where the page brings one */
export const formFields = (fields: Fields, drawn: Drawn = {}): readonly NamedField[] =>
  named(fields).filter(({ name, field }) => field.form !== false && (field.kind !== 'json' || name in drawn))
/**
 * What a row is read with: all of its form, what the list shows beside it, and all of a noun that has no form. Ids of other rows are
 * for programs.
 */
export const viewFields = ({ fields, verbs }: Pick<Resource, 'fields' | 'verbs'>, drawn: Drawn = {}): readonly NamedField[] =>
  named(fields).filter(
    ({ name, field }) =>
      (field.kind !== 'json' || name in drawn) &&
      (field.form !== false || field.list !== false || (!verbs.includes('submit') && field.kind !== 'ref' && field.kind !== 'int')),
  )
export const searchFields = (fields: Fields): readonly NamedField[] => named(fields).filter(({ field }) => field.search !== undefined)

/** One, two and three columns of fields in a dialog; a drawer for more than twelve or for tabs (stack-web 13). */
export type FormSize = 'one' | 'two' | 'three' | 'drawer'
export const formSize = (count: number, hasTabs = false): FormSize =>
  hasTabs || count > 12 ? 'drawer' : count <= 6 ? 'one' : count <= 9 ? 'two' : 'three'

/** What a row is called in questions and labels: its first required text, else its first text. */
export const rowNameOf = (fields: Fields, row: Row): string => {
  const texts = named(fields).filter(({ field }) => field.kind === 'text')
  const required = texts.filter(({ field }) => field.required)
  // People know a thing by its name; a code names what has nothing else.
  const first = required.find(({ name }) => /(name|label)$/i.test(name)) ?? required[0] ?? texts[0]
  // A name that is hidden from the reader arrives empty.
  return String((first && row[first.name]) || row.id)
}

/** Framework services write -1 for a number that is not set (framework-contract 1.4). */
export const setValueOf = (resource: Pick<Resource, 'nulls'>, field: Field, value: unknown): unknown =>
  resource.nulls === 'empty' && value === -1 && (field.kind === 'int' || field.kind === 'money' || field.kind === 'bool') ? null : value

/** A value as text; dictionary entries are looked up by the caller. */
export const textOf = (field: Field, value: unknown, yes: string, no: string): string => {
  if (isEmpty(value)) return ''
  switch (field.kind) {
    case 'money':
      return yuanOf(Number(value))
    case 'bool':
      return Number(value) === 1 ? yes : no
    case 'instant':
      return minuteOf(String(value))
    case 'date':
      return dayOf(String(value))
    default:
      return String(value)
  }
}

export const alignOf = (field: Field): 'left' | 'right' | 'center' =>
  (field.kind === 'int' && field.dict === undefined) || field.kind === 'money' || field.kind === 'decimal' ? 'right' : 'left'

/** What a date or time must be later than. */
export interface Earlier {
  readonly label: Label
  readonly value: unknown
}
/** What a field of a form must be later than, by its declaration. */
export const earlierOf = (fields: Fields, field: Field, values: Readonly<Record<string, unknown>>): Earlier | undefined => {
  const other = field.after === undefined ? undefined : fields[field.after]
  return other === undefined ? undefined : { label: other.label, value: values[field.after ?? ''] }
}

/** Why an input is refused, in the order a person can act on; null when it is fine. Lengths count characters, not UTF-16 units. */
export const problemOf = (
  field: Field,
  value: unknown,
  before?: Earlier,
): {
  readonly label: Label
  readonly kind: 'required' | 'max' | 'pattern' | 'number' | 'whole' | 'least' | 'most' | 'date' | 'instant' | 'after' | 'places'
} | null => {
  const empty = isEmpty(value) || (typeof value === 'string' && value.trim() === '')
  if (empty) return field.required ? { label: requiredMessage(field), kind: 'required' } : null
  if (field.kind === 'text') {
    const text = String(value).trim()
    if (field.max !== undefined && Array.from(text).length > field.max) return { label: field.label, kind: 'max' }
    if (field.pattern !== undefined && !new RegExp(field.pattern, 'u').test(text)) return { label: field.label, kind: 'pattern' }
    return null
  }
  if (field.kind === 'int' || field.kind === 'money' || field.kind === 'decimal') {
    const number = Number(value)
    if (!Number.isFinite(number)) return { label: field.label, kind: 'number' }
    if (field.kind !== 'decimal' && !Number.isInteger(number)) return { label: field.label, kind: 'whole' }
    if (field.places !== undefined && (String(value).split('.')[1] ?? '').length > field.places)
      return { label: field.label, kind: 'places' }
    if (field.min !== undefined && number < field.min) return { label: field.label, kind: 'least' }
    if (field.max !== undefined && number > field.max) return { label: field.label, kind: 'most' }
  }
  // A day that no calendar has comes from the control as it was typed.
  if (field.kind === 'date' && fromWireTime(`${value} 00:00:00`) === undefined) return { label: field.label, kind: 'date' }
  if (field.kind === 'instant' && fromWireTime(String(value)) === undefined) return { label: field.label, kind: 'instant' }
  if (before !== undefined && !isEmpty(before.value) && String(value) <= String(before.value)) return { label: field.label, kind: 'after' }
  return null
}

/** The values of a form as `submit` takes them: trimmed, an emptied optional field is null. */
export const toSubmit = (fields: readonly NamedField[], values: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(
    fields.map(({ name, field }) => {
      const value = typeof values[name] === 'string' ? (values[name] as string).trim() : values[name]
      if (isEmpty(value)) return [name, null]
      return [name, field.kind === 'int' || field.kind === 'money' || field.kind === 'bool' ? Number(value) : value]
    }),
  )
