import { type Field, requiredMessage } from '#contract/kernel/field.ts'
import { type Fields, type Resource, titleFieldOf } from '#contract/kernel/resource.ts'
import { tidyField } from '#contract/kernel/tidy-field.ts'
import { fromWireTime } from '#contract/kernel/when.ts'
import { dayOf, endMinuteOf, isEmpty, minuteOf, yuanOf } from '../kernel/format.ts'
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
      !field.secret &&
      (field.form !== false || field.list !== false || (!verbs.includes('submit') && field.kind !== 'ref' && field.kind !== 'int')),
  )
/** The headings a row is read under, with their fields; what is under none stands under the first. */
export const groupsOf = (
  { groups }: Pick<Resource, 'groups'>,
  fields: readonly NamedField[],
): readonly { readonly key: string; readonly label: Label | undefined; readonly fields: readonly NamedField[] }[] => {
  if (groups === undefined) return [{ key: '', label: undefined, fields }]
  const keyOf = (name: string) => (groups.find(group => group.fields.includes(name)) ?? groups[0])?.key
  return groups
    .map(group => ({ ...group, fields: fields.filter(({ name }) => keyOf(name) === group.key) }))
    .filter(group => group.fields.length > 0)
}
export const searchFields = (fields: Fields): readonly NamedField[] => named(fields).filter(({ field }) => field.search !== undefined)

/** One, two and three columns of fields in a dialog; a drawer for more than twelve or for tabs (stack-web 13). */
export type FormSize = 'one' | 'two' | 'three' | 'drawer'
export const formSize = (count: number, hasTabs = false): FormSize =>
  hasTabs || count > 12 ? 'drawer' : count <= 6 ? 'one' : count <= 9 ? 'two' : 'three'

/** What a row is called in questions and labels; one whose name is hidden from the reader arrives without. */
export const rowNameOf = (fields: Fields, row: Row): string => {
  const title = titleFieldOf(fields)
  return String((title && row[title]) || row.id)
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
      return field.isEnd ? endMinuteOf(String(value)) : minuteOf(String(value))
    case 'date':
      return dayOf(String(value))
    default:
      return String(value)
  }
}

/** A number whose values have names, by a dictionary or by its declaration, is read as a word. */
export const isWord = (field: Field): boolean => field.dict !== undefined || field.words !== undefined || field.widget === 'switch'

export const alignOf = (field: Field): 'left' | 'right' | 'center' =>
  (field.kind === 'int' && !isWord(field)) || field.kind === 'money' || field.kind === 'decimal' ? 'right' : 'left'

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
  typed: unknown,
  before?: Earlier,
): {
  readonly label: Label
  readonly kind: 'required' | 'max' | 'pattern' | 'number' | 'whole' | 'least' | 'most' | 'date' | 'instant' | 'after' | 'places'
} | null => {
  const value = typeof typed === 'string' ? tidyField('', field, typed) : typed
  const empty = isEmpty(value) || value === ''
  if (empty) return field.required ? { label: requiredMessage(field), kind: 'required' } : null
  if (field.kind === 'text') {
    const text = String(value)
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

/** The values of a form as `submit` takes them: tidied, an emptied optional field is null. */
export const toSubmit = (fields: readonly NamedField[], values: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(
    fields.map(({ name, field }) => {
      const value = typeof values[name] === 'string' ? tidyField(name, field, values[name]) : values[name]
      if (isEmpty(value)) return [name, null]
      return [name, field.kind === 'int' || field.kind === 'money' || field.kind === 'bool' ? Number(value) : value]
    }),
  )
