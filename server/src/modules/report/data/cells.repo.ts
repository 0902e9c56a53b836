import type { Label } from '#contract/kernel/label.ts'
import type { DataSet, DataSetName } from '#contract/report/data-sets.ts'
import type { Design, DesignFilter } from '#contract/report/design.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { allOf, type RawBuilder, sql } from '#kernel/db/sql.ts'
import type { Cut } from '../domain/narrow.ts'
import { fewestPeople } from '../domain/protect.ts'
import { type Reach, type Source, type SourceDimension, sourceOf, type Words } from './sources.ts'

/** A cell of the cube as the database counts it. */
export interface CountedCell {
  /** For each dimension its value, `null` for none, or nothing where the cell sums over it. */
  readonly keys: readonly (string | null | undefined)[]
  readonly rows: number
  readonly isFew: boolean
  /** For each measure its sum, in fen or as it is, and how many values make it; the rows for the number of rows. */
  readonly sums: readonly { readonly sum: number; readonly count: number }[]
}
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

/**
 * What the cells of a design are counted by. Whoever sees few people has its filters as conditions. For everybody else a filter that parts people
 * is a dimension like its rows and columns, so that its values are hidden as they would be there; the wanted ones are taken afterwards.
 */
export const cutOf = (name: DataSetName, design: Design, showsFew: boolean): Cut => {
  const { dimensions } = sourceOf(name)
  const shown = [...design.rows, ...design.columns]
  const parting = showsFew ? [] : design.filters.filter(one => pick(dimensions, one.dimension).isWhole !== true)
  const extra = parting.map(one => one.dimension).filter(one => !shown.includes(one))
  return {
    names: [...shown, ...extra],
    shown: shown.length,
    wanted: new Map(parting.map(one => [one.dimension, new Set(one.values ?? [])])),
  }
}

/**
 * All cells and all sums of a design in one statement. Rows are first brought together by their values, so that only these groups go through
 * `group by cube`.
 *
 * `few` is exact without counting distinct people: with the smallest number a and the largest b of a cell, the sum of (x - a)(b - x) over its rows is
 * nothing only where every x is a or b, so where there are at most two.
 */
const cubeOf = (name: DataSetName, set: DataSet, design: Design, cut: Cut, reach: Reach): RawBuilder<Readonly<Record<string, unknown>>> => {
  const source: Source = sourceOf(name)
  const dimensions = cut.names.map(one => pick(source.dimensions, one))
  const measures = design.measures.map(one => ({ of: pick(set.measures, one), value: pick(source.measures, one) }))
  const conditions = design.filters
    .filter(one => !cut.wanted.has(one.dimension))
    .map(one => conditionOf(pick(source.dimensions, one.dimension), one))

  const d = numbered('d', dimensions.length)
  const sums = measures.map((_, i) => i).filter(i => measures[i]?.value !== null)
  const valued = sums.map(i => measures[i]?.value ?? sql`null`)
  const isMean = sums.map(i => measures[i]?.of.kind === 'mean')
  const m = numbered('m', sums.length)

  const rows = sql`
    select ${list([
      ...aliased(
        dimensions.map(one => one.value),
        'd',
      ),
      sql`(${source.person} % ${sql.lit(personNumbers)})::int as h`,
      ...aliased(valued, 'm'),
    ])}
    from ${source.from}
    where ${allOf([source.where(reach), ...conditions])}`
  const groups = sql`
    select ${list([
      ...d,
      sql`count(*) as n, min(h) as a, max(h) as b, sum(h) as x, sum(h::bigint * h) as xx`,
      ...m.flatMap((one, i) => [sql`sum(${one}) as ${sql.ref(`s${i}`)}`, sql`count(${one}) as ${sql.ref(`c${i}`)}`]),
    ])}
    from (${rows}) r group by ${list(d)}`
  return sql`
    select ${list([
      sql`grouping(${list(d)}) as g`,
      ...dimensions.map((one, i) => sql`${textOf(one, sql.ref(`d${i}`))} as ${sql.ref(`k${i}`)}`),
      sql`sum(n)::float8 as n`,
      sql`(${sql.join(
        [
          sql`sum(n) < ${sql.lit(fewestPeople)}`,
          sql`(min(a)::numeric + max(b)) * sum(x) - sum(xx) - sum(n) * min(a)::numeric * max(b) = 0`,
          ...isMean.flatMap((one, i) => (one ? [sql`sum(${sql.ref(`c${i}`)}) between 1 and ${sql.lit(fewestPeople - 1)}`] : [])),
        ],
        sql` or `,
      )}) as few`,
      ...sums.flatMap((_, i) => [
        sql`coalesce(sum(${sql.ref(`s${i}`)}), 0)::float8 as ${sql.ref(`v${i}`)}`,
        sql`sum(${sql.ref(`c${i}`)})::float8 as ${sql.ref(`w${i}`)}`,
      ]),
    ])}
    from (${groups}) q group by cube (${list(d)}) limit ${mostCells + 1}`
}

/** @param timeoutMs - the statement is given up after so long, with `57014` */
export const countCells = async (
  db: TenantDb,
  of: {
    readonly name: DataSetName
    readonly set: DataSet
    readonly design: Design
    readonly cut: Cut
    readonly reach: Reach
    readonly timeoutMs: number
  },
): Promise<readonly CountedCell[]> => {
  const { name, set, design, cut, reach, timeoutMs } = of
  // A whole data set is read: each plan is for its own filters, and nothing is compared row by row.
  db.planAnew()
  db.send(
    sql`select set_config('statement_timeout', ${String(timeoutMs)}, true), set_config('enable_nestloop', 'off', true), set_config('jit', 'off', true)`,
  )
  const rows = await db.all(cubeOf(name, set, design, cut, reach))
  const count = cut.names.length
  const places = design.measures.map(one => pick(set.measures, one).kind)
  // Without any row the cube has its sum over nothing.
  return rows
    .filter(row => row['n'] !== null)
    .map(row => {
      const mask = Number(row['g'])
      let sum = -1
      return {
        keys: Array.from({ length: count }, (_, i) => ((mask >> (count - 1 - i)) & 1 ? undefined : (row[`k${i}`] as string | null))),
        rows: Number(row['n']),
        isFew: row['few'] === true,
        sums: places.map(kind => {
          if (kind === 'rows') return { sum: Number(row['n']), count: 1 }
          sum += 1
          return { sum: Number(row[`v${sum}`]), count: Number(row[`w${sum}`]) }
        }),
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
  return 'words' in of || 'dict' in of ? [...words.keys()] : undefined
}

/** Values that rows within the reader's reach have, the most frequent first. */
export const listValues = async (
  db: TenantDb,
  of: {
    readonly name: DataSetName
    readonly dimension: string
    readonly reach: Reach
    readonly limit: number
    readonly timeoutMs: number
  },
): Promise<readonly string[]> => {
  const source = sourceOf(of.name)
  const dimension = pick(source.dimensions, of.dimension)
  db.planAnew()
  db.send(sql`select set_config('statement_timeout', ${String(of.timeoutMs)}, true), set_config('enable_nestloop', 'off', true)`)
  const rows = await db.all(sql<{ value: string }>`
    select coalesce(${textOf(dimension, sql`v`)}, '') as value from (
      select ${dimension.value} as v, count(*) as n from ${source.from} where ${source.where(of.reach)} group by 1) q order by n desc, 1 limit ${of.limit}`)
  return rows.map(row => row.value)
}
