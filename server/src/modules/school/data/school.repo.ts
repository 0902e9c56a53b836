import { foldWidth } from '#contract/kernel/fold-width.ts'
import { searchWords } from '#contract/kernel/search-fold.ts'
import type { NamedSchool } from '#contract/school/named-school.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { initialsHold, keyHolds } from '#kernel/db/search.ts'
import { allOf, type RawBuilder, sql } from '#kernel/db/sql.ts'

export interface SchoolRow {
  readonly id: string
  readonly schoolCode: string
  readonly schoolName: string
  readonly province: string
  readonly city: string
  readonly level: number
  readonly isMedical: number
  /** A former name by which the word found it; null where the name of today does. */
  readonly formerName: string | null
}
const mostSchools = 20

/** Schools by words or initials of their name or by a code, new or old: names that begin with the word first, medical schools before others. */
export const findSchools = (db: TenantDb, keyword: string): Promise<SchoolRow[]> =>
  db.all(sql<SchoolRow>`
    select f.id::text as id, f.school_code as "schoolCode", f.school_name as "schoolName", f.province, coalesce(f.city, '') as city, f.level, f.is_medical as "isMedical",
      case when not ${initialsHold(sql`f.school_name`, keyword)} then (
        select min(o.name) from school_former o where o.tenant_id = f.tenant_id and o.school_id = f.id and ${initialsHold(sql`o.name`, keyword)}) end as "formerName"
    from (
    select * from school where status = 1 and not is_deleted and (${keyHolds(sql`search_key`, keyword)} or school_code = ${foldWidth(keyword)} or old_code = ${foldWidth(keyword)})
    order by starts_with(search_fold(school_name), ${searchWords(keyword)[0] ?? ''}) desc, is_medical desc, length(school_name), school_code limit ${mostSchools}) f
    order by starts_with(search_fold(f.school_name), ${searchWords(keyword)[0] ?? ''}) desc, f.is_medical desc, length(f.school_name), f.school_code`)

/** Schools in use by each of these full names, of today or former, or by a code that stands in the place of a name. */
export const findNamed = async (
  db: TenantDb,
  names: readonly string[],
  codes: readonly string[] = [],
): Promise<ReadonlyMap<string, readonly NamedSchool[]>> => {
  if (names.length === 0) return new Map()
  // Each part begins with an index: asked name by name, whether it exists, the planner reads every school instead.
  const rows = await db.all(sql<NamedSchool & { name: string }>`
    select f.name, s.school_code as "schoolCode", s.school_name as "schoolName", s.province, coalesce(s.city, '') as city, f.is_former as "isFormer",
      exists (select 1 from school o where o.school_name = s.school_name and o.id <> s.id and o.status = 1 and not o.is_deleted) as "isShared"
    from (
      select name, id, bool_and(is_former) as is_former from (
        select school_name as name, id, false as is_former from school where school_name = any(${[...names]}::text[])
        union all
        select name, school_id, true from school_former where name = any(${[...names]}::text[])
        union all
        select school_code, id, false from school where school_code = any(${[...codes]}::text[])) every_name
      group by name, id) f
    join school s on s.id = f.id and s.status = 1 and not s.is_deleted order by f.is_former, s.school_code`)
  return Map.groupBy(rows, row => row.name)
}

/** Name of a province by its code of two or six digits. */
export const findProvince = async (db: TenantDb, code: string): Promise<string | undefined> =>
  (await db.maybe(sql<{ name: string }>`select name from region where level = 1 and code = ${code.slice(0, 2).padEnd(6, '0')}`))?.name

/** Schools of a province, or all, by their codes: a condition and an order for a workbook. */
export const schoolsOf = (scope: RawBuilder<unknown> | undefined, province: string | undefined) => ({
  where: allOf([sql`not is_deleted`, scope, province !== undefined && sql`province = ${province}`]),
  order: sql`school_code`,
})
