import type { FieldProblem } from '#contract/kernel/envelope.ts'
import { fieldWords } from '#contract/kernel/field-words.ts'
import { isFrameworkPath } from '#contract/kernel/framework.ts'
import type { Label, Language } from '#contract/kernel/label.ts'
import type { Route } from '#contract/kernel/route.ts'

// What the server answers, it takes back (ADR 0311): a row that was read and is sent as a whole holds fields that only the server writes.

type Input = Readonly<Record<string, unknown>>
type Schema = { readonly [key: string]: unknown }
const propertiesOf = (schema: Schema): Readonly<Record<string, Schema>> => (schema['properties'] ?? {}) as Readonly<Record<string, Schema>>
const variantsOf = (schema: Schema): readonly Schema[] => (schema['anyOf'] as Schema[] | undefined) ?? [schema]
const isNull = (schema: Schema): boolean => schema['type'] === 'null'

/** Whether the call writes a row of which the same resource answers a detail. */
export const takesRow = (route: Route): boolean =>
  route.method === 'POST' &&
  /\/(submit|save|update|update-info)$/.test(route.path) &&
  'id' in propertiesOf(route.input as unknown as Schema)
/** Where the row is read that a call writes. */
export const detailPathOf = (route: Route): string => route.path.replace(/\/[^/]+$/, '/detail')

/** Different at every reading, whoever changed what. */
const ofTheMoment: ReadonlySet<string> = new Set(['serverTime', 'waitMinutes'])

/** Forms of the framework's clients fill these by themselves. */
const filledByForms: ReadonlySet<string> = new Set(['level', 'menuId', 'status', 'hasChildren'])

const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
/** Whether what was sent is what was answered, in whichever type a client holds it. */
export const isSame = (answered: unknown, sent: unknown): boolean => {
  if (isEmpty(answered) && isEmpty(sent)) return true
  if (typeof answered === 'object' && typeof sent === 'object') return JSON.stringify(answered) === JSON.stringify(sent)
  if (typeof answered === 'boolean' || typeof sent === 'boolean') return Number(answered) === Number(sent)
  return String(answered ?? '') === String(sent ?? '')
}

const setBySystem: Label = { zh: '由系统填写，不能修改', en: 'is set by the system and cannot be changed' }

/** Names of what was sent and the call does not take, but its resource answers. */
export const computedNames = (known: readonly string[], detail: Route, sent: Input): readonly string[] => {
  const answered = propertiesOf(detail.output as unknown as Schema)
  return Object.keys(sent).filter(name => !known.includes(name) && Object.hasOwn(answered, name))
}
/** Names of marked fields that were sent: somebody who sees them through a mask sends the mask back. */
export const markedNames = (input: Route['input'], sent: Input): readonly string[] =>
  Object.entries(propertiesOf(input as unknown as Schema)).flatMap(([name, schema]) =>
    'x-writes' in schema && Object.hasOwn(sent, name) ? [name] : [],
  )

/** What was sent without what is as it was answered, and a problem for each computed field that is not. */
export const takenBack = (
  { detail, language, computed, marked }: { detail: Route; language: Language; computed: readonly string[]; marked: readonly string[] },
  sent: Input,
  answered: Input,
): { readonly input: Input; readonly problems: readonly FieldProblem[] } => {
  const words = propertiesOf(detail.output as unknown as Schema)
  const isWord = (name: string): boolean => isFrameworkPath(detail.path) && (name.endsWith('Name') || filledByForms.has(name))
  const isLeftOut = (name: string): boolean =>
    // Forms hold an empty text for whatever was left out; clients of the framework send words that they were shown for an id that they have changed.
    sent[name] === '' || ofTheMoment.has(name) || isWord(name) || isSame(answered[name], sent[name])
  const problems = computed
    .filter(name => !isLeftOut(name))
    .map(name => {
      const label = ((words[name]?.['x-label'] as Label | undefined) ?? fieldWords(name))?.[language] ?? name
      const where = (words[name]?.['x-where'] as Label | undefined)?.[language]
      const msg = language === 'zh' ? `${label}${setBySystem.zh}` : `${label} ${setBySystem.en}`
      return { field: name, msg: where === undefined ? msg : language === 'zh' ? `${msg}（${where}）` : `${msg} (${where})` }
    })
  const left = new Set([...computed, ...marked.filter(name => isSame(answered[name], sent[name]))])
  return { input: Object.fromEntries(Object.entries(sent).filter(([name]) => !left.has(name))), problems }
}

const rowsIn = (value: unknown): readonly Input[] =>
  Array.isArray(value) ? value.filter((one): one is Input => typeof one === 'object' && one !== null && !Array.isArray(one)) : []
/** Names of lists of rows that were sent with a row and are answered with it, with the fields that the call takes of theirs. */
export const nestedLists = (input: Route['input'], sent: Input): ReadonlyMap<string, ReadonlySet<string>> =>
  new Map(
    Object.entries(propertiesOf(input as unknown as Schema)).flatMap(([name, schema]) => {
      const items = variantsOf(schema).find(one => one['items'] !== undefined)?.['items'] as Schema | undefined
      const known = new Set(items ? variantsOf(items).flatMap(one => Object.keys(propertiesOf(one))) : [])
      return known.has('id') && rowsIn(sent[name]).length > 0 ? [[name, known] as const] : []
    }),
  )
/** The same of the rows within a row, each by its id. */
export const withoutNested = (lists: ReadonlyMap<string, ReadonlySet<string>>, sent: Input, answered: Input): Input => ({
  ...sent,
  ...Object.fromEntries(
    [...lists].map(([name, known]) => {
      const stored = new Map(rowsIn(answered[name]).map(row => [String(row['id']), row]))
      const rows = (sent[name] as readonly unknown[]).map(row => {
        const before = typeof row === 'object' && row !== null ? stored.get(String((row as Input)['id'])) : undefined
        if (before === undefined) return row
        return Object.fromEntries(
          Object.entries(row as Input).filter(([key, value]) => known.has(key) || !(key in before) || !isSame(before[key], value)),
        )
      })
      return [name, rows]
    }),
  ),
})

/** What was sent without fields that are wrong and were answered as they are: whoever changes another field is not kept from it. */
export const withoutUnchanged = (problems: readonly FieldProblem[], sent: Input, answered: Input): Input => {
  const wrong = new Set(problems.map(({ field }) => field))
  return Object.fromEntries(
    Object.entries(sent).filter(([name, value]) => name === 'id' || !wrong.has(name) || isEmpty(value) || !isSame(answered[name], value)),
  )
}

/**
 * Null is an empty optional field, in every noun: where the schema has no null, it is the empty text, and where that cannot stand, the field is
 * left out. What is required stays, and is refused as missing.
 */
export const nullsAsEmpty = (schema: Schema, input: unknown): unknown => {
  if (Array.isArray(input)) {
    const items = variantsOf(schema).find(one => one['items'] !== undefined)?.['items'] as Schema | undefined
    return items === undefined ? input : input.map(one => nullsAsEmpty(items, one))
  }
  if (typeof input !== 'object' || input === null) return input
  const shape = variantsOf(schema).find(one => one['properties'] !== undefined)
  if (shape === undefined) return input
  const properties = propertiesOf(shape)
  const required = new Set((shape['required'] as string[] | undefined) ?? [])
  return Object.fromEntries(
    Object.entries(input).flatMap(([name, value]) => {
      const declared = Object.hasOwn(properties, name) ? properties[name] : undefined
      if (declared === undefined) return [[name, value]]
      if (value !== null) return [[name, nullsAsEmpty(declared, value)]]
      // A value of any kind may be null too.
      const isOpen = variantsOf(declared).some(one => isNull(one) || (one['type'] === undefined && one['const'] === undefined))
      if (isOpen || required.has(name)) return [[name, value]]
      const takesEmpty = variantsOf(declared).some(
        one =>
          one['const'] === '' ||
          (one['type'] === 'string' &&
            one['const'] === undefined &&
            Number(one['minLength'] ?? 0) === 0 &&
            (one['pattern'] === undefined || new RegExp(String(one['pattern']), 'u').test('')) &&
            one['x-calendar'] === undefined),
      )
      return takesEmpty ? [[name, '']] : []
    }),
  )
}
