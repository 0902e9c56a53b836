import { nameWords } from '#contract/person/person-name.ts'
import type { RecheckState } from '#contract/result/recheck.state.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { codeHolds, wordsLike } from '#kernel/db/search.ts'
import { allOf, sql } from '#kernel/db/sql.ts'

export interface RecheckWindow {
  readonly begins: Date
  readonly ends: Date
  readonly version: number
}
export const findWindow = (db: TenantDb, examId: string): Promise<RecheckWindow | undefined> =>
  db.maybe(sql<RecheckWindow>`select begins, ends, version from score_recheck_window where exam_id = ${examId}`)

/** @returns undefined when somebody else changed it since `version` was read */
export const saveWindow = (
  db: TenantDb,
  of: { readonly examId: string; readonly begins: Date; readonly ends: Date; readonly version: number | undefined },
): Promise<{ version: number } | undefined> =>
  db.maybe(sql<{ version: number }>`
    insert into score_recheck_window (tenant_id, exam_id, begins, ends, updated_by)
    values (${db.actor.tenantId}, ${of.examId}, ${of.begins}, ${of.ends}, ${db.actor.userId})
    on conflict (tenant_id, exam_id) do update set begins = excluded.begins, ends = excluded.ends, updated_by = excluded.updated_by,
      updated_at = app_now(), version = score_recheck_window.version + 1
    where ${of.version ?? null}::int is null or score_recheck_window.version = ${of.version ?? null}
    returning version`)

export interface OwnPaper {
  readonly itemId: string
  readonly itemName: string
  readonly resultId: string
  readonly score: string | null
  readonly state: RecheckState | null
  readonly reason: string | null
  readonly askedAt: Date | null
  readonly answer: string | null
  readonly answeredAt: Date | null
}
/** The released papers of one person with what was asked about them. */
export const listOwnPapers = (db: TenantDb, signupId: string): Promise<OwnPaper[]> =>
  db.all(sql<OwnPaper>`
    select r.item_id::text as "itemId", i.item_name as "itemName", r.id::text as "resultId", r.score::text as score, q.state, q.reason,
      q.created_at as "askedAt", q.answer, q.answered_at as "answeredAt"
    from result r join exam_item i on i.id = r.item_id
    left join score_recheck q on q.exam_id = r.exam_id and q.item_id = r.item_id and q.signup_id = r.signup_id
    where r.signup_id = ${signupId} and r.released and not r.is_deleted order by i.sort, i.item_code`)

/** @returns undefined when the paper was asked about already */
export const addRecheck = (
  db: TenantDb,
  of: {
    readonly examId: string
    readonly itemId: string
    readonly signupId: string
    readonly resultId: string
    readonly score: string | null
    readonly reason: string
  },
): Promise<{ id: string } | undefined> =>
  db.maybe(sql<{ id: string }>`
    insert into score_recheck (tenant_id, exam_id, item_id, signup_id, user_id, result_id, reason, asked_score)
    values (${db.actor.tenantId}, ${of.examId}, ${of.itemId}, ${of.signupId}, ${db.actor.userId}, ${of.resultId}, ${of.reason}, ${of.score})
    on conflict (tenant_id, exam_id, item_id, signup_id) do nothing returning id::text as id`)

export interface RecheckFilter {
  readonly examId: string
  readonly itemId?: string | undefined
  readonly state?: RecheckState | undefined
  readonly keyword?: string | undefined
}
export interface RecheckRow {
  readonly id: string
  readonly examId: string
  readonly userId: string
  readonly itemName: string
  readonly resultId: string
  readonly ticketNo: string
  readonly name: string
  readonly reason: string
  readonly askedScore: string | null
  readonly score: string | null
  readonly state: RecheckState
  readonly askedAt: Date
  readonly answer: string | null
  readonly answeredBy: string | null
  readonly answeredAt: Date | null
  readonly version: number
}
const rows = sql`
  from score_recheck q join exam_item i on i.id = q.item_id join result r on r.id = q.result_id left join account a on a.id = q.answered_by`
const columns = sql`
  q.id::text as id, q.exam_id::text as "examId", q.user_id::text as "userId", i.item_name as "itemName", q.result_id::text as "resultId",
  r.ticket_no as "ticketNo", r.name, q.reason, q.asked_score::text as "askedScore", r.score::text as score, q.state, q.created_at as "askedAt",
  q.answer, a.real_name as "answeredBy", q.answered_at as "answeredAt", q.version`
const where = (filter: RecheckFilter) =>
  allOf([
    sql`q.exam_id = ${filter.examId}`,
    filter.itemId !== undefined && sql`q.item_id = ${filter.itemId}`,
    filter.state !== undefined && sql`q.state = ${filter.state}`,
    filter.keyword !== undefined &&
      sql`(${wordsLike(sql`r.name`, nameWords(filter.keyword))} or ${codeHolds(sql`r.ticket_no`, filter.keyword)})`,
  ])
export const pageRechecks = async (db: TenantDb, filter: RecheckFilter, size: number, offset: number) => ({
  total: (await db.one(sql<{ total: number }>`select count(*)::int as total ${rows} where ${where(filter)}`)).total,
  rows: await db.all(sql<RecheckRow>`
    select ${columns} ${rows} where ${where(filter)} order by q.state <> 'asked', q.id limit ${size} offset ${offset}`),
})
export const countWaiting = async (db: TenantDb, examId: string): Promise<number> =>
  (await db.one(sql<{ count: number }>`select count(*)::int as count from score_recheck where exam_id = ${examId} and state = 'asked'`))
    .count

/** Holds a request until the transaction ends. */
export const lockRecheck = async (db: TenantDb, id: string): Promise<RecheckRow | undefined> => {
  const held = await db.maybe(sql`select 1 from score_recheck where id = ${id} for update`)
  return held === undefined ? undefined : db.maybe(sql<RecheckRow>`select ${columns} ${rows} where q.id = ${id}`)
}
