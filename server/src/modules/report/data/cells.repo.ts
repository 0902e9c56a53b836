import type { Label } from '#contract/kernel/label.ts'
import type { DataSet, DataSetName } from '#contract/report/data-sets.ts'
import type { Design, DesignFilter } from '#contract/report/design.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { allOf, type RawBuilder, sql } from '#kernel/db/sql.ts'
import type { Cut, Group } from '../domain/narrow.ts'
import { type Reach, type Source, type SourceDimension, sourceOf, type Words } from './sources.ts'

/** Cells and sums of one result. */
export const mostCells = 20_000

const pick = <T>(list: Readonly<Record<string, T>>, name: string): T => {
  const one = Object.hasOwn(list, name) ? list[name] : undefined
  // Designs are checked against the data set, which the types hold together with its source.
  if (one === undefined) throw new Error(`no such name in a data set: ${name}`)
  return one
}
const textOf = ({ text }: SourceDimension, value: RawBuilder<unknown>): RawBuilder<unknown> => (text ? text(value) : sql`${value}::text`)

/** An empty text stands for rows without a value. */
const isOneOf = (dimension: SourceDimension, values: readonly string[]): RawBuilder<unknown> =>
  dimension.isOneOf && !values.includes('')
    ? dimension.isOneOf(values)
    : sql`coalesce(${textOf(dimension, sql`(${dimension.value})`)}, '') = any(${[...values]}::text[])`

const conditionOf = (dimension: SourceDimension, { values, from, until }: DesignFilter): RawBuilder<unknown> =>
  allOf([
    values !== undefined && values.length > 0 && isOneOf(dimension, values),
    from !== undefined && sql`${dimension.value} >= ${from}::date`,
    until !== undefined && sql`${dimension.value} <= ${until}::date`,
  ])

const numbered = (letter: string, count: number): RawBuilder<unknown>[] => Array.from({ length: count }, (_, i) => sql.ref(`${letter}${i}`))
const list = (parts: readonly RawBuilder<unknown>[]): RawBuilder<unknown> => sql.join(parts)
const aliased = (parts: readonly RawBuilder<unknown>[], letter: string): RawBuilder<unknown>[] =>
  parts.map((part, i) => sql`${part} as ${sql.ref(`${letter}${i}`)}`)

/** Few enough for sums of squares of a million rows to fit 64 bits; two people who share a number are taken for one, which hides more. */
const personNumbers = 1_048_573

/** Whether a filter wants a value, as the condition of the database does; an empty text is none. */
const wantedBy = ({ values = [], from, until }: DesignFilter): ((value: string) => boolean) => {
  const listed = new Set(values)
  return value =>
    (listed.size === 0 || listed.has(value)) &&
    (from === undefined || value >= from) &&
    (until === undefined || (value !== '' && value <= until))
}

/**
 * What the cells of a design are counted by. Whoever sees few people has its filters as conditions. For everybody else a filter is a dimension like
 * its rows and columns, so that its values are hidden as they would be there; the wanted ones are taken afterwards. Examinations are counted apart.
 */
export const cutOf = (name: DataSetName, design: Design, showsFew: boolean): Cut => {
  const { dimensions } = sourceOf(name)
  const shown = [...design.rows, ...design.columns]
  if (showsFew) return { names: shown, shown: shown.length, wanted: new Map() }
  const population = Object.keys(dimensions).find(one => dimensions[one]?.isPopulation)
  const parting = design.filters.filter(one => one.dimension !== population)
  const extra = [...parting.map(one => one.dimension), ...(population === undefined ? [] : [population])].filter(
    one => !shown.includes(one),
  )
  return {
    names: [...shown, ...extra],
    shown: shown.length,
    wanted: new Map(parting.map(one => [one.dimension, wantedBy(one)])),
    population,
  }
}
/** Dimensions that part the people of one examination. */
export const partsOf = (cut: Cut): number => cut.names.filter(one => one !== cut.population).length

/** Which dimensions of a data set lie within which. */
export const withinOf = (name: DataSetName): ReadonlyMap<string, string> =>
  new Map(Object.entries(sourceOf(name).dimensions).flatMap(([inner, { within }]) => (within ? [[inner, within.dimension] as const] : [])))

/** Rows brought together by their values, with what tells whether few people stand behind them. */
const groupsOf = (
  name: DataSetName,
  set: DataSet,
  design: Design,
  cut: Cut,
  reach: Reach,
): RawBuilder<Readonly<Record<string, unknown>>> => {
  const source: Source = sourceOf(name)
  const dimensions = cut.names.map(one => pick(source.dimensions, one))
  const measures = design.measures.map(one => pick(source.measures, one))
  const conditions = design.filters
    .filter(one => !cut.wanted.has(one.dimension))
    .map(one => conditionOf(pick(source.dimensions, one.dimension), one))
  const d = numbered('d', dimensions.length)
  const valued = measures.flatMap(one => one ?? [])
  const means = meansOf(set).flatMap(one => pick(source.measures, one) ?? [])
  const [m, e] = [numbered('m', valued.length), numbered('e', means.length)]
  const outer = dimensions.map(one => one.within?.value ?? sql`null`)
  const rows = sql`
    select ${list([
      ...aliased(
        dimensions.map(one => one.value),
        'd',
      ),
      ...aliased(outer, 'o'),
      sql`(${source.person} % ${sql.lit(personNumbers)})::int as h`,
      ...aliased(valued, 'm'),
      ...aliased(means, 'e'),
    ])}
    from ${source.from}
    where ${allOf([source.where(reach), ...conditions])}`
  return sql`
    select ${list([
      ...dimensions.map((one, i) => sql`${textOf(one, sql.ref(`d${i}`))} as ${sql.ref(`k${i}`)}`),
      ...dimensions.map((_, i) => sql`min(${sql.ref(`o${i}`)}::text) as ${sql.ref(`o${i}`)}`),
      sql`count(*)::float8 as n, min(h) as a, max(h) as b, sum(h)::text as x, sum(h::bigint * h)::text as xx`,
      ...m.flatMap((one, i) => [
        sql`coalesce(sum(${one}), 0)::float8 as ${sql.ref(`v${i}`)}`,
        sql`count(${one})::float8 as ${sql.ref(`w${i}`)}`,
      ]),
      ...e.map((one, i) => sql`count(${one})::float8 as ${sql.ref(`e${i}`)}`),
    ])}
    from (${rows}) r group by ${list(d)} limit ${mostCells + 1}`
}
const meansOf = (set: DataSet): readonly string[] =>
  Object.entries(set.measures).flatMap(([name, { kind }]) => (kind === 'mean' ? [name] : []))

/** @param timeoutMs - the statement is given up after so long, with `57014` */
export const countGroups = async (
  db: TenantDb,
  of: {
    readonly name: DataSetName
    readonly set: DataSet
    readonly design: Design
    readonly cut: Cut
    readonly reach: Reach
    readonly timeoutMs: number
  },
): Promise<readonly Group[]> => {
  const { name, set, design, cut, reach, timeoutMs } = of
  // A whole data set is read: each plan is for its own filters, and nothing is compared row by row.
  db.planAnew()
  db.send(
    sql`select set_config('statement_timeout', ${String(timeoutMs)}, true), set_config('enable_nestloop', 'off', true), set_config('jit', 'off', true)`,
  )
  const rows = await db.all(groupsOf(name, set, design, cut, reach))
  const kinds = design.measures.map(one => pick(set.measures, one).kind)
  const means = meansOf(set)
  const isWithin = cut.names.map(one => pick<SourceDimension>(sourceOf(name).dimensions, one).within !== undefined)
  return rows.map((row): Group => {
    let sum = -1
    return {
      keys: cut.names.map((_, i) => row[`k${i}`] as string | null),
      parents: cut.names.map((_, i) => (isWithin[i] ? (row[`o${i}`] as string | null) : undefined)),
      tally: {
        rows: Number(row['n']),
        least: BigInt(Number(row['a'])),
        most: BigInt(Number(row['b'])),
        sum: BigInt(String(row['x'])),
        squares: BigInt(String(row['xx'])),
        sums: kinds.map(kind => {
          if (kind === 'rows') return { sum: Number(row['n']), count: 1 }
          sum += 1
          return { sum: Number(row[`v${sum}`]), count: Number(row[`w${sum}`]) }
        }),
        values: means.map((_, i) => Number(row[`e${i}`])),
      },
    }
  })
}

/** What the values of a dimension are called, in both languages. */
export const wordsOfValues = async (db: TenantDb, name: DataSetName, dimension: string, keys: readonly string[]): Promise<Words> => {
  const { words } = pick(sourceOf(name).dimensions, dimension)
  if ('own' in words) return new Map()
  if ('look' in words) return words.look(db, keys)
  if ('words' in words) return new Map(Object.entries(words.words))
  const entries = await db.all(sql<{ key: string } & Label>`
    select key, zh, en from (
      select 1 as rank, sort, dict_key as key, dict_value as zh, coalesce(nullif(dict_value_en, ''), dict_value) as en from dict where code = ${words.dict} and not is_deleted
      union all
      select 2, sort, dict_key, dict_value, coalesce(nullif(dict_value_en, ''), dict_value) from dict_biz where code = ${words.dict} and not is_deleted) d
    order by rank desc, sort, key`)
  // In the order of the tenant's own dictionary, whose words go before those that all tenants share.
  const found = new Map<string, Label>()
  for (const { key, zh, en } of entries) if (!found.has(key)) found.set(key, { zh, en })
  return found
}

/** The order in which the program or a dictionary lists the values of a dimension; undefined where nothing does. */
export const listedOrder = (name: DataSetName, dimension: string, words: Words): readonly string[] | undefined => {
  const { words: of } = pick(sourceOf(name).dimensions, dimension)
  return 'words' in of || 'dict' in of || ('look' in of && of.isListed) ? [...words.keys()] : undefined
}

/** Values that rows within the reader's reach have: the most frequent first, or by themselves for whoever must not know which are rare. */
export const listValues = async (
  db: TenantDb,
  of: {
    readonly name: DataSetName
    readonly dimension: string
    readonly reach: Reach
    readonly limit: number
    readonly timeoutMs: number
    readonly showsFew: boolean
  },
): Promise<readonly string[]> => {
  const source = sourceOf(of.name)
  const dimension = pick(source.dimensions, of.dimension)
  db.planAnew()
  db.send(sql`select set_config('statement_timeout', ${String(of.timeoutMs)}, true), set_config('enable_nestloop', 'off', true)`)
  const rows = await db.all(sql<{ value: string }>`
    select coalesce(${textOf(dimension, sql`v`)}, '') as value from (
      select ${dimension.value} as v, count(*) as n from ${source.from} where ${source.where(of.reach)} group by 1) q order by ${of.showsFew ? sql`n desc, 1` : sql`1`} limit ${of.limit}`)
  return rows.map(row => row.value)
}
