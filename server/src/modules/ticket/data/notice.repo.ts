import { type HealthKind, healthKinds } from '#contract/ticket/health-kinds.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'

export interface NoticeRow {
  readonly id: string
  readonly examId: string
  readonly itemId: string
  readonly title: string
  readonly content: string
  readonly downBegin: Date | null
  readonly downEnd: Date | null
  readonly needRead: boolean
  readonly readSeconds: number
  readonly isUpload: boolean
  readonly uploadKinds: readonly string[]
  readonly uploadHours: number
  readonly needPromise: boolean
  readonly version: number
}

const columns = sql`
  n.id::text as id, n.exam_id::text as "examId", n.item_id::text as "itemId", n.title, n.content, n.down_begin as "downBegin", n.down_end as "downEnd",
  n.need_read as "needRead", n.read_seconds as "readSeconds", n.is_upload as "isUpload", n.upload_kinds as "uploadKinds", n.upload_hours as "uploadHours",
  n.need_promise as "needPromise", n.version`

/** The notice of a paper, else that of the whole examination. */
export const findNotice = (db: TenantDb, examId: string, itemId = '0'): Promise<NoticeRow | undefined> =>
  db.maybe(sql<NoticeRow>`
    select ${columns} from ticket_notice n where n.exam_id = ${examId} and n.item_id in (${itemId}, 0) order by n.item_id desc limit 1`)

export const isNoticeRead = async (db: TenantDb, examId: string, userId: string): Promise<boolean> =>
  (await db.maybe(sql`select 1 from ticket_notice_read where exam_id = ${examId} and user_id = ${userId}`)) !== undefined

/** @returns false when it had been read before */
export const markNoticeRead = async (db: TenantDb, examId: string, userId: string): Promise<boolean> =>
  (await db.run(sql`
    insert into ticket_notice_read (tenant_id, exam_id, user_id) values (${db.actor.tenantId}, ${examId}, ${userId}) on conflict do nothing`)) >
  0

/** The kinds of health documents that a candidate has sent for an examination. */
export const listHealthKinds = async (db: TenantDb, examId: string, userId: string): Promise<HealthKind[]> => {
  const row = await db.maybe(sql<Record<HealthKind, boolean>>`
    select health_code_file_id is not null as jkm, travel_code_file_id is not null as xcm, test_report_file_id is not null as hsjcbg
    from ticket_health where exam_id = ${examId} and user_id = ${userId} order by id desc limit 1`)
  return row === undefined ? [] : (Object.keys(healthKinds) as HealthKind[]).filter(kind => row[kind])
}

/** Health documents of the kinds asked for are there. */
export const isHealthUploaded = async (db: TenantDb, examId: string, userId: string, kinds: readonly string[]): Promise<boolean> => {
  const sent: readonly string[] = await listHealthKinds(db, examId, userId)
  return kinds.every(kind => sent.includes(kind))
}

/** @returns false when somebody else changed it since `version` was read */
export const saveNotice = async (db: TenantDb, notice: Omit<NoticeRow, 'id' | 'version'>, version: number | undefined): Promise<boolean> =>
  (await db.run(sql`
    insert into ticket_notice (tenant_id, exam_id, item_id, title, content, down_begin, down_end, need_read, read_seconds, is_upload, upload_kinds, upload_hours, need_promise, updated_by)
    values (${db.actor.tenantId}, ${notice.examId}, ${notice.itemId}, ${notice.title}, ${notice.content}, ${notice.downBegin}, ${notice.downEnd}, ${notice.needRead},
      ${notice.readSeconds}, ${notice.isUpload}, ${JSON.stringify(notice.uploadKinds)}, ${notice.uploadHours}, ${notice.needPromise}, ${db.actor.userId})
    on conflict (tenant_id, exam_id, item_id) do update set title = excluded.title, content = excluded.content, down_begin = excluded.down_begin,
      down_end = excluded.down_end, need_read = excluded.need_read, read_seconds = excluded.read_seconds, is_upload = excluded.is_upload,
      upload_kinds = excluded.upload_kinds, upload_hours = excluded.upload_hours, need_promise = excluded.need_promise, updated_by = excluded.updated_by,
      updated_at = app_now(), version = ticket_notice.version + 1
    where ${version ?? null}::int is null or ticket_notice.version = ${version ?? null}`)) === 1

/** Whoever read the former rules has not read these. */
export const forgetReading = async (db: TenantDb, examId: string): Promise<void> => {
  await db.run(sql`delete from ticket_notice_read where exam_id = ${examId}`)
}

export interface HealthFiles {
  readonly jkm: string | null
  readonly xcm: string | null
  readonly hsjcbg: string | null
}
/** A further row; the latest counts, and it keeps what was not sent again. */
export const insertHealth = (
  db: TenantDb,
  of: { examId: string; itemId: string; userId: string; files: HealthFiles; issuedAt: Date; ip: string },
): Promise<number> =>
  db.run(sql`
    insert into ticket_health (tenant_id, exam_id, item_id, user_id, ip, report_time, health_code_file_id, travel_code_file_id, test_report_file_id)
    select ${db.actor.tenantId}, ${of.examId}, ${of.itemId}, ${of.userId}, ${of.ip}, ${of.issuedAt}, coalesce(${of.files.jkm}::bigint, l.jkm), coalesce(${of.files.xcm}::bigint, l.xcm),
      coalesce(${of.files.hsjcbg}::bigint, l.hsjcbg)
    from (select 1) one left join lateral (
      select health_code_file_id as jkm, travel_code_file_id as xcm, test_report_file_id as hsjcbg
      from ticket_health where exam_id = ${of.examId} and user_id = ${of.userId} order by id desc limit 1) l on true`)
