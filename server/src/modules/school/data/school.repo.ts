import { foldWidth } from '#contract/kernel/fold-width.ts'
import { searchWords } from '#contract/kernel/search-fold.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { keyHolds } from '#kernel/db/search.ts'
import { allOf, type RawBuilder, sql } from '#kernel/db/sql.ts'

export interface SchoolRow {
  readonly id: string
  readonly schoolCode: string
  readonly schoolName: string
  readonly province: string
  readonly city: string
  readonly level: number
  readonly isMedical: number
}
const mostSchools = 20

/** Schools by words or initials of their name or by a code, new or old: names that begin with the word first, medical schools before others. */
export const findSchools = (db: TenantDb, keyword: string): Promise<SchoolRow[]> =>
  db.all(sql<SchoolRow>`
    select id::text as id, school_code as "schoolCode", school_name as "schoolName", province, coalesce(city, '') as city, level, is_medical as "isMedical"
    from school where status = 1 and not is_deleted and (${keyHolds(sql`search_key`, keyword)} or school_code = ${foldWidth(keyword)} or old_code = ${foldWidth(keyword)})
    order by starts_with(search_fold(school_name), ${searchWords(keyword)[0] ?? ''}) desc, is_medical desc, length(school_name), school_code limit ${mostSchools}`)

/** Which of these full names a school has or once had. */
export const findKnownNames = async (db: TenantDb, names: readonly string[]): Promise<ReadonlySet<string>> => {
  if (names.length === 0) return new Set()
  // Each half begins with an index: asked name by name, whether it exists, the planner reads every school instead.
  const rows = await db.all(sql<{ name: string }>`
    select school_name as name from school where school_name = any(${[...names]}::text[]) and status = 1 and not is_deleted
    union
    select former.name from school_former former join school s on s.tenant_id = former.tenant_id and s.id = former.school_id
    where former.name = any(${[...names]}::text[]) and s.status = 1 and not s.is_deleted`)
  return new Set(rows.map(row => row.name))
}

/** Name of a province by its code of two or six digits. */
export const findProvince = async (db: TenantDb, code: string): Promise<string | undefined> =>
  (await db.maybe(sql<{ name: string }>`select name from region where level = 1 and code = ${code.slice(0, 2).padEnd(6, '0')}`))?.name

/** Schools of a province, or all, by their codes: a condition and an order for a workbook. */
export const schoolsOf = (scope: RawBuilder<unknown> | undefined, province: string | undefined) => ({
  where: allOf([sql`not is_deleted`, scope, province !== undefined && sql`province = ${province}`]),
  order: sql`school_code`,
})
