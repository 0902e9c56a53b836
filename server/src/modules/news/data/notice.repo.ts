import type { TenantDb } from '#kernel/db/scope.ts'
import { textHolds } from '#kernel/db/search.ts'
import { allOf, type RawBuilder, sql } from '#kernel/db/sql.ts'

/** Who reads: nobody known, a candidate, or a member of staff. */
export interface Reader {
  readonly userId: string
  readonly isStaff: boolean
}

export interface NoticeLine {
  readonly id: string
  readonly title: string
  readonly noticeType: number
  readonly scope: number
  readonly examId: string | null
  readonly releaseTime: Date
  readonly endTime: Date | null
  readonly isTop: boolean
  readonly popup: boolean
  readonly needSure: boolean
  readonly textVersion: number
  /** Begin of the text. */
  readonly head: string
}
export interface OwnLine extends NoticeLine {
  readonly readAt: Date | null
  readonly sureAt: Date | null
}
export interface NoticeText extends OwnLine {
  readonly content: string
  readonly examName: string | null
  readonly isReleased: boolean
  readonly signBegin: Date | null
  readonly signEnd: Date | null
  readonly contactPhone: string
}

const columns = sql`
  n.id::text as id, n.title, n.notice_type as "noticeType", n.scope, n.exam_id::text as "examId", n.release_time as "releaseTime", n.end_time as "endTime",
  n.is_top as "isTop", n.popup, n.need_sure as "needSure", n.text_version as "textVersion"`
const head = sql`left(n.content, 1500) as head`
/** Of the reader, where there is one. */
const ownMarks = (reader: Reader | undefined): RawBuilder<unknown> =>
  sql`left join notice_read r on r.notice_id = n.id and r.user_id = ${reader?.userId ?? null}::bigint`

/** Whom a notice is for, as far as the reader is one of them. Row security says the same of candidates. */
const isFor = (reader: Reader | undefined): RawBuilder<unknown> =>
  reader === undefined
    ? sql`n.scope = 1`
    : reader.isStaff
      ? sql`n.scope in (1, 2, 4)`
      : sql`(n.scope in (1, 2) or n.scope = 3 and exists (select 1 from signup s where s.exam_id = n.exam_id and s.user_id = ${reader.userId}
          and s.examine not in ('draft', 'withdrawn') and not s.is_deleted))`
const isOut = sql`not n.is_deleted and n.state = 1 and n.release_time <= app_now()`
/** Published to the reader. */
const shownTo = (reader: Reader | undefined): RawBuilder<unknown> => allOf([isOut, isFor(reader)])
/** Somebody is expected to read it: what is public and need not be confirmed is addressed to nobody. */
const isAddressed = sql`(n.scope <> 1 or n.need_sure)`
/** It waits for its reader, at most until its end. */
const waits = sql`(n.need_sure and r.sure_at is null or n.popup and r.read_at is null) and (n.end_time is null or n.end_time > app_now())`

export interface NoticeSearch {
  readonly noticeType?: number | undefined
  readonly examId?: string | undefined
  readonly keyword?: string | undefined
  readonly waiting: boolean
}

/** What is published to the reader: what stands on top first, then the newest. */
export const pageShown = async (
  db: TenantDb,
  reader: Reader | undefined,
  of: NoticeSearch,
  size: number,
  offset: number,
): Promise<{ rows: OwnLine[]; total: number }> => {
  const where = allOf([
    shownTo(reader),
    of.noticeType !== undefined && sql`n.notice_type = ${of.noticeType}`,
    of.examId !== undefined && sql`n.exam_id = ${of.examId}`,
    of.keyword !== undefined && of.keyword !== '' && textHolds(sql`n.title`, of.keyword),
    of.waiting && waits,
  ])
  const rows = await db.all(sql<OwnLine>`
    select ${columns}, ${head}, r.read_at as "readAt", r.sure_at as "sureAt" from notice n ${ownMarks(reader)} where ${where}
    order by (n.is_top and (n.end_time is null or n.end_time > app_now())) desc, n.release_time desc, n.id desc limit ${size} offset ${offset}`)
  const { total } = await db.one(sql<{ total: number }>`select count(*)::int as total from notice n ${ownMarks(reader)} where ${where}`)
  return { rows, total }
}

export const findShown = (db: TenantDb, reader: Reader | undefined, id: string): Promise<NoticeText | undefined> =>
  db.maybe(sql<NoticeText>`
    select ${columns}, '' as head, n.content, r.read_at as "readAt", r.sure_at as "sureAt", e.exam_name as "examName",
      coalesce(e.state = 'released', false) as "isReleased", e.sign_begin as "signBegin", e.sign_end as "signEnd",
      coalesce(e.contact_phone, '') as "contactPhone"
    from notice n ${ownMarks(reader)} left join examination e on e.id = n.exam_id and e.state <> 'draft' and not e.is_deleted
    where n.id = ${id} and ${shownTo(reader)}`)

/** One that was withdrawn, to whom it had been published. A candidate's own role sees none of them. */
export const findWithdrawn = (
  db: TenantDb,
  reader: Reader | undefined,
  id: string,
): Promise<{ readonly title: string; readonly at: Date; readonly phone: string } | undefined> =>
  db.maybe(sql<{ title: string; at: Date; phone: string }>`
    select n.title, n.withdrawn_time as at, coalesce(e.contact_phone, '') as phone
    from notice n left join examination e on e.id = n.exam_id and not e.is_deleted where n.id = ${id} and n.state <> 1 and n.withdrawn_time is not null and not n.is_deleted and ${isFor(reader)}`)

export const isShown = async (db: TenantDb, reader: Reader | undefined, id: string): Promise<boolean> =>
  (await db.maybe(sql`select 1 from notice n where n.id = ${id} and ${shownTo(reader)}`)) !== undefined

/** Whether whoever asks finds a row among those they work on: row security and this condition narrow them. */
export const isThere = async (
  db: TenantDb,
  table: 'notice' | 'news',
  id: string,
  within: RawBuilder<unknown> | undefined,
): Promise<boolean> =>
  (await db.maybe(sql`select 1 from ${sql.table(table)} where ${allOf([sql`id = ${id} and not is_deleted`, within])}`)) !== undefined

/** What is public, with what will be: the newest, and all that stands on top. */
export const listPublic = (db: TenantDb, most: number): Promise<NoticeLine[]> =>
  db.all(sql<NoticeLine>`
    select ${columns}, ${head} from notice n
    where not n.is_deleted and n.state = 1 and n.scope = 1 order by n.is_top desc, n.release_time desc, n.id desc limit ${most}`)

/** The first of the notices that are addressed to the reader, with the numbers of all. */
export const latestOwn = (
  db: TenantDb,
  reader: Reader,
  count: number,
): Promise<(OwnLine & { isUnread: boolean; total: number; unread: number })[]> =>
  db.all(sql<OwnLine & { isUnread: boolean; total: number; unread: number }>`
    select ${columns}, ${head}, r.read_at as "readAt", r.sure_at as "sureAt", r.read_at is null and ${isAddressed} as "isUnread", count(*) over ()::int as total,
      count(*) filter (where r.read_at is null and ${isAddressed}) over ()::int as unread
    from notice n ${ownMarks(reader)} where ${shownTo(reader)}
    order by (n.need_sure and r.sure_at is null and (n.end_time is null or n.end_time > app_now())) desc, n.release_time desc, n.id desc limit ${count}`)

export const countUnread = async (db: TenantDb, reader: Reader): Promise<number> =>
  (
    await db.one(sql<{ n: number }>`
      select count(*)::int as n from notice n ${ownMarks(reader)} where ${shownTo(reader)} and ${isAddressed} and r.read_at is null`)
  ).n

/** Marks notices as read by the reader: those named, or all that are addressed to them. */
export const markRead = async (db: TenantDb, reader: Reader, ids: readonly string[] | undefined): Promise<void> => {
  await db.run(sql`
    insert into notice_read (tenant_id, notice_id, user_id, read_at)
    select n.tenant_id, n.id, ${reader.userId}, app_now() from notice n ${ownMarks(reader)}
    where ${shownTo(reader)} and r.read_at is null and ${ids === undefined ? isAddressed : sql`n.id = any(${[...ids]}::bigint[])`}
    on conflict (tenant_id, notice_id, user_id) do update set read_at = coalesce(notice_read.read_at, excluded.read_at)`)
}

/** @returns when the reader confirmed it, now or before; undefined where there is none for them to confirm */
export const confirm = async (db: TenantDb, reader: Reader, id: string): Promise<Date | undefined> =>
  (
    await db.maybe(sql<{ sureAt: Date }>`
      insert into notice_read (tenant_id, notice_id, user_id, read_at, sure_at)
      select n.tenant_id, n.id, ${reader.userId}, app_now(), app_now() from notice n where n.id = ${id} and n.need_sure and ${shownTo(reader)}
      on conflict (tenant_id, notice_id, user_id) do update
        set read_at = coalesce(notice_read.read_at, excluded.read_at), sure_at = coalesce(notice_read.sure_at, excluded.sure_at)
      returning sure_at as "sureAt"`)
  )?.sureAt

/** Two conditions where there are two. */
export const bothOf = (one: RawBuilder<unknown> | undefined, other: RawBuilder<unknown> | undefined): RawBuilder<unknown> | undefined =>
  one && other ? allOf([one, other]) : (one ?? other)

/** Version of its present text where it is there for whoever asks; row security says so of those who are narrowed to departments. */
export const findTextVersion = async (db: TenantDb, id: string): Promise<number | undefined> =>
  (await db.maybe(sql<{ version: number }>`select text_version as version from notice where id = ${id} and not is_deleted`))?.version
/** Of files: those of such notices. */
export const ofReachedNotice: RawBuilder<unknown> = sql`notice_id in (select n.id from notice n where not n.is_deleted)`

/** Rows of the noun that somebody sees who may not publish: what is published, and their own. */
export const ownOrPublished = (userId: string): RawBuilder<unknown> => sql`(state = 1 or created_by = ${userId})`

/** A notice as those who work on it move it. */
export interface NoticeFacts {
  readonly id: string
  readonly title: string
  readonly state: number
  readonly noticeType: number
  readonly scope: number
  readonly examId: string | null
  readonly needSure: boolean
  readonly isTop: boolean
  readonly releaseTime: Date | null
  readonly endTime: Date | null
  readonly remindedAt: Date | null
  /** Set where it had been out. */
  readonly withdrawnAt: Date | null
  readonly textVersion: number
  readonly version: number
}
/** @param scope - the rows that the caller's data scopes leave; undefined = all */
export const lockNotice = (db: TenantDb, id: string, scope: RawBuilder<unknown> | undefined): Promise<NoticeFacts | undefined> =>
  db.maybe(sql<NoticeFacts>`
    select id::text as id, title, state, notice_type as "noticeType", scope, exam_id::text as "examId", need_sure as "needSure", is_top as "isTop",
      release_time as "releaseTime", end_time as "endTime", reminded_time as "remindedAt", withdrawn_time as "withdrawnAt", text_version as "textVersion", version
    from notice where id = ${id} and not is_deleted and ${scope ?? sql`true`} for update`)

const touched = (db: TenantDb) => sql`version = version + 1, updated_at = app_now(), updated_by = ${db.actor.userId}`

/** Of a notice or news: state with what goes with it. */
export const setState = async (
  db: TenantDb,
  table: 'notice' | 'news',
  id: string,
  to: { readonly state: number; readonly releaseTime: Date | null; readonly withdrawnAt: Date | null; readonly reason: string | null },
): Promise<void> => {
  await db.run(sql`
    update ${sql.table(table)} set state = ${to.state}, release_time = ${to.releaseTime}, withdrawn_time = ${to.withdrawnAt}, withdraw_reason = ${to.reason},
      ${touched(db)} where id = ${id}`)
}
export const setTop = async (db: TenantDb, id: string, isTop: boolean): Promise<void> => {
  await db.run(sql`update notice set is_top = ${isTop}, ${touched(db)} where id = ${id}`)
}
export const noteReminded = async (db: TenantDb, id: string): Promise<void> => {
  await db.run(sql`update notice set reminded_time = app_now() where id = ${id}`)
}

export const insertNotice = async (
  db: TenantDb,
  of: {
    readonly title: string
    readonly content: string
    readonly noticeType: number
    readonly examId: string
    readonly endTime: Date | null
  },
): Promise<string> =>
  (
    await db.one(sql<{ id: string }>`
      insert into notice (tenant_id, title, content, notice_type, exam_id, end_time, created_by, updated_by)
      values (${db.actor.tenantId}, ${of.title}, ${of.content}, ${of.noticeType}, ${of.examId}, ${of.endTime}, ${db.actor.userId}, ${db.actor.userId}) returning id::text as id`)
  ).id

export const authorOf = async (db: TenantDb, id: string): Promise<string | null> =>
  (await db.maybe(sql<{ by: string | null }>`select created_by::text as by from notice where id = ${id}`))?.by ?? null
