import { foldWidth } from '#contract/kernel/fold-width.ts'
import { searchWords } from '#contract/kernel/search-fold.ts'
import type { RegionRow } from '#contract/reference/region.routes.ts'
import type { PlatformDb, TenantDb } from '#kernel/db/scope.ts'
import { wordsLike } from '#kernel/db/search.ts'
import { allOf, likeText, type RawBuilder, sql } from '#kernel/db/sql.ts'

type Db = TenantDb | PlatformDb

export const rootCode = '00'

const regionColumns = sql`
  r.code as id, r.code, coalesce(r.parent_code, ${rootCode}) as "parentCode", coalesce(p.name, '') as "parentName", r.name, r.full_name as "fullName",
  r.level as "regionLevel", r.level, r.sort, r.remark, r.version, exists (select 1 from region c where c.parent_code = r.code) as "hasChildren"`
const regionFrom = sql`from region r left join region p on p.code = r.parent_code`

const levels = ['province', 'city', 'district', 'town', 'village'] as const
/** Code and name by level, of the region itself or of one above it. */
const levelColumns = sql.join(
  levels.flatMap((name, index) => {
    const level = sql.raw(String(index + 1))
    return (['code', 'name'] as const).map(
      column => sql`coalesce(case when r.level = ${level} then r.${sql.raw(column)} else max(up.${sql.raw(column)}) filter (where up.level = ${level}) end, '')
        as ${sql.ref(`${name}${column === 'code' ? 'Code' : 'Name'}`)}`,
    )
  }),
)
const above = sql`
  cross join lateral (
    with recursive up as (
      select a.code, a.name, a.level, a.parent_code from region a where a.code = r.parent_code
      union all select a.code, a.name, a.level, a.parent_code from region a join up on a.code = up.parent_code)
    select ${rootCode} || coalesce(string_agg(',' || up.code, '' order by up.level), '') as ancestors, ${levelColumns} from up) chain`

/** A region without what stands above its parent. */
export type RegionLine = Omit<RegionRow, 'ancestors' | `${(typeof levels)[number]}${'Code' | 'Name'}`>

export interface RegionFilter {
  readonly parentCode?: string | undefined
  readonly code?: string | undefined
  readonly name?: string | undefined
  readonly regionLevel?: number | undefined
}
const where = (filter: RegionFilter): RawBuilder<unknown> =>
  allOf([
    filter.parentCode === rootCode ? sql`r.parent_code is null` : filter.parentCode ? sql`r.parent_code = ${filter.parentCode}` : undefined,
    filter.code ? sql`r.code like ${likeText(foldWidth(filter.code)).slice(1)}` : undefined,
    filter.name ? wordsLike(sql`r.full_name`, searchWords(filter.name)) : undefined,
    filter.regionLevel !== undefined && sql`r.level = ${filter.regionLevel}`,
  ])

export const listRegions = (db: Db, filter: RegionFilter, limit: number, offset = 0): Promise<RegionRow[]> =>
  db.all(sql<RegionRow>`
    select ${regionColumns}, chain.* ${regionFrom} ${above} where ${where(filter)} order by r.sort, r.code limit ${limit} offset ${offset}`)
/**
 * All of them in the order of the list, so many at a time. Each page begins behind the last row of the one before: a row that comes or goes
 * meanwhile moves no other over the border between two pages.
 */
export async function* everyRegion(
  read: (work: (db: Db) => Promise<RegionLine[]>) => Promise<RegionLine[]>,
  filter: RegionFilter,
  size: number,
): AsyncGenerator<RegionLine> {
  for (let last: RegionLine | undefined; ; ) {
    const from = last
    const rows = await read(db =>
      db.all(sql<RegionLine>`
        select ${regionColumns} ${regionFrom} where ${where(filter)} and ${from ? sql`(r.sort, r.code) > (${from.sort}, ${from.code})` : sql`true`}
        order by r.sort, r.code limit ${size}`),
    )
    yield* rows
    last = rows.at(-1)
    if (rows.length < size) return
  }
}
export const countRegions = async (db: Db, filter: RegionFilter): Promise<number> =>
  (await db.one(sql<{ n: number }>`select count(*)::int as n from region r where ${where(filter)}`)).n
export const findRegion = (db: Db, code: string): Promise<RegionRow | undefined> =>
  db.maybe(sql<RegionRow>`select ${regionColumns}, chain.* ${regionFrom} ${above} where r.code = ${code}`)

/** Changes of the list are made one after another: a row is judged by those above and below it. */
export const lockRegions = async (db: Db): Promise<void> => {
  await db.run(sql`select pg_advisory_xact_lock(hashtextextended('regions', 0))`)
}

export interface RegionValues {
  readonly code: string
  readonly parentCode: string
  readonly name: string
  readonly regionLevel: number
  readonly sort: number
  readonly remark: string
}

/** Which of these codes are there. */
export const knownRegions = async (db: Db, codes: readonly string[]): Promise<ReadonlySet<string>> =>
  new Set((await db.all(sql<{ code: string }>`select code from region where code = any(${[...codes]})`)).map(row => row.code))

/**
 * Adds or changes rows of one level, whose parents are there.
 *
 * @returns the codes whose row is new or another than before
 */
export const saveRegions = async (db: Db, userId: string, rows: readonly RegionValues[]): Promise<readonly string[]> => {
  const column = <K extends keyof RegionValues>(key: K): RegionValues[K][] => rows.map(row => row[key])
  const written = await db.all(sql<{ code: string }>`
    insert into region (code, parent_code, name, level, sort, remark, full_name, updated_by, updated_at)
    select s.code, nullif(s.parent, ${rootCode}), s.name, s.level, s.sort, s.remark, ${fullNameBelow(sql`p`, sql`s`)}, ${userId}, app_now()
    from unnest(${column('code')}::text[], ${column('parentCode')}::text[], ${column('name')}::text[], ${column('regionLevel')}::int[], ${column('sort')}::int[], ${column('remark')}::text[])
      as s(code, parent, name, level, sort, remark)
    left join region p on p.code = s.parent
    on conflict (code) do update set parent_code = excluded.parent_code, name = excluded.name, full_name = excluded.full_name, sort = excluded.sort,
      remark = excluded.remark, updated_by = excluded.updated_by, updated_at = excluded.updated_at, version = region.version + 1
    where (region.parent_code, region.name, region.sort, region.remark) is distinct from (excluded.parent_code, excluded.name, excluded.sort, excluded.remark)
    returning code`)
  const codes = written.map(row => row.code)
  if (codes.length > 0) await renewBelow(db, codes)
  return codes
}

/** A name that only repeats the one above is said once. */
const fullNameBelow = (above: RawBuilder<unknown>, own: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`left(coalesce(${above}.full_name, '') || case when ${above}.name = ${own}.name then '' else ${own}.name end, 200)`

/** A name is part of the full names of everything below. */
const renewBelow = async (db: Db, codes: readonly string[]): Promise<void> => {
  await db.run(sql`
    with recursive named as (
      select r.code, r.name, r.full_name::text as full_name from region r where r.code = any(${[...codes]})
      union all
      select r.code, r.name, ${fullNameBelow(sql`n`, sql`r`)} from named n join region r on r.parent_code = n.code)
    update region r set full_name = n.full_name from named n where n.code = r.code and r.full_name <> n.full_name`)
}

export const removeRegions = (db: PlatformDb, codes: readonly string[]): Promise<number> =>
  db.run(sql`delete from region where code = any(${[...codes]})`)

/** One of these that has something below it which does not go too. */
export const keptParent = (db: PlatformDb, codes: readonly string[]): Promise<{ name: string } | undefined> =>
  db.maybe(sql<{ name: string }>`
    select r.name from region r where r.code = any(${[...codes]})
      and exists (select 1 from region c where c.parent_code = r.code and not c.code = any(${[...codes]})) limit 1`)

interface RegionChoice {
  readonly code: string
  readonly name: string
  readonly level: number
  readonly hasChildren: boolean
}
/** Regions right below one; the provinces without one, or below `00`. */
export const listRegionsBelow = (db: TenantDb, code: string | undefined): Promise<RegionChoice[]> =>
  db.all(sql<RegionChoice>`
    select r.code, r.name, r.level, exists (select 1 from region c where c.parent_code = r.code) as "hasChildren" from region r
    where ${code === undefined || code === '00' ? sql`r.level = 1` : sql`r.parent_code = ${code}`} order by r.code`)
