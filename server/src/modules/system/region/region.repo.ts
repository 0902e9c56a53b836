import type { RegionRow } from '#contract/system/region.routes.ts'
import { regionStem } from '#contract/system/region.ts'
import type { PlatformDb, TenantDb } from '#kernel/db/scope.ts'
import { allOf, likeText, type RawBuilder, sql } from '#kernel/db/sql.ts'

type Db = TenantDb | PlatformDb

export const rootCode = '00'

const regionColumns = sql`
  r.code as id, r.code, coalesce(r.parent_code, ${rootCode}) as "parentCode", coalesce(p.name, '') as "parentName", r.name, r.full_name as "fullName",
  r.level as "regionLevel", left(r.code, 2) || '0000' as "provinceCode", case when r.level >= 2 then left(r.code, 4) || '00' else '' end as "cityCode",
  case when r.level >= 3 then left(r.code, 6) else '' end as "districtCode", r.sort, r.remark, r.version,
  exists (select 1 from region c where c.parent_code = r.code) as "hasChildren"`
const regionFrom = sql`from region r left join region p on p.code = r.parent_code`

export interface RegionFilter {
  readonly parentCode?: string | undefined
  readonly code?: string | undefined
  readonly name?: string | undefined
  readonly regionLevel?: number | undefined
}
const where = (filter: RegionFilter): RawBuilder<unknown> =>
  allOf([
    filter.parentCode === rootCode ? sql`r.parent_code is null` : filter.parentCode ? sql`r.parent_code = ${filter.parentCode}` : undefined,
    filter.code ? sql`r.code like ${likeText(filter.code).slice(1)}` : undefined,
    filter.name ? sql`r.full_name like ${likeText(filter.name)}` : undefined,
    filter.regionLevel !== undefined && sql`r.level = ${filter.regionLevel}`,
  ])

export const listRegions = (db: Db, filter: RegionFilter, limit: number, offset = 0): Promise<RegionRow[]> =>
  db.all(sql<RegionRow>`
    select ${regionColumns} ${regionFrom} where ${where(filter)} order by r.sort, r.code limit ${limit} offset ${offset}`)
export const countRegions = async (db: Db, filter: RegionFilter): Promise<number> =>
  (await db.one(sql<{ n: number }>`select count(*)::int as n from region r where ${where(filter)}`)).n
export const findRegion = (db: Db, code: string): Promise<RegionRow | undefined> =>
  db.maybe(sql<RegionRow>`select ${regionColumns} ${regionFrom} where r.code = ${code}`)

/** Changes of the list are made one after another: a row is judged by those above and below it. */
export const lockRegions = async (db: PlatformDb): Promise<void> => {
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

/** Adds or changes rows; parents come before their children. */
export const saveRegions = async (db: PlatformDb, userId: string, rows: readonly RegionValues[]): Promise<void> => {
  const column = <K extends keyof RegionValues>(key: K): RegionValues[K][] => rows.map(row => row[key])
  await db.run(sql`
    insert into region (code, parent_code, name, level, sort, remark, full_name, updated_by, updated_at)
    select s.code, nullif(s.parent, ${rootCode}), s.name, s.level, s.sort, s.remark, s.name, ${userId}, app_now()
    from unnest(${column('code')}::text[], ${column('parentCode')}::text[], ${column('name')}::text[], ${column('regionLevel')}::int[], ${column('sort')}::int[], ${column('remark')}::text[])
      as s(code, parent, name, level, sort, remark)
    on conflict (code) do update set parent_code = excluded.parent_code, name = excluded.name, sort = excluded.sort, remark = excluded.remark,
      updated_by = excluded.updated_by, updated_at = excluded.updated_at, version = region.version + 1`)
  await renewFullNames(
    db,
    rows.map(row => row.code),
  )
}

/** A name is part of the full names of everything below; a name that only repeats the one above is said once. */
const renewFullNames = async (db: PlatformDb, codes: readonly string[]): Promise<void> => {
  const stems = [...new Set(codes.map(regionStem))]
  await db.run(sql`
    with recursive named as (
      select r.code, r.name, r.name::text as full_name from region r where r.parent_code is null
      union all
      select r.code, r.name, n.full_name || case when r.name = n.name then '' else r.name end from named n join region r on r.parent_code = n.code)
    update region r set full_name = left(n.full_name, 200) from named n
    where n.code = r.code and r.full_name <> left(n.full_name, 200)
      and exists (select 1 from unnest(${stems}::text[]) as s(stem) where r.code like s.stem || '%')`)
}

export const removeRegions = (db: PlatformDb, codes: readonly string[]): Promise<number> =>
  db.run(sql`delete from region where code = any(${[...codes]})`)

/** One of these that has something below it which does not go too. */
export const keptParent = (db: PlatformDb, codes: readonly string[]): Promise<{ name: string } | undefined> =>
  db.maybe(sql<{ name: string }>`
    select r.name from region r where r.code = any(${[...codes]})
      and exists (select 1 from region c where c.parent_code = r.code and not c.code = any(${[...codes]})) limit 1`)
