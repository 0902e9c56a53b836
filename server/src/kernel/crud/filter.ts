import type { Field } from '#contract/kernel/field.ts'
import { foldWidth } from '#contract/kernel/fold-width.ts'
import type { Fields, Resource } from '#contract/kernel/resource.ts'
import { searchFold } from '#contract/kernel/search-fold.ts'
import { isCode } from '#contract/kernel/tidy-field.ts'
import { fromWireTime } from '#contract/kernel/when.ts'
import { codeHolds, initialsHold, textHolds } from '../db/search.ts'
import { byPinyin, likeText, type RawBuilder, sql } from '../db/sql.ts'
import { snakeCase } from '../names.ts'

const wholeKinds: ReadonlySet<Field['kind']> = new Set(['int', 'money', 'ref'])

/** A search text as a value that the column can be compared with; undefined when it can match nothing. */
const typed = (field: Field, text: string): RawBuilder<unknown> | undefined => {
  // Wider than the column on purpose: a number that the column cannot hold matches nothing instead of failing.
  if (wholeKinds.has(field.kind)) return /^-?\d{1,18}$/.test(text) ? sql`${text}::bigint` : undefined
  if (field.kind === 'decimal') return /^-?\d{1,18}(\.\d{1,4})?$/.test(text) ? sql`${text}::numeric` : undefined
  if (field.kind === 'bool') return /^[01]$/.test(text) ? sql`${text}` : undefined
  if (field.kind === 'instant' || field.kind === 'date') {
    const instant = fromWireTime(text.length === 10 ? `${text} 00:00:00` : text)
    return instant && (field.kind === 'date' ? sql`${text.slice(0, 10)}::date` : sql`${instant}`)
  }
  return sql`${text}`
}

/** A field by a name from outside, which may be one that every object has: `toString` is no column. */
const declaredField = (fields: Fields, name: string): Field | undefined => (Object.hasOwn(fields, name) ? fields[name] : undefined)

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

/** The way to the text of a column that a search compares: codes and numbers are stored in half width, other texts as people wrote them. */
const holds = (field: Field, name: string, text: string): RawBuilder<unknown> => {
  const at = sql`${sql.ref(snakeCase(name))}::text`
  if (field.kind !== 'text' || isCode(name)) return codeHolds(at, text)
  // Nobody types only Latin letters for Chinese words but their initials; the price of looking for them is paid then alone.
  return /^[a-z]{2,20}$/i.test(foldWidth(text).trim()) ? initialsHold(at, text) : textHolds(at, text)
}

const condition = (field: Field, name: string, suffix: string, text: string): RawBuilder<unknown> => {
  const at = sql.ref(snakeCase(name))
  if (suffix === '_null') return sql`${at} is null`
  if (suffix === '_notnull') return sql`${at} is not null`
  if (suffix === '_like' || (suffix === '' && field.search === 'like')) return holds(field, name, text)
  if (suffix === '_notlike') return sql`not ${holds(field, name, text)}`
  if (suffix === '_likeleft') return sql`search_fold(${at}::text) like ${likeText(searchFold(text)).slice(0, -1)}`
  if (suffix === '_likeright') return sql`search_fold(${at}::text) like ${likeText(searchFold(text)).slice(1)}`
  const value = typed(field, text)
  if (value === undefined) return sql`false`
  return sql`${at} ${sql.raw(comparisons[suffix === '' ? '_equal' : suffix] ?? '=')} ${value}`
}

/**
 * The search of a list as conditions (framework-contract 1.6): only declared columns, operators from a fixed table, values bound.
 * A key that no field declares is ignored.
 */
export const filterOf = (fields: Fields, input: Readonly<Record<string, unknown>>): RawBuilder<unknown>[] =>
  Object.entries(input).flatMap(([key, value]) => {
    if (typeof value !== 'string' || value === '') return []
    const [, name = '', suffix = ''] = /^(.*?)(_[a-z]+)?$/.exec(key) ?? []
    const field = declaredField(fields, name)
    return field?.search ? [condition(field, name, suffix, value)] : []
  })

interface Orderable {
  readonly column: string
  readonly by: RawBuilder<unknown>
}
const byColumn = (column: string): Orderable => ({ column, by: sql.ref(column) })
/** Words sort as people read them, by pinyin; codes sort by their characters. */
const orderable = ({ fields, table }: Pick<Resource, 'fields' | 'table'>, name: string): Orderable | undefined => {
  // The column: `id` alone would be the text that is selected under this name, which no index is in the order of.
  if (name === 'id') return { column: 'id', by: sql`${sql.table(table)}.id` }
  if (name === 'createTime') return byColumn('created_at')
  if (name === 'updateTime') return byColumn('updated_at')
  const camel = name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
  const field = declaredField(fields, camel)
  if (!field || field.kind === 'json' || field.secret) return undefined
  const column = snakeCase(camel)
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
