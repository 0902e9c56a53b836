import type { TenantDb } from '#kernel/db/scope.ts'
import { likeText, sql } from '#kernel/db/sql.ts'

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

/** Schools by part of their name or by a code, new or old: names that begin with the word first, medical schools before others. */
export const findSchools = (db: TenantDb, keyword: string): Promise<SchoolRow[]> =>
  db.all(sql<SchoolRow>`
    select id::text as id, school_code as "schoolCode", school_name as "schoolName", province, coalesce(city, '') as city, level, is_medical as "isMedical"
    from school where status = 1 and not is_deleted and (search_text like ${likeText(keyword)} or school_code = ${keyword} or old_code = ${keyword})
    order by (school_name like ${likeText(keyword).slice(1)}) desc, is_medical desc, length(school_name), school_code limit ${mostSchools}`)

/** Which of these full names a school has or once had. */
export const findKnownNames = async (db: TenantDb, names: readonly string[]): Promise<ReadonlySet<string>> => {
  if (names.length === 0) return new Set()
  const rows = await db.all(sql<{ name: string }>`
    select n.name from unnest(${[...names]}::text[]) as n(name)
    where exists (select 1 from school where school_name = n.name and status = 1 and not is_deleted)
      or exists (select 1 from school where aliases @> to_jsonb(n.name) and status = 1 and not is_deleted)`)
  return new Set(rows.map(row => row.name))
}
