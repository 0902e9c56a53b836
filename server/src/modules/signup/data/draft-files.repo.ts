import type { TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'

/** Which of these files stand in a sign-up of their owner, sent or not, as it is or as it was: in its form, among its papers, as its photo or signature. */
export const filesNamedInSignups = async (db: TenantDb, ids: readonly string[]): Promise<string[]> =>
  (
    await db.all(sql<{ id: string }>`
      select f.id::text as id from stored_file f
      where f.tenant_id = ${db.actor.tenantId} and f.id = any(${[...ids]}::bigint[]) and (
        exists (select 1 from signup_draft d where d.tenant_id = f.tenant_id and d.user_id = f.user_id and d.data::text like '%' || f.id || '%')
        or exists (
          select 1 from signup_history h where h.tenant_id = f.tenant_id and h.user_id = f.user_id
            and (h.files::text like '%' || f.id || '%' or h.content::text like '%' || f.id || '%'))
        or exists (
          select 1 from signup s where s.tenant_id = f.tenant_id and s.user_id = f.user_id
            and (f.id in (s.photo_file_id, s.signature_file_id) or s.files::text like '%' || f.id || '%' or s.content::text like '%' || f.id || '%')))`)
  ).map(({ id }) => id)
