import type { PlatformDb, TenantDb } from '#kernel/db/scope.ts'
import { textHolds } from '#kernel/db/search.ts'
import { allOf, type RawBuilder, sql } from '#kernel/db/sql.ts'

/** Of the addressees of something: 1 has not read, 2 has read, 3 has not confirmed, 4 has confirmed. */
export type ReadState = 1 | 2 | 3 | 4
const readStates: Readonly<Record<ReadState, RawBuilder<unknown>>> = {
  1: sql`r.read_at is null`,
  2: sql`r.read_at is not null`,
  3: sql`r.sure_at is null`,
  4: sql`r.sure_at is not null`,
}
const stateOf = (state: number | undefined) => state !== undefined && readStates[state as ReadState]
const personColumns = sql`a.id::text as "userId", a.account, a.real_name as "realName", coalesce(a.phone_mask, '') as phone`

export interface NoticeReadRow {
  readonly id: string
  readonly noticeId: string
  readonly title: string
  readonly textVersion: number
  readonly userId: string
  readonly account: string
  readonly realName: string
  readonly phone: string
  readonly readAt: Date | null
  readonly sureAt: Date | null
}
export interface NoticeReadSearch {
  readonly noticeId: string
  /** A former version of the text, of which those are listed who had read it; undefined for the present one. */
  readonly formerVersion: number | undefined
  readonly state?: number | undefined
  readonly keyword?: string | undefined
  readonly userId?: string | undefined
  /** People that the reader's data scopes leave, as a condition on accounts; undefined when they leave all. */
  readonly people?: RawBuilder<unknown> | undefined
}
const noticeReadWhere = ({ noticeId, formerVersion, state, keyword, userId, people }: NoticeReadSearch): RawBuilder<unknown> =>
  allOf([
    people,
    sql`r.notice_id = ${noticeId}`,
    formerVersion !== undefined && sql`r.text_version = ${formerVersion}`,
    stateOf(state),
    userId !== undefined && sql`r.user_id = ${userId}`,
    keyword !== undefined && keyword !== '' && textHolds(sql`a.real_name`, keyword),
  ])
/** Accounts are looked up where they are searched or narrowed; else the rows alone answer. */
const searched = ({ keyword, people }: Pick<NoticeReadSearch, 'keyword' | 'people'>) =>
  keyword || people ? sql`join account a on a.id = r.user_id` : sql``

const readTable = (of: NoticeReadSearch) => sql.table(of.formerVersion === undefined ? 'notice_read' : 'notice_read_former')
const noticeReadColumns = (isFormer: boolean) => sql`
  r.id::text as id, r.notice_id::text as "noticeId", ${isFormer ? sql`r.title, r.text_version` : sql`n.title, n.text_version`} as "textVersion",
  ${personColumns}, r.read_at as "readAt", r.sure_at as "sureAt"`

/** In the order in which people were addressed; `after` continues behind that row. */
export const listNoticeReads = (
  db: TenantDb,
  of: NoticeReadSearch,
  page: { readonly size: number; readonly offset: number; readonly after?: string | undefined },
): Promise<NoticeReadRow[]> =>
  db.all(sql<NoticeReadRow>`
    select ${noticeReadColumns(of.formerVersion !== undefined)}
    from (select r.* from ${readTable(of)} r ${searched(of)} where ${noticeReadWhere(of)} ${page.after === undefined ? sql`` : sql`and r.id > ${page.after}`}
      order by r.id limit ${page.size} offset ${page.offset}) r
    join notice n on n.id = r.notice_id join account a on a.id = r.user_id order by r.id`)
export const countNoticeReads = async (db: TenantDb, of: NoticeReadSearch, cap?: number): Promise<number> => {
  const from = sql`${readTable(of)} r ${searched(of)} where ${noticeReadWhere(of)}`
  const counted = cap === undefined ? from : sql`(select 1 from ${from} limit ${cap + 1}) counted`
  return (await db.one(sql<{ n: number }>`select count(*)::int as n from ${counted}`)).n
}
export const findNoticeRead = (db: TenantDb, id: string, people: RawBuilder<unknown> | undefined): Promise<NoticeReadRow | undefined> =>
  db.maybe(sql<NoticeReadRow>`
    select ${noticeReadColumns(false)}
    from notice_read r join notice n on n.id = r.notice_id join account a on a.id = r.user_id where ${allOf([sql`r.id = ${id}`, people])}`)

export interface Readers {
  readonly textVersion: number
  readonly addressees: number
  readonly readCount: number
  readonly sureCount: number
}
/** How many a notice is addressed to, have read its present text and have confirmed it, by notice. */
export const countReaders = async (db: TenantDb, noticeIds: readonly string[]): Promise<ReadonlyMap<string, Readers>> => {
  const rows = await db.all(sql<Readers & { id: string }>`
    select n.id::text as id, n.text_version as "textVersion", count(r.id)::int as addressees, count(r.read_at)::int as "readCount", count(r.sure_at)::int as "sureCount"
    from notice n left join notice_read r on r.notice_id = n.id where n.id = any(${[...noticeIds]}::bigint[]) group by n.id, n.text_version`)
  return new Map(rows.map(({ id, ...counts }) => [id, counts]))
}

/**
 * Makes a row for everybody a published notice is addressed to and who has none yet: those who are logged in are the candidates, those who signed up the
 * owners of sign-ups, staff all staff. @returns how many were new
 */
export const addressNotice = (db: TenantDb, noticeId: string): Promise<number> =>
  db.run(sql`
    insert into notice_read (tenant_id, notice_id, user_id)
    select n.tenant_id, n.id, a.id from notice n
    join account a on a.tenant_id = n.tenant_id and a.status in (1, 4) and not a.is_deleted and a.user_type = case n.scope when 4 then 1 else 2 end
    where n.id = ${noticeId} and n.state = 1 and not n.is_deleted and (n.scope <> 1 or n.need_sure)
      and (n.scope <> 3 or exists (select 1 from signup s where s.exam_id = n.exam_id and s.user_id = a.id and s.examine not in ('draft', 'withdrawn') and not s.is_deleted))
    order by a.id
    on conflict do nothing`)

/** Notices whose addressees may still grow, of every tenant: published, and not over. */
export const listLive = (db: PlatformDb): Promise<{ readonly tenantId: string; readonly id: string }[]> =>
  db.all(sql<{ tenantId: string; id: string }>`
    select tenant_id as "tenantId", id::text as id from notice
    where state = 1 and not is_deleted and (scope <> 1 or need_sure) and coalesce(end_time, release_time + interval '60 days') > app_now() order by 1, 2`)

/** Whom a reminder goes to, in batches: those who have not confirmed what must be, else those who have not read. */
export const listWaiting = (db: TenantDb, noticeId: string, needSure: boolean, after: string, size: number) =>
  db.all(sql<{ id: string; userId: string }>`
    select r.id::text as id, r.user_id::text as "userId" from notice_read r
    where r.notice_id = ${noticeId} and ${needSure ? readStates[3] : readStates[1]} and r.id > ${after} order by r.id limit ${size}`)

export interface NotifyReadRow {
  readonly id: string
  readonly examId: string | null
  readonly kind: number
  readonly titleZh: string
  readonly titleEn: string
  readonly needSure: boolean
  readonly userId: string
  readonly account: string
  readonly realName: string
  readonly phone: string
  readonly createdAt: Date
  readonly readAt: Date | null
  readonly sureAt: Date | null
}
export interface NotifyReadSearch {
  readonly ids?: readonly string[] | undefined
  readonly userId?: string | undefined
  readonly examId?: string | undefined
  readonly kind?: number | undefined
  readonly needSure?: boolean | undefined
  readonly state?: number | undefined
  readonly keyword?: string | undefined
  /** As for notices. */
  readonly people?: RawBuilder<unknown> | undefined
}
/** Messages about an examination that the reader reaches: others are between the program and their addressee. */
const notifyReadWhere = (of: NotifyReadSearch): RawBuilder<unknown> =>
  allOf([
    sql`r.exam_id in (select e.id from examination e)`,
    of.people,
    of.ids !== undefined && sql`r.id = any(${[...of.ids]}::bigint[])`,
    of.userId !== undefined && sql`r.user_id = ${of.userId}`,
    of.examId !== undefined && sql`r.exam_id = ${of.examId}`,
    of.kind !== undefined && sql`r.kind = ${of.kind}`,
    of.needSure !== undefined && sql`r.need_sure = ${of.needSure}`,
    stateOf(of.state),
    // What need not be confirmed waits for nobody.
    of.state === 3 && sql`r.need_sure`,
    of.keyword !== undefined && of.keyword !== '' && textHolds(sql`a.real_name`, of.keyword),
  ])
export const listNotifyReads = (
  db: TenantDb,
  of: NotifyReadSearch,
  page: { readonly size: number; readonly offset: number; readonly before?: string | undefined },
): Promise<NotifyReadRow[]> =>
  db.all(sql<NotifyReadRow>`
    select r.id::text as id, r.exam_id::text as "examId", r.kind, r.title_zh as "titleZh", r.title_en as "titleEn", r.need_sure as "needSure", ${personColumns},
      r.created_at as "createdAt", r.read_at as "readAt", r.sure_at as "sureAt"
    from (select r.* from notify r ${searched(of)} where ${notifyReadWhere(of)} ${page.before === undefined ? sql`` : sql`and r.id < ${page.before}`}
      order by r.id desc limit ${page.size} offset ${page.offset}) r
    join account a on a.id = r.user_id order by r.id desc`)
export const countNotifyReads = async (db: TenantDb, of: NotifyReadSearch, cap?: number): Promise<number> => {
  const from = sql`notify r ${searched(of)} where ${notifyReadWhere(of)}`
  const counted = cap === undefined ? from : sql`(select 1 from ${from} limit ${cap + 1}) counted`
  return (await db.one(sql<{ n: number }>`select count(*)::int as n from ${counted}`)).n
}
