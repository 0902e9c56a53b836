import type { FieldProblem } from '#contract/kernel/envelope.ts'
import { fieldWords } from '#contract/kernel/field-words.ts'
import { isReadOnlyField } from '#contract/kernel/framework.ts'
import type { Label, Language } from '#contract/kernel/label.ts'

type JsonSchema = { readonly [key: string]: unknown }
type Input = Readonly<Record<string, unknown>>

const variantsOf = (schema: JsonSchema): readonly JsonSchema[] => (schema['anyOf'] as JsonSchema[] | undefined) ?? [schema]
const typeOf = (schema: JsonSchema): unknown => schema['type'] ?? (schema['const'] === undefined ? undefined : typeof schema['const'])
const isNumeric = (schema: JsonSchema): boolean => ['integer', 'number'].includes(String(typeOf(schema)))
/** 0 or 1, and nothing else. */
const isFlag = (variants: readonly JsonSchema[]): boolean =>
  variants.every(
    one => one['const'] === 0 || one['const'] === 1 || (one['minimum'] === 0 && one['maximum'] === 1) || typeOf(one) === 'null',
  )

/** A number that JSON carried digit by digit: beyond these some were lost before anybody could look. */
const isExact = (value: number): boolean =>
  Number.isInteger(value) ? Number.isSafeInteger(value) : String(value).replace(/\D/g, '').replace(/^0+/, '').length <= 15

/** A value in the type that its schema declares, where it can be read in one way only; anything else stays for the check. */
const asDeclared = (schema: JsonSchema, value: unknown): unknown => {
  const variants = variantsOf(schema)
  const types = variants.map(typeOf)
  if (Array.isArray(value)) {
    const items = variants.find(one => typeOf(one) === 'array')?.['items'] as JsonSchema | undefined
    return items ? value.map(item => asDeclared(items, item)) : value
  }
  if (typeof value === 'number' && types.includes('string') && !variants.some(isNumeric)) return isExact(value) ? String(value) : value
  if (typeof value === 'boolean' && isFlag(variants) && !types.includes('boolean')) return value ? 1 : 0
  if (typeof value !== 'string') return value
  const isNumber = variants.some(isNumeric) && !variants.some(one => typeOf(one) === 'string' && one['const'] === undefined)
  if (isNumber && /^-?(0|[1-9]\d{0,15})$/.test(value) && Number.isSafeInteger(Number(value))) return Number(value)
  // A date picker that always sends a time sends midnight for a day.
  if (variants.some(one => one['x-calendar'] === 'day')) return value.replace(/^(\d{4}-\d{2}-\d{2}) 00:00:00$/, '$1')
  return value
}

/** Forms hold an empty text for whatever was left out. Where no text can stand, it is not there. */
const isLeftOut = (schema: JsonSchema, value: unknown): boolean => value === '' && !variantsOf(schema).some(one => typeOf(one) === 'string')

/**
 * What a client of the framework sent, as this program's own would have: numbers and texts in the declared type where that is unambiguous, what
 * was left empty left out, and of a submit without what only the server writes.
 */
export const fromForeign = (schema: JsonSchema, input: Input, answered: ReadonlySet<string> | undefined): Input => {
  const known = (schema['properties'] ?? {}) as Readonly<Record<string, JsonSchema>>
  return Object.fromEntries(
    Object.entries(input).flatMap(([name, value]) => {
      const declared = Object.hasOwn(known, name) ? known[name] : undefined
      if (declared === undefined) return answered && isReadOnlyField(name, answered) ? [] : [[name, value]]
      return isLeftOut(declared, value) ? [] : [[name, asDeclared(declared, value)]]
    }),
  )
}

const tooLong: Label = {
  zh: '超出数字能准确表示的范围，末几位可能已丢失，请加引号以文本发送',
  en: 'is beyond what a number holds exactly, so digits may be lost already: send it as text, in quotes',
}
const hasInexact = (value: unknown): boolean =>
  typeof value === 'number' ? !isExact(value) : Array.isArray(value) ? value.some(hasInexact) : false

/** Fields whose number has lost digits on its way, as ids beyond 2^53 do. */
export const inexactNumbers = (input: Input, language: Language): FieldProblem[] =>
  Object.entries(input)
    .filter(([, value]) => hasInexact(value))
    .map(([field]) => {
      const name = fieldWords(field)?.[language] ?? field
      return { field, msg: language === 'zh' ? `${name}${tooLong.zh}` : `${name} ${tooLong.en}` }
    })

/** The same of fields that are texts: there a number is wrong anyhow, and this says why and how to send it. */
export const inexactTexts = (schema: JsonSchema, input: Input, language: Language): FieldProblem[] => {
  const known = (schema['properties'] ?? {}) as Readonly<Record<string, JsonSchema>>
  const isText = (name: string): boolean => {
    const variants = Object.hasOwn(known, name) ? variantsOf(known[name] ?? {}) : []
    return variants.some(one => ['string', 'array'].includes(String(typeOf(one)))) && !variants.some(isNumeric)
  }
  return inexactNumbers(Object.fromEntries(Object.entries(input).filter(([name]) => isText(name))), language)
}
