import type { TenantDb } from '#kernel/db/scope.ts'
import { allOf, type RawBuilder, sql } from '#kernel/db/sql.ts'

export interface NoticeFileRow {
  readonly id: string
  readonly noticeId: string
  readonly fileId: string
  readonly name: string
  readonly size: number
  readonly downCount: number
}
const columns = sql`id::text as id, notice_id::text as "noticeId", file_id::text as "fileId", name, size, down_count as "downCount"`

export const listFiles = (db: TenantDb, noticeId: string): Promise<NoticeFileRow[]> =>
  db.all(sql<NoticeFileRow>`select ${columns} from notice_file where notice_id = ${noticeId} and not is_deleted order by sort, id`)

/** The same as far as data scopes leave the files and their notice. */
export const listFilesWithin = (
  db: TenantDb,
  noticeId: string,
  scope: { readonly files: RawBuilder<unknown> | undefined; readonly notice: RawBuilder<unknown> | undefined },
): Promise<NoticeFileRow[]> =>
  db.all(sql<NoticeFileRow>`
    select ${columns} from notice_file
    where ${allOf([sql`notice_id = ${noticeId} and not is_deleted`, scope.files])}
      and notice_id in (select id from notice where ${allOf([sql`not is_deleted`, scope.notice])}) order by sort, id`)

export const findNoticeFile = (db: TenantDb, id: string): Promise<NoticeFileRow | undefined> =>
  db.maybe(sql<NoticeFileRow>`select ${columns} from notice_file where id = ${id} and not is_deleted`)

export const insertFile = async (
  db: TenantDb,
  of: { readonly noticeId: string; readonly fileId: string; readonly name: string; readonly size: number },
): Promise<void> => {
  await db.run(sql`
    insert into notice_file (tenant_id, notice_id, file_id, name, size, sort, created_by, updated_by)
    select ${db.actor.tenantId}, ${of.noticeId}, ${of.fileId}, ${of.name}, ${of.size}, coalesce(max(sort), 0) + 1, ${db.actor.userId}, ${db.actor.userId}
    from notice_file where notice_id = ${of.noticeId} and not is_deleted`)
}

/** @returns how many of them the notice had */
export const removeFiles = (db: TenantDb, noticeId: string, ids: readonly string[]): Promise<number> =>
  db.run(sql`
    update notice_file set is_deleted = true, updated_at = app_now(), updated_by = ${db.actor.userId}, version = version + 1
    where notice_id = ${noticeId} and id = any(${[...ids]}::bigint[]) and not is_deleted`)

export const countDownload = async (db: TenantDb, id: string): Promise<void> => {
  await db.run(sql`update notice_file set down_count = down_count + 1 where id = ${id}`)
}
