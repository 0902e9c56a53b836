import { comparable } from '#contract/kernel/crud-routes.ts'
import { dayMs } from '#contract/kernel/end-text.ts'
import type { Field } from '#contract/kernel/field.ts'
import { foldWidth } from '#contract/kernel/fold-width.ts'
import { conditionKey, isCarried } from '#contract/kernel/list-condition.ts'
import type { Fields, Resource } from '#contract/kernel/resource.ts'
import { searchFold } from '#contract/kernel/search-fold.ts'
import { isCode } from '#contract/kernel/tidy-field.ts'
import { fromWireTime } from '#contract/kernel/when.ts'
import { codeHolds, initialsHold, textHolds } from '../db/search.ts'
import { byDictionary, byPinyin, likeText, type RawBuilder, sql } from '../db/sql.ts'
import { snakeCase } from '../names.ts'

const wholeKinds: ReadonlySet<Field['kind']> = new Set(['int', 'money', 'ref'])

const comparisons: Record<string, string> = {
  _equal: '=',
  _notequal: '<>',
  _ge: '>=',
  _gt: '>',
  _le: '<=',
  _lt: '<',
  _datege: '>=',
  _dategt: '>',
  _dateequal: '=',
  _datele: '<=',
  _datelt: '<',
}

/** A search text as a value that the column can be compared with; undefined when it can match nothing. */
const typed = (field: Field, text: string): RawBuilder<unknown> | undefined => {
  // Wider than the column on purpose: a number that the column cannot hold matches nothing instead of failing.
  if (wholeKinds.has(field.kind)) return /^-?\d{1,18}$/.test(text) ? sql`${text}::bigint` : undefined
  if (field.kind === 'decimal') return /^-?\d{1,18}(\.\d{1,4})?$/.test(text) ? sql`${text}::numeric` : undefined
  if (field.kind === 'bool') return /^[01]$/.test(text) ? sql`${text}::int` : undefined
  if (field.kind === 'date') return fromWireTime(text.length === 10 ? `${text} 00:00:00` : text) && sql`${text.slice(0, 10)}::date`
  // A text of digits may stand in a column of numbers, which anything else is no value of.
  if (field.pattern?.startsWith('^\\d') && !new RegExp(field.pattern, 'u').test(text)) return undefined
  return sql`${text}`
}

/** Stored values whose numbers on the wire meet a comparison. */
const storedValues = (storedAs: Readonly<Record<string, number>>, suffix: string, text: string): readonly string[] => {
  const wanted = Number(text)
  const meets: Readonly<Record<string, (wire: number) => boolean>> = {
    '=': wire => wire === wanted,
    '<>': wire => wire !== wanted,
    '>=': wire => wire >= wanted,
    '>': wire => wire > wanted,
    '<=': wire => wire <= wanted,
    '<': wire => wire < wanted,
  }
  const isMet = suffix.includes('like')
    ? (wire: number) => String(wire).includes(text) !== suffix.includes('not')
    : meets[comparisons[suffix === '' ? '_equal' : suffix] ?? '=']
  return Object.entries(storedAs).flatMap(([stored, wire]) => (isMet?.(wire) ? [stored] : []))
}

/** A field by a name from outside, which may be one that every object has: `toString` is no column. */
const declaredField = (fields: Fields, name: string): Field | undefined => (Object.hasOwn(fields, name) ? fields[name] : undefined)

/** The way to the text of a column that a search compares: codes and numbers are stored in half width, other texts as people wrote them. */
const holds = (field: Field, name: string, text: string): RawBuilder<unknown> => {
  // Times as they are shown.
  if (field.kind === 'instant')
    return codeHolds(sql`to_char(${sql.ref(columnOf(name))} at time zone 'Asia/Shanghai', 'YYYY-MM-DD HH24:MI:SS')`, text)
  // A yes or no is 0 or 1 on the wire, whatever its column is.
  const at = field.kind === 'bool' ? sql`${sql.ref(columnOf(name))}::int::text` : sql`${sql.ref(columnOf(name))}::text`
  if (field.kind !== 'text' || isCode(name)) return codeHolds(at, text)
  // Nobody types only Latin letters for Chinese words but their initials; the price of looking for them is paid then alone.
  return /^[a-z]{2,20}$/i.test(foldWidth(text).trim()) ? initialsHold(at, text) : textHolds(at, text)
}

/** What somebody means by a day or a second: all instants from its beginning until the next begins. */
const spanOf = (text: string): readonly [Date, Date] | undefined => {
  const isDay = text.length === 10
  const begin = fromWireTime(isDay ? `${text} 00:00:00` : text)
  return begin && [begin, new Date(begin.getTime() + (isDay ? dayMs : 1_000))]
}
const ofInstant = (at: RawBuilder<unknown>, comparison: string, text: string): RawBuilder<unknown> => {
  const span = spanOf(text)
  if (span === undefined) return sql`false`
  const [begin, end] = span
  if (comparison === '=') return sql`(${at} >= ${begin} and ${at} < ${end})`
  if (comparison === '<>') return sql`(${at} < ${begin} or ${at} >= ${end})`
  if (comparison === '>=') return sql`${at} >= ${begin}`
  if (comparison === '>') return sql`${at} >= ${end}`
  return comparison === '<=' ? sql`${at} < ${end}` : sql`${at} < ${begin}`
}

/** The column of a field; the times of a row are called otherwise on the wire. */
const columnOf = (name: string): string => ({ createTime: 'created_at', updateTime: 'updated_at' })[name] ?? snakeCase(name)

const condition = (field: Field, name: string, suffix: string, text: string): RawBuilder<unknown> => {
  const at = sql.ref(columnOf(name))
  if (suffix === '_null') return sql`${at} is null`
  if (suffix === '_notnull') return sql`${at} is not null`
  if (field.storedAs !== undefined) return sql`${at} = any(${[...storedValues(field.storedAs, suffix, text)]}::text[])`
  if (suffix === '_like' || (suffix === '' && (field.search === 'like' || (field.search === undefined && field.kind === 'text'))))
    return holds(field, name, text)
  if (suffix === '_notlike') return sql`not ${holds(field, name, text)}`
  if (suffix === '_likeleft') return sql`search_fold(${at}::text) like ${likeText(searchFold(text)).slice(0, -1)}`
  if (suffix === '_likeright') return sql`search_fold(${at}::text) like ${likeText(searchFold(text)).slice(1)}`
  const comparison = comparisons[suffix === '' ? '_equal' : suffix] ?? '='
  // A code or a key, as people write it: in either case, and in full width.
  if (suffix === '' && field.kind === 'text' && !field.pattern?.startsWith('^\\d')) {
    const ways = [text, foldWidth(text)].flatMap(one => [one, one.toUpperCase(), one.toLowerCase()])
    return sql`${at}::text = any(${[...new Set(ways)]}::text[])`
  }
  if (field.kind === 'instant') return ofInstant(sql`${at}`, comparison, text)
  const value = typed(field, text)
  if (value === undefined) return sql`false`
  return sql`${field.kind === 'bool' ? sql`${at}::int` : at} ${sql.raw(comparison)} ${value}`
}

/**
 * The search of a list as conditions (framework-contract 1.6): only declared columns, operators from a fixed table, values bound.
 * A key that no field declares is none: the call has been refused, or says so.
 */
export const filterOf = (fields: Fields, input: Readonly<Record<string, unknown>>): RawBuilder<unknown>[] =>
  Object.entries(input).flatMap(([key, value]) => {
    if (typeof value !== 'string' || value === '' || isCarried(key)) return []
    const { name, suffix } = conditionKey(key) ?? { name: key, suffix: '' }
    const field = declaredField(comparable(fields), name)
    return field ? [condition(field, name, suffix, value)] : []
  })

/** The fields of a noun that a search asks for. */
export const searchedFields = (fields: Fields, input: Readonly<Record<string, unknown>>): readonly { key: string; name: string }[] =>
  Object.entries(input).flatMap(([key, value]) => {
    const name = conditionKey(key)?.name ?? key
    return value === '' || isCarried(key) || !Object.hasOwn(fields, name) ? [] : [{ key, name }]
  })

interface Orderable {
  readonly column: string
  readonly by: RawBuilder<unknown>
}
const byColumn = (column: string): Orderable => ({ column, by: sql.ref(column) })
/** Words sort as people read them, by pinyin; what a dictionary lists in its order; codes sort by their characters. */
const orderable = ({ fields, table }: Pick<Resource, 'fields' | 'table'>, name: string): Orderable | undefined => {
  // The column: `id` alone would be the text that is selected under this name, which no index is in the order of.
  if (name === 'id') return { column: 'id', by: sql`${sql.table(table)}.id` }
  if (name === 'createTime') return byColumn('created_at')
  if (name === 'updateTime') return byColumn('updated_at')
  const camel = name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
  const field = declaredField(fields, camel)
  if (!field || field.kind === 'json' || field.secret) return undefined
  const column = snakeCase(camel)
  if (field.dict) return { column, by: byDictionary(field.dict, sql.ref(column)) }
  return field.kind === 'text' && !isCode(camel) ? { column, by: byPinyin(sql.ref(column)) } : byColumn(column)
}

/** `ascs` and `descs` through the allow list of declared columns; the declared order, then the id, decide ties. */
export const orderOf = (
  { fields, table, order: declared }: Pick<Resource, 'fields' | 'table' | 'order'>,
  input: { readonly ascs?: unknown; readonly descs?: unknown },
): RawBuilder<unknown> => {
  const wanted = [
    ...String(input.ascs ?? '')
      .split(',')
      .map(name => ({ name, way: 'asc' })),
    ...String(input.descs ?? '')
      .split(',')
      .map(name => ({ name, way: 'desc' })),
    { name: declared.replace(/^-/, ''), way: declared.startsWith('-') ? 'desc' : 'asc' },
    { name: 'id', way: 'desc' },
  ]
  const seen = new Set<string>()
  const parts = wanted.flatMap(({ name, way }) => {
    const one = orderable({ fields, table }, name.trim())
    if (one === undefined || seen.has(one.column)) return []
    seen.add(one.column)
    return [sql`${one.by} ${sql.raw(way)}`]
  })
  return sql.join(parts)
}
