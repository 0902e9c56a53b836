import { Ajv, type ErrorObject } from 'ajv'
import type { FieldProblem } from '#contract/kernel/envelope.ts'
import { fieldWords } from '#contract/kernel/field-words.ts'
import { foldWidth } from '#contract/kernel/fold-width.ts'
import type { Label, Language } from '#contract/kernel/label.ts'
import { withoutRadicals } from '#contract/kernel/radicals.ts'
import { type Lines, tidyAs } from '#contract/kernel/tidy-field.ts'
import { fromWireTime } from '#contract/kernel/when.ts'

type JsonSchema = { readonly [key: string]: unknown }

// Checks are compiled with the first call of their route: making their code shorter took half of that and does not make them faster.
const ajv = new Ajv({
  ...{ allErrors: true, verbose: true, strict: false, validateFormats: false, ownProperties: true },
  code: { optimize: false },
})
// Texts that a declaration gives for a wrong or missing field (S5.01): they travel in the schema as Labels.
// `x-how` says how a value is written, `x-fen` that its limits are fen and said in yuan, `x-lines` whether a text has one line or several,
// `x-list` that it is comma-joined.
ajv.addVocabulary(['x-label', 'x-required', 'x-how', 'x-fen', 'x-lines', 'x-list', 'x-where'])
// The pattern of a date knows digits only; 30 February would fail in the database, where nobody can name the field.
ajv.addKeyword({
  keyword: 'x-calendar',
  type: 'string',
  schemaType: 'string',
  validate: (kind: 'day' | 'time', text: string) => fromWireTime(kind === 'day' ? `${text} 00:00:00` : text) !== undefined,
})

// Limits of numbers that travel as text.
for (const [keyword, holds] of [
  ['x-least', (limit: number, value: number) => value >= limit],
  ['x-most', (limit: number, value: number) => value <= limit],
] as const)
  ajv.addKeyword({ keyword, type: 'string', schemaType: 'number', validate: (limit: number, text: string) => holds(limit, Number(text)) })

const properties = (schema: JsonSchema): { readonly [key: string]: JsonSchema } =>
  (schema['properties'] ?? {}) as { readonly [key: string]: JsonSchema }

/** Whether a text of this schema is a comma-joined list, such as `ids`. */
const isJoined = (schema: JsonSchema): boolean =>
  schema['x-list'] === true || ((schema['anyOf'] as JsonSchema[] | undefined) ?? []).some(one => one['x-list'] === true)

/** One comma-joined text of all that was named, without commas that separate nothing; anything else stays for the schema to judge. */
const joined = (value: unknown): unknown => {
  const parts = Array.isArray(value) ? value : [value]
  if (!parts.every(part => typeof part === 'string' || Number.isSafeInteger(part))) return value
  return parts
    .flatMap(part => String(part).split(','))
    .map(part => part.trim())
    .filter(Boolean)
    .join(',')
}

const fromText = (schema: JsonSchema, typed: string): unknown => {
  const isNumber = schema['type'] === 'integer' || schema['type'] === 'number' || typeof schema['const'] === 'number'
  const text = isNumber ? foldWidth(typed) : typed
  const variants = schema['anyOf'] as JsonSchema[] | undefined
  if (variants) {
    for (const variant of variants) {
      const value = fromText(variant, text)
      if (ajv.validate(variant, value)) return value
    }
    return text
  }
  const type = schema['type'] ?? typeof schema['const']
  if (isNumber && /^-?\d+(\.\d+)?$/.test(text)) return Number(text)
  if (type === 'boolean' && /^(true|false|1|0)$/.test(text)) return text === 'true' || text === '1'
  if ((type === 'object' || type === 'array') && /^\s*[[{]/.test(text)) {
    try {
      return JSON.parse(text)
    } catch {
      return text
    }
  }
  if (type === 'array') return text.split(',')
  return text
}

const forbiddenKeys = new Set(['__proto__', 'constructor', 'prototype'])
const maxDepth = 32

/** Refuses prototype keys, lone surrogates, NUL and deep nesting anywhere in an input (security 3.5). */
const isCleanJson = (value: unknown, depth = 0): boolean => {
  if (depth > maxDepth) return false
  if (typeof value === 'string') return value.isWellFormed() && !value.includes('\u0000')
  if (Array.isArray(value)) return value.every(item => isCleanJson(item, depth + 1))
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).every(([key, item]) => !forbiddenKeys.has(key) && isCleanJson(key) && isCleanJson(item, depth + 1))
  return true
}

/** The declaration of the texts in a value: of the alternatives the one for texts, which `null` and literals are not. */
const ofTexts = (schema: JsonSchema): JsonSchema =>
  ((schema['anyOf'] as JsonSchema[] | undefined) ?? []).find(one => one['type'] === 'string' && !('const' in one)) ?? schema
interface TextSchema {
  readonly type?: unknown
  readonly maxLength?: number
  readonly pattern?: string
  readonly 'x-lines'?: Lines
}
const variantWith = (schema: JsonSchema, keyword: 'properties' | 'items'): JsonSchema =>
  keyword in schema ? schema : (((schema['anyOf'] as JsonSchema[] | undefined) ?? []).find(one => keyword in one) ?? schema)

/**
 * Every text of an input as it is meant (ADR 0144), by what the schema says of its place: all calls come through here, so no route can forget it.
 * A password comes sealed and is left as it is; what else is opened later goes through the same functions.
 */
const tidied = (schema: JsonSchema, name: string, value: unknown): unknown => {
  if (typeof value === 'string') {
    const { type, maxLength, pattern, 'x-lines': lines } = ofTexts(schema) as TextSchema
    return tidyAs({ name, lines, pattern, max: type === 'string' ? maxLength : undefined }, withoutRadicals(value))
  }
  if (Array.isArray(value)) {
    const items = (variantWith(schema, 'items')['items'] ?? {}) as JsonSchema
    return value.map(one => tidied(items, name, one))
  }
  if (typeof value !== 'object' || value === null) return value
  const known = properties(variantWith(schema, 'properties'))
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, tidied(known[key] ?? {}, key, item)]))
}

/** Whether empty is a value of the field, such as "for ever" of an expiry, and not only its absence. */
const takesEmpty = (schema: JsonSchema): boolean => ((schema['anyOf'] as JsonSchema[] | undefined) ?? []).some(one => one['const'] === '')

/**
 * One input out of query, form and JSON (decision 3.2): the query wins, empty query values are dropped, unknown query keys are ignored, unknown
 * body keys stay and are refused by the schema. Text of query and form is turned into the declared type. Where empty is a value, a call that
 * writes keeps it: dropped, the call would say that it saved and change nothing.
 *
 * @returns undefined when any part carries text that cannot be stored (NUL, lone surrogates), a prototype key or deep nesting
 */
export const gather = (
  schema: JsonSchema,
  parts: {
    readonly query: Readonly<Record<string, unknown>>
    /** A key that stands there several times has all its values. */
    readonly form: Readonly<Record<string, string | readonly string[]>> | undefined
    readonly json: unknown
    /** The call writes. */
    readonly writes: boolean
  },
): Readonly<Record<string, unknown>> | undefined => {
  if (!isCleanJson(parts.json)) return undefined
  const known = properties(schema)
  const input: Record<string, unknown> = {}
  if (typeof parts.json === 'object' && parts.json !== null && !Array.isArray(parts.json))
    for (const [key, value] of Object.entries(parts.json)) {
      const declared = known[key]
      input[key] = declared && isJoined(declared) ? joined(value) : value
    }
  /** Of a list all that is named, of anything else the last. */
  const textOf = (declared: JsonSchema | undefined, raw: unknown): unknown =>
    declared && isJoined(declared) ? joined(raw) : Array.isArray(raw) ? raw.at(-1) : raw
  for (const [key, raw] of Object.entries(parts.form ?? {})) {
    const declared = known[key]
    const value = String(textOf(declared, raw))
    if (value !== '' || declared === undefined) input[key] = declared ? fromText(declared, value) : value
  }
  for (const [key, raw] of Object.entries(parts.query)) {
    const declared = known[key]
    const value = textOf(declared, raw)
    if (declared === undefined || typeof value !== 'string') continue
    if (value !== '' || (parts.writes && takesEmpty(declared))) input[key] = fromText(declared, value)
  }
  // Text fields may have carried JSON, so the whole is looked at once more before anything walks through it.
  return isCleanJson(input) ? (tidied(schema, '', input) as Record<string, unknown>) : undefined
}

/** The limit that was passed, as the reader thinks of it. */
const limitOf = (error: ErrorObject): string => {
  const limit = Number(error.params['limit'] ?? error.schema)
  const isFen = (error.parentSchema as JsonSchema | undefined)?.['x-fen'] === true
  return String(isFen ? limit / 100 : limit)
}
const unitOf = (error: ErrorObject): Label =>
  (error.parentSchema as JsonSchema | undefined)?.['x-fen'] === true ? { zh: ' 元', en: ' yuan' } : { zh: '', en: '' }
const notLess = (error: ErrorObject): Label => ({
  zh: `不能小于 ${limitOf(error)}${unitOf(error).zh}`,
  en: `must not be less than ${limitOf(error)}${unitOf(error).en}`,
})
const notMore = (error: ErrorObject): Label => ({
  zh: `不能大于 ${limitOf(error)}${unitOf(error).zh}`,
  en: `must not be greater than ${limitOf(error)}${unitOf(error).en}`,
})

/** As many are in a comma-joined list (`ids`). */
const mostListed = 200

const messages: Record<string, (error: ErrorObject) => Label> = {
  required: () => ({ zh: '不能为空', en: 'is required' }),
  maxLength: e => ({ zh: `长度不能超过 ${e.params['limit']}`, en: `must not be longer than ${e.params['limit']}` }),
  minLength: e =>
    e.params['limit'] === 1
      ? { zh: '不能为空', en: 'is required' }
      : { zh: `长度不能少于 ${e.params['limit']}`, en: `must have at least ${e.params['limit']} characters` },
  minimum: notLess,
  maximum: notMore,
  'x-least': notLess,
  'x-most': notMore,
  maxItems: e => ({ zh: `最多 ${e.params['limit']} 项`, en: `must not have more than ${e.params['limit']} entries` }),
  pattern: e => {
    // A list that is only too long says how long it may be.
    const parts = typeof e.data === 'string' && (e.parentSchema as JsonSchema | undefined)?.['x-list'] === true ? e.data.split(',') : []
    if (parts.length > mostListed)
      return {
        zh: `一次最多 ${mostListed} 项，这里有 ${parts.length} 项，请分批操作`,
        en: `takes ${mostListed} at a time and has ${parts.length}; send them in parts`,
      }
    const how = (e.parentSchema as JsonSchema | undefined)?.['x-how'] as Label | undefined
    return { zh: `格式不正确${how ? `：${how.zh}` : ''}`, en: `has the wrong format${how ? `: ${how.en}` : ''}` }
  },
  'x-calendar': () => ({ zh: '不是存在的日期或时间', en: 'is no date or time that exists' }),
  type: () => ({ zh: '格式不正确', en: 'has the wrong format' }),
}

/** The name that the schema gives the place of a value; a value that may be null too has it beside its variants. */
const labelAt = (schema: JsonSchema, path: readonly string[]): Label | undefined => {
  let at: JsonSchema | undefined = schema
  for (const part of path) {
    const variants: readonly JsonSchema[] = at === undefined ? [] : [at, ...((at['anyOf'] as JsonSchema[] | undefined) ?? [])]
    at = variants
      .map(one => properties(one)[part] ?? (/^\d+$/.test(part) ? (one['items'] as JsonSchema | undefined) : undefined))
      .find(Boolean)
  }
  return at?.['x-label'] as Label | undefined
}

const wordsOf = (schema: JsonSchema): Label | undefined =>
  (schema['x-label'] as Label | undefined) ?? ((schema['anyOf'] as JsonSchema[] | undefined) ?? []).map(wordsOf).find(Boolean)

/** The paths of the fields that people could not be told of in words: neither their schema has any, nor the list of common names. */
export const fieldsWithoutWords = (schema: JsonSchema, path: readonly string[] = []): readonly string[] => {
  const inside = [
    ...((schema['anyOf'] as JsonSchema[] | undefined) ?? []),
    ...(['items', 'additionalProperties'] as const).map(key => schema[key]),
    ...Object.values((schema['patternProperties'] ?? {}) as object),
  ].filter((one): one is JsonSchema => typeof one === 'object' && one !== null)
  return [
    ...Object.entries(properties(schema)).flatMap(([name, field]) => [
      ...((wordsOf(field) ?? fieldWords(name)) ? [] : [[...path, name].join('.')]),
      ...fieldsWithoutWords(field, [...path, name]),
    ]),
    ...inside.flatMap(one => fieldsWithoutWords(one, path)),
  ]
}

const problemOf = (schema: JsonSchema, error: ErrorObject, language: Language): FieldProblem => {
  const extra = String(error.params['missingProperty'] ?? error.params['additionalProperty'] ?? '')
  const path = [...error.instancePath.split('/').filter(Boolean), ...(extra ? [extra] : [])]
  const field = path.join('.')
  const own =
    (error.keyword === 'required'
      ? properties((error.parentSchema ?? {}) as JsonSchema)[extra]
      : (error.parentSchema as JsonSchema | undefined)) ?? {}
  const needed =
    error.keyword === 'required' ||
    (error.keyword === 'minLength' && error.params['limit'] === 1) ||
    (error.keyword === 'type' && error.data === null)
  const wording = own['x-required'] as Label | undefined
  if (needed && wording) return { field, msg: wording[language] }
  // Of an entry in a list its number says nothing; what it is called stands last.
  const last = path.findLast(part => !/^\d+$/.test(part)) ?? field
  if (error.keyword === 'additionalProperties') {
    // What the sender calls it is all that there is to say which one is meant.
    const sent = last.slice(0, 60)
    return { field, msg: language === 'zh' ? `“${sent}”不是允许的字段` : `"${sent}" is not an accepted field` }
  }
  const name =
    ((own['x-label'] as Label | undefined) ?? labelAt(schema, path) ?? fieldWords(last))?.[language] ??
    (language === 'zh' ? '请求内容' : 'The request')
  const text = (messages[error.keyword]?.(error) ?? { zh: '取值不正确', en: 'has a value that is not accepted' })[language]
  return { field, msg: language === 'zh' ? `${name}${text}` : `${name} ${text}` }
}

/** A value that is none of some literals is told once, by the field that offers them: the literals have no name of their own. */
const choicesAsOne = (errors: readonly ErrorObject[]): readonly ErrorObject[] => {
  const choices = new Set(errors.filter(error => error.keyword === 'anyOf').map(error => error.instancePath))
  return errors.filter(error => error.keyword !== 'const' || !choices.has(error.instancePath))
}

/**
 * The check of a strict schema: all problems at once, one per field, in the caller's language. It is compiled when it is first asked:
 * compiling those of every route took a third of the start.
 */
export const checkerOf = (schema: JsonSchema): ((input: unknown, language: Language) => FieldProblem[]) => {
  let validate: ReturnType<typeof ajv.compile> | undefined
  return (input, language) => {
    validate ??= ajv.compile(schema)
    if (validate(input)) return []
    const seen = new Map<string, FieldProblem>()
    for (const error of choicesAsOne(validate.errors ?? [])) {
      if (error.keyword === 'anyOf' || error.keyword === 'if') {
        const field = error.instancePath.split('/').filter(Boolean).join('.')
        if ([...seen.keys()].some(known => known === field || known.startsWith(`${field}.`))) continue
      }
      const problem = problemOf(schema, error, language)
      if (!seen.has(problem.field)) seen.set(problem.field, problem)
    }
    // In the order in which the form asks for them.
    const order = Object.keys(properties(schema))
    const rank = (field: string): number => order.indexOf(field.split('.')[0] ?? '')
    return [...seen.values()].sort((a, b) => rank(a.field) - rank(b.field))
  }
}
