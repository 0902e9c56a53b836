import { date, decimal, flag, ref, text } from '#contract/kernel/field.ts'
import { foldWidth } from '#contract/kernel/fold-width.ts'
import type { ApiOutput } from '#web/kernel/api.ts'
import type { NamedField } from '#web/resource/fields.ts'
import type { Values } from '#web/resource/schema-form.tsx'

export type Variable = ApiOutput<'GET /blade-flow/work/start-form'>['variables'][number]
type Given = Record<string, string | number | boolean | null>

const fieldOf = ({ label: words, type, required }: Variable): NamedField['field'] => {
  // What somebody drew into a process is in their own language.
  const label = { zh: words, en: words }
  switch (type) {
    case 'number':
      return decimal({ label, required, places: 6 })
    case 'boolean':
      return flag({ label, required, default: 0 })
    case 'day':
      return date({ label, required })
    case 'user':
      return ref('user', { label, required })
    default:
      return text(2000, { label, required, widget: 'textarea' })
  }
}

export const fieldsOf = (variables: readonly Variable[]): readonly NamedField[] =>
  variables.map(variable => ({ name: variable.name, field: fieldOf(variable) }))

/** Values of a process as its form shows them. */
export const formValues = (variables: readonly Variable[], values: Readonly<Record<string, unknown>>): Values =>
  Object.fromEntries(
    variables.map(({ name, type }) => {
      const value = values[name] ?? null
      return [name, type === 'boolean' ? (value === true ? 1 : 0) : value === null ? null : String(value)]
    }),
  )

/** A number as it was typed: full width, with groups of thousands; what is none stays, for the server to say so. */
const numberOf = (typed: string): number | string => {
  const text = foldWidth(typed).replace(/^(-?\d{1,3}(?:,\d{3})+)(?=\.|$)/, groups => groups.replaceAll(',', ''))
  return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text
}

/** What a form holds as the process takes it. */
export const givenValues = (variables: readonly Variable[], values: Readonly<Record<string, unknown>>): Given =>
  Object.fromEntries(
    variables.map(({ name, type }) => {
      const value = values[name]
      if (type === 'boolean') return [name, Number(value) === 1]
      if (value === null || value === undefined || String(value).trim() === '') return [name, null]
      return [name, type === 'number' ? numberOf(String(value)) : String(value).trim()]
    }),
  )
