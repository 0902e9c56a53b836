import type { PlatformDb, TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'

export interface TenantPicture {
  readonly mime: string
  readonly bytes: Buffer
}

export const savePicture = async (
  db: PlatformDb,
  at: { readonly tenantId: string; readonly kind: string },
  { mime, bytes }: TenantPicture,
  userId: string,
): Promise<void> => {
  await db.run(sql`
    insert into tenant_picture (tenant_id, kind, mime, bytes, updated_by) values (${at.tenantId}, ${at.kind}, ${mime}, ${bytes}, ${userId})
    on conflict (tenant_id, kind) do update set mime = excluded.mime, bytes = excluded.bytes, updated_by = excluded.updated_by, updated_at = app_now()`)
}
export const removePicture = async (db: PlatformDb, at: { readonly tenantId: string; readonly kind: string }): Promise<void> => {
  await db.run(sql`delete from tenant_picture where tenant_id = ${at.tenantId} and kind = ${at.kind}`)
}
/** Of a tenant that is there and not in the recycle bin. */
export const findPicture = (db: TenantDb, kind: string): Promise<TenantPicture | undefined> =>
  db.maybe(sql<TenantPicture>`
    select p.mime, p.bytes from tenant_picture p join tenant t on t.tenant_id = p.tenant_id
    where p.kind = ${kind} and t.status = 1 and not t.is_deleted`)
