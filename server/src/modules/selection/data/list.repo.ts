import { nameWords } from '#contract/person/person-name.ts'
import type { CallState } from '#contract/selection/selection.state.ts'
import { stage as stages } from '#contract/selection/words.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { wordsLike } from '#kernel/db/search.ts'
import { allOf, type RawBuilder, sql } from '#kernel/db/sql.ts'
import { isOff, rankNow, scoreNow, stageRankNow, stageTotalNow, standingNow } from './standing-now.ts'

export interface ListFilter {
  readonly examId: string
  readonly units: readonly string[] | null
  readonly unit?: string | undefined
  readonly code?: string | undefined
  readonly keyword?: string | undefined
  readonly reviewState?: number | undefined
  /** Of the call to the re-review, not of a later one. */
  readonly callState?: CallState | undefined
  readonly stage?: number | undefined
}
const matching = (filter: ListFilter, more: RawBuilder<unknown>): RawBuilder<unknown> =>
  allOf([
    sql`p.exam_id = ${filter.examId} and not s.is_deleted and ${more}`,
    filter.units !== null && sql`s.unit = any(${[...filter.units]})`,
    filter.unit !== undefined && sql`s.unit = ${filter.unit}`,
    filter.code !== undefined && sql`s.code = ${filter.code}`,
    filter.keyword !== undefined && wordsLike(sql`s.name`, nameWords(filter.keyword)),
    filter.reviewState !== undefined && sql`s.review_state = ${filter.reviewState}`,
    filter.callState !== undefined && sql`c.state = ${filter.callState} and c.stage = ${stages.recheck}`,
    filter.stage !== undefined && sql`s.stage = ${filter.stage}`,
  ])
const from = sql`
  from selection_person p join signup s on s.tenant_id = p.tenant_id and s.id = p.signup_id
  left join type_code t on t.tenant_id = s.tenant_id and t.exam_id = s.exam_id and t.code = s.code and not t.is_deleted
  left join lateral (select c.id, c.state, c.deadline, c.stage from selection_call c where c.tenant_id = s.tenant_id and c.signup_id = s.id order by c.id desc limit 1) c on true
  ${standingNow}`
const person = sql`
  s.id::text as "signupId", s.sign_no as "signNo", coalesce(s.name, '') as name, s.unit, t.unit_name as "unitName", s.code, t.code_name as "codeName"`

interface Person {
  readonly signupId: string
  readonly signNo: string | null
  readonly name: string
  readonly unit: string | null
  readonly unitName: string | null
  readonly code: string | null
  readonly codeName: string | null
}
export interface ReviewRow extends Person {
  readonly rank: number | null
  readonly score: string | null
  /** As they were when the person was called. */
  readonly calledRank: number | null
  readonly calledScore: string | null
  readonly off: number
  readonly shortlist: number
  readonly reviewState: number
  readonly reviewRemark: string | null
  readonly reviewTime: Date | null
  readonly callState: string | null
  readonly deadline: Date | null
  readonly fileCount: number
  readonly didReview: boolean
}
const reviewColumns = (userId: string): RawBuilder<unknown> => sql`
  ${person}, ${rankNow} as rank, ${scoreNow} as score, p.rank as "calledRank", p.score as "calledScore", ${isOff} as off, s.shortlist, s.review_state as "reviewState", s.review_remark as "reviewRemark", s.review_time as "reviewTime", c.state as "callState", c.deadline,
  jsonb_array_length(p.files) as "fileCount",
  exists (select 1 from examine_record r where r.tenant_id = s.tenant_id and r.signup_id = s.id and r.examiner_id = ${userId} and r.level in (1, 2) and not r.undone) as "didReview"`
const inReview = sql`s.review_state > 0`
const reviewOrder = sql`order by t.unit_name, s.code, ${rankNow} nulls last, s.id`

export const pageReview = async (
  db: TenantDb,
  filter: ListFilter,
  userId: string,
  size: number,
  offset: number,
): Promise<{ rows: ReviewRow[]; total: number }> => {
  const where = matching(filter, inReview)
  const rows = await db.all(
    sql<ReviewRow>`select ${reviewColumns(userId)} ${from} where ${where} ${reviewOrder} limit ${size} offset ${offset}`,
  )
  const { total } = await db.one(sql<{ total: number }>`select count(*)::int as total ${from} where ${where}`)
  return { rows, total }
}
export const findReviewRow = (db: TenantDb, signupId: string, userId: string): Promise<ReviewRow | undefined> =>
  db.maybe(sql<ReviewRow>`select ${reviewColumns(userId)} ${from} where s.id = ${signupId} and not s.is_deleted and ${inReview}`)

/** The first who waits for a decision that this person may take. */
export const nextToReview = async (
  db: TenantDb,
  of: { readonly examId: string; readonly units: readonly string[] | null; readonly userId: string; readonly allowSameReviewer: boolean },
): Promise<string | undefined> =>
  (
    await db.maybe(sql<{ id: string }>`
      select s.id::text as id ${from}
      where ${matching({ examId: of.examId, units: of.units, reviewState: 1 }, inReview)}
        ${of.allowSameReviewer ? sql`` : sql`and not exists (select 1 from examine_record r where r.tenant_id = s.tenant_id and r.signup_id = s.id and r.examiner_id = ${of.userId} and r.level in (1, 2) and not r.undone)`}
      ${reviewOrder} limit 1`)
  )?.id

export interface StageRow extends Person {
  readonly rank: number | null
  readonly total: string | null
  readonly stage: number
  readonly step: string
  readonly endedStage: number | null
  readonly kind: number
  readonly date: string | null
  readonly remark: string | null
  readonly until: Date | null
  readonly objections: number
  readonly callId: string | null
  readonly callState: string | null
  readonly callDeadline: Date | null
  readonly ticketNo: string | null
}
const inStages = sql`p.stage_kind is not null`
const stageColumns = sql`
  ${person}, ${stageRankNow} as rank, ${stageTotalNow} as total, s.stage, p.step, p.ended_stage as "endedStage", p.stage_kind as kind, p.step_date::text as date, p.step_remark as remark,
  p.step_until as until, (select count(*)::int from selection_objection o where o.tenant_id = s.tenant_id and o.signup_id = s.id and o.state = 1) as objections,
  case when c.stage >= 5 then c.id::text end as "callId", case when c.stage >= 5 then c.state end as "callState", case when c.stage >= 5 then c.deadline end as "callDeadline",
  (select min(r.ticket_no) from result r where r.tenant_id = s.tenant_id and r.signup_id = s.id and r.released and not r.is_deleted) as "ticketNo"`
const stageOrder = sql`order by t.unit_name, s.code, ${stageRankNow} nulls last, s.id`

export const pageStages = async (db: TenantDb, filter: ListFilter, size: number, offset: number) => {
  const where = matching(filter, inStages)
  const rows = await db.all(sql<StageRow>`select ${stageColumns} ${from} where ${where} ${stageOrder} limit ${size} offset ${offset}`)
  const { total } = await db.one(sql<{ total: number }>`select count(*)::int as total ${from} where ${where}`)
  const counts = await db.all(sql<{ stage: number; count: number }>`
    select s.stage, count(*)::int as count ${from} where ${matching({ examId: filter.examId, units: filter.units }, inStages)} group by s.stage order by s.stage`)
  return { rows, total, counts }
}

/** Signed numbers and phones of a list, sealed as they are stored: opened only for a workbook. */
export interface SheetPerson extends StageRow {
  readonly sex: number | null
  readonly idCardMask: string | null
  readonly phoneMask: string | null
}
export const countStages = async (db: TenantDb, filter: ListFilter): Promise<number> =>
  (await db.one(sql<{ total: number }>`select count(*)::int as total ${from} where ${matching(filter, inStages)}`)).total
export const readStages = (db: TenantDb, filter: ListFilter, size: number, offset: number): Promise<SheetPerson[]> =>
  db.all(sql<SheetPerson>`
    select ${stageColumns}, s.sex, s.id_card_mask as "idCardMask", s.phone_mask as "phoneMask" ${from} where ${matching(filter, inStages)} ${stageOrder} limit ${size} offset ${offset}`)
export const countReview = async (db: TenantDb, filter: ListFilter): Promise<number> =>
  (await db.one(sql<{ total: number }>`select count(*)::int as total ${from} where ${matching(filter, inReview)}`)).total
export const readReview = (
  db: TenantDb,
  filter: ListFilter,
  userId: string,
  size: number,
  offset: number,
): Promise<(ReviewRow & { idCardMask: string | null; phoneMask: string | null })[]> =>
  db.all(sql<ReviewRow & { idCardMask: string | null; phoneMask: string | null }>`
    select ${reviewColumns(userId)}, s.id_card_mask as "idCardMask", s.phone_mask as "phoneMask" ${from} where ${matching(filter, inReview)} ${reviewOrder} limit ${size} offset ${offset}`)

export interface LevelRecord {
  readonly level: number
  readonly result: number
  readonly remark: string | null
  readonly examinerName: string
  readonly createdAt: Date
}
export const listDecisions = (db: TenantDb, signupId: string): Promise<LevelRecord[]> =>
  db.all(sql<LevelRecord>`
    select level, result, remark, examiner_name as "examinerName", created_at as "createdAt" from examine_record where signup_id = ${signupId} and not undone order by id`)
