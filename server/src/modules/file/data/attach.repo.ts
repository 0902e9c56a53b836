import type { TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'
import type { StoredFileRow } from './file.repo.ts'

export interface AttachRow {
  readonly id: string
  readonly originalName: string
  readonly name: string
  /** The kind of the content. */
  readonly extension: string
  readonly fileId: string
  readonly version: number
}
const columns = sql`id::text as id, original_name as "originalName", name, extension, file_id::text as "fileId", version`

export const lockAttach = (db: TenantDb, id: string): Promise<AttachRow | undefined> =>
  db.maybe(sql<AttachRow>`select ${columns} from attach where id = ${id} and not is_deleted for update`)

export const findAttachOf = (db: TenantDb, fileId: string): Promise<AttachRow | undefined> =>
  db.maybe(sql<AttachRow>`select ${columns} from attach where file_id = ${fileId} and not is_deleted`)

/** The file becomes an attachment: it is kept, and opened by whoever may open attachments. */
export const insertAttach = async (
  db: TenantDb,
  of: { readonly file: StoredFileRow; readonly originalName: string; readonly domainUrl: string; readonly uploader: string },
): Promise<AttachRow> => {
  const { file, originalName, domainUrl, uploader } = of
  const row = await db.one(sql<AttachRow>`
    insert into attach (tenant_id, original_name, name, domain_url, extension, attach_size, file_id, uploader, created_by, updated_by)
    values (${db.actor.tenantId}, ${originalName}, ${`${file.id}.${file.ext}`}, ${domainUrl}, ${file.ext}, ${Number(file.sizeBytes)}, ${file.id}, ${uploader}, ${db.actor.userId}, ${db.actor.userId})
    returning ${columns}`)
  await db.run(sql`update stored_file set owner_kind = 'attach', owner_id = ${row.id} where id = ${file.id}`)
  return row
}
export const renameAttach = async (db: TenantDb, row: AttachRow, originalName: string): Promise<void> => {
  await db.run(sql`
    update attach set original_name = ${originalName}, updated_at = app_now(), updated_by = ${db.actor.userId}, version = version + 1 where id = ${row.id}`)
  await db.run(sql`update stored_file set name = ${originalName} where id = ${row.fileId}`)
}
export const removeAttach = async (db: TenantDb, id: string): Promise<void> => {
  await db.run(sql`
    update attach set is_deleted = true, updated_at = app_now(), updated_by = ${db.actor.userId}, version = version + 1 where id = ${id}`)
}
