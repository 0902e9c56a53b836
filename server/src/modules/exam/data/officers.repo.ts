import type { TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'

/** Who of the office is told what concerns an examination: those who run it, or the administrators who decide. */
export const listOfficers = async (db: TenantDb, examId: string, role: 'exam_admin' | 'admin' = 'exam_admin'): Promise<string[]> =>
  (
    await db.all(sql<{ id: string }>`
      select a.id::text as id from examination e
      join account a on a.tenant_id = e.tenant_id and a.user_type = 1 and a.status = 1 and not a.is_deleted
      left join dept d on d.tenant_id = e.tenant_id and d.id = e.dept_id
      where e.id = ${examId} and exists (select 1 from account_role ar join role r on r.tenant_id = ar.tenant_id and r.id = ar.role_id and not r.is_deleted
          where ar.tenant_id = a.tenant_id and ar.user_id = a.id and r.role_alias = ${role})
        and (e.dept_id is null or e.managers ? a.id::text or a.dept_ids is null or a.dept_ids && (d.ancestor_ids || d.id)) order by a.id`)
  ).map(({ id }) => id)
