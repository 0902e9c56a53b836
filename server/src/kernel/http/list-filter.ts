import { refuse } from '#contract/kernel/errors.ts'
import { foldWidth } from '#contract/kernel/fold-width.ts'
import { type Condition, conditionKey, isCarried, isList, rowFieldsOf } from '#contract/kernel/list-condition.ts'
import { toPage } from '#contract/kernel/page.ts'
import { isRefusal, type Refusal } from '#contract/kernel/refusal.ts'
import type { Route } from '#contract/kernel/route.ts'
import { isFoundIn, searchFold } from '#contract/kernel/search-fold.ts'
import { isCode, tidyAs } from '#contract/kernel/tidy-field.ts'
import { fromWireTime } from '#contract/kernel/when.ts'
import type { Call, Handler } from './context.ts'
import { KeptAnswer } from './written-answer.ts'

type Input = Readonly<Record<string, unknown>>
type Row = Readonly<Record<string, unknown>>
type Schema = { readonly [key: string]: unknown }

/** What the query of a list asks beyond its declared input. */
export interface ListSearch {
  /** By a column of a noun: these reach its handler in its input. */
  readonly columns: Readonly<Record<string, string>>
  /** By a field of the rows that are answered: these are compared with the answer. */
  readonly rows: readonly Condition[]
  /** Keys with a value that the list does not know. */
  readonly unknown: readonly string[]
}
const nothing: ListSearch = { columns: {}, rows: [], unknown: [] }

export type ListSearchReader = (query: Readonly<Record<string, unknown>>, tenantId: string | undefined) => ListSearch

/** Reads the conditions out of the query of a list; undefined for a call that answers none. */
export const listSearchOf = (route: Route): ListSearchReader | undefined => {
  if (!isList(route)) return undefined
  const declared = new Set(Object.keys((route.input as { properties?: object }).properties ?? {}))
  const columns = new Set(route.columns ?? [])
  const fields = route.columns === undefined && route.answer !== 'file' ? rowFieldsOf(route) : new Set<string>()
  return (query, tenantId) => {
    const keys = Object.keys(query)
    if (keys.every(key => declared.has(key))) return nothing
    const found = { columns: {} as Record<string, string>, rows: [] as Condition[], unknown: [] as string[] }
    for (const key of keys) {
      const raw = query[key]
      const typed = Array.isArray(raw) ? raw.at(-1) : raw
      if (declared.has(key) || isCarried(key) || typed === '' || typed === undefined) continue
      if (key === 'tenantId' && (tenantId === undefined || typed === tenantId)) continue
      const of = conditionKey(key)
      const name = of?.name ?? key
      if (of?.suffix === '_ignore') continue
      const text = typeof typed === 'string' ? tidyAs({ name, lines: 'one', max: 200 }, typed) : ''
      if (text === '' || text.length > 200 || text.includes('\u0000') || !text.isWellFormed()) found.unknown.push(key)
      else if (columns.has(name)) found.columns[key] = text
      else if (of && fields.has(name)) found.rows.push({ key, name, suffix: of.suffix, text })
      else found.unknown.push(key)
    }
    return found
  }
}

const isNumber = (text: string): boolean => /^-?\d{1,15}(\.\d{1,6})?$/.test(text)
const isDay = (text: string): boolean => /^\d{4}-\d{2}-\d{2}$/.test(text)
const isMoment = (text: string): boolean => isDay(text) || fromWireTime(text) !== undefined

/** Less than, equal to or greater than zero; a time is within the day that it is compared with. Undefined where the two cannot be compared. */
const compared = (value: string, text: string): number | undefined => {
  const times = isMoment(value) && isMoment(text)
  const [left, right] = times && isDay(text) ? [value.slice(0, 10), text] : [value, text]
  if (isNumber(left) && isNumber(right)) return Number(left) - Number(right)
  if (isMoment(left) && !times) return undefined
  return left < right ? -1 : Number(left > right)
}

const holds = (name: string, value: string, text: string): boolean =>
  isCode(name) ? foldWidth(value).toLowerCase().includes(foldWidth(text).toLowerCase()) || isFoundIn(value, text) : isFoundIn(value, text)

/** Whether the value of a row meets a condition; what is empty is neither like nor beyond anything. */
const meets = ({ name, suffix, text: typed }: Condition, raw: unknown): boolean => {
  const isEmpty = raw === null || raw === undefined || raw === ''
  if (suffix === '_null') return isEmpty
  if (suffix === '_notnull') return !isEmpty
  if (isEmpty) return false
  const value = typeof raw === 'boolean' ? String(Number(raw)) : String(raw)
  const text = typeof raw === 'boolean' ? ({ true: '1', false: '0' }[typed] ?? typed) : typed
  if (suffix === '_like') return holds(name, value, text)
  if (suffix === '_notlike') return !holds(name, value, text)
  if (suffix === '_likeleft') return searchFold(value).endsWith(searchFold(text))
  if (suffix === '_likeright') return searchFold(value).startsWith(searchFold(text))
  const order = compared(value, text)
  if (order === undefined) return suffix === '_notequal'
  if (suffix === '_equal' || suffix === '_dateequal') return order === 0
  if (suffix === '_notequal') return order !== 0
  if (suffix === '_ge' || suffix === '_datege') return order >= 0
  if (suffix === '_gt' || suffix === '_dategt') return order > 0
  return suffix === '_le' || suffix === '_datele' ? order <= 0 : order < 0
}
const meetsAll = (conditions: readonly Condition[], row: Row): boolean => conditions.every(one => meets(one, row[one.name]))

/** Rows that meet all, of a tree with those above them. */
const kept = (conditions: readonly Condition[], rows: readonly Row[]): readonly Row[] =>
  rows.flatMap(row => {
    const below = Array.isArray(row['children']) ? kept(conditions, row['children'] as Row[]) : []
    if (!meetsAll(conditions, row) && below.length === 0) return []
    return [Array.isArray(row['children']) ? { ...row, children: below } : row]
  })

/** Rows that are gone through for conditions which the database is not asked for. */
const mostRows = 5_000
const pageRows = 200
const tooMany = (): Refusal => refuse('kernel/too-many-to-compare', { most: mostRows })

/** A text condition that a declared search contains: it narrows what is gone through. */
const narrowed = (route: Route, input: Input, conditions: readonly Condition[]): Input => {
  const properties = ((route.input as unknown as Schema)['properties'] ?? {}) as Readonly<Record<string, Schema>>
  const isText = (name: string): boolean => {
    const schema = Object.hasOwn(properties, name) ? properties[name] : undefined
    return schema?.['type'] === 'string' && schema['pattern'] === undefined && Number(schema['maxLength'] ?? 0) >= 20
  }
  const isContained = ({ name, suffix }: Condition): boolean =>
    suffix === '_equal' || (route.contains?.includes(name) === true && ['_like', '_likeleft', '_likeright'].includes(suffix))
  const narrowing = conditions.filter(one => isText(one.name) && isContained(one))
  return { ...Object.fromEntries(narrowing.map(({ name, text }) => [name, text])), ...input }
}

/**
 * The answer of a list with conditions on the fields of its rows, as its reader sees them: a hidden field matches nothing. The rows of a long list are
 * gone through page by page.
 */
export const runFiltered = async (
  { route, run }: Handler,
  call: Omit<Call<Route>, 'db'>,
  conditions: readonly Condition[],
): Promise<unknown> => {
  const input = narrowed(route, call.input, conditions)
  // What the reader holds already is the answer to another search.
  const ctx = { ...call.ctx, header: (name: string) => (name.toLowerCase() === 'if-none-match' ? undefined : call.ctx.header(name)) }
  const ask = async (asked: Input): Promise<unknown> => {
    const answer =
      route.tx === 'own'
        ? await run({
            ctx,
            input: asked as never,
            get db(): never {
              throw new Error(`${route.path} opens its own transactions`)
            },
          })
        : await ctx.tx(db => run({ ctx, input: asked as never, db }))
    return answer instanceof KeptAnswer ? answer.data : answer
  }
  const isPaged = 'current' in ((route.input as { properties?: object }).properties ?? {})
  if (!isPaged) {
    const answer = await ask(input)
    return Array.isArray(answer) ? kept(conditions, answer as Row[]) : answer
  }
  const { current = 1, size = 10 } = input as { current?: number; size?: number }
  const exact = 'count' in ((route.input as { properties?: object }).properties ?? {}) ? { count: 'exact' } : {}
  const found: Row[] = []
  for (let page = 1; ; page += 1) {
    const answer = await ask({ ...input, ...exact, current: page, size: pageRows })
    if (isRefusal(answer)) return answer
    const { records, total, ...rest } = answer as { records: readonly Row[]; total: number }
    if (total > mostRows) return tooMany()
    found.push(...kept(conditions, records))
    if (records.length < pageRows || page * pageRows >= total)
      return { ...rest, ...toPage(found.slice((current - 1) * size, current * size), found.length, current, size) }
  }
}
