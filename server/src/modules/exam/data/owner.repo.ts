import type { TenantDb } from '#kernel/db/scope.ts'
import { byPinyin, sql } from '#kernel/db/sql.ts'

export interface OwnDepartment {
  readonly id: string
  readonly parentId: string
  readonly title: string
  readonly level: number
}
/** Departments that the caller reaches, each behind the one above it; all of them where nothing narrows. */
export const listOwnDepartments = (db: TenantDb): Promise<OwnDepartment[]> =>
  db.all(sql<OwnDepartment>`
    with recursive walk as (
      select d.id, d.parent_id, d.dept_name, 0 as level, array[d.sort, d.id] as place from dept d
        where d.parent_id = 0 and not d.is_deleted
      union all
      select d.id, d.parent_id, d.dept_name, w.level + 1, w.place || array[d.sort, d.id] from dept d join walk w on d.parent_id = w.id where not d.is_deleted)
    select id::text as id, parent_id::text as "parentId", dept_name as title, level from walk
    where app_departments() is null or id in (select app_departments_below()) order by place`)

/** Members of staff who may be named as managers of an examination. */
export const listManagers = (db: TenantDb): Promise<{ id: string; name: string; account: string }[]> =>
  db.all(sql<{ id: string; name: string; account: string }>`
    select a.id::text as id, a.real_name as name, a.account from account a
    where a.user_type = 1 and a.status = 1 and not a.is_deleted
      and exists (select 1 from account_role ar join role r on r.tenant_id = ar.tenant_id and r.id = ar.role_id and not r.is_deleted
        where ar.tenant_id = a.tenant_id and ar.user_id = a.id and r.role_alias = 'exam_admin')
    order by ${byPinyin(sql`a.real_name`)}, a.id limit 500`)

/** The names of departments of examinations, which may stand outside of what the reader reaches. */
export const departmentNames = async (db: TenantDb, ids: readonly (string | null)[]): Promise<ReadonlyMap<string, string>> => {
  const wanted = [...new Set(ids.filter(id => id !== null))]
  if (wanted.length === 0) return new Map()
  const rows = await db.all(
    sql<{ id: string; name: string }>`select id::text as id, dept_name as name from dept where id = any(${wanted}::bigint[])`,
  )
  return new Map(rows.map(row => [row.id, row.name]))
}
