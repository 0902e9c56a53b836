import { postStates } from '#contract/exam/exam.state.ts'
import type { PayState, RefundWaits } from '#contract/pay/order.state.ts'
import type { Facts } from '#contract/signup/fit.ts'
import type { SignupState } from '#contract/signup/signup.state.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { textHolds } from '#kernel/db/search.ts'
import { allOf, type RawBuilder, sql } from '#kernel/db/sql.ts'

/** Figures of examinations for their cards. */
export interface ExamFigures {
  readonly examId: string
  readonly planTotal: number
  readonly postCount: number
  readonly minFeeFen: number
  readonly maxFeeFen: number
  readonly seedCommit: string | null
}
export const figuresOf = (db: TenantDb, examIds: readonly string[]): Promise<ExamFigures[]> =>
  db.all(sql<ExamFigures>`
    select e.id::text as "examId", coalesce(sum(t.cur_num), 0)::int as "planTotal", count(t.id)::int as "postCount",
      coalesce(min(t.fee_fen), 0)::int as "minFeeFen", coalesce(max(t.fee_fen), 0)::int as "maxFeeFen",
      (select min(i.seed_commit) from exam_item i where i.exam_id = e.id and not i.is_deleted) as "seedCommit"
    from examination e left join type_code t on t.exam_id = e.id and not t.is_deleted and t.post_state <> 2
    where e.id = any(${[...examIds]}::bigint[]) group by e.id`)

export interface OwnState {
  readonly signupId: string
  readonly examId: string
  readonly state: SignupState
  readonly payState: PayState
  /** The next end of what can still be paid, else the last one that passed; null = nothing is unpaid. */
  readonly payUntil: Date | null
  readonly refundWaits: RefundWaits
  readonly extendUntil: Date | null
  readonly adviceCount: number
  readonly ticketReleased: boolean
  readonly scoreReleased: boolean
  /** Results of a paper of this person were published and taken back. */
  readonly scoreInCheck: boolean
  readonly submitTime: Date | null
  readonly reductionState: number
  readonly isPostCancelled: boolean
  readonly hasPromised: boolean
}
const ownColumns = sql`
  s.id::text as "signupId", s.exam_id::text as "examId", s.examine as state, s.pay_state as "payState", s.reduction_state as "reductionState",
  exists (select 1 from type_code c where c.exam_id = s.exam_id and c.code = s.code and c.post_state = ${postStates.wire.cancelled} and not c.is_deleted) as "isPostCancelled", (s.source = 1 or s.promise_time is not null) as "hasPromised", s.extend_until as "extendUntil", s.submit_time as "submitTime", jsonb_array_length(s.advisements) as "adviceCount",
  (select coalesce(min(d.until) filter (where d.state = 'due' and d.until > app_now()), max(d.until)) from (
      select d.state, due_until(d.own_deadline, d.deadline, d.grace_until, e.pay_end) as until from exam_pay d join examination e on e.tenant_id = d.tenant_id and e.id = d.exam_id
      where d.signup_id = s.id and d.state in ('due', 'overdue') and not d.is_deleted) d) as "payUntil", coalesce((select case when w.by_owner then 'own' else 'other' end from refund_waiting w where w.tenant_id = s.tenant_id and w.signup_id = s.id), 'none') as "refundWaits",
  exists (select 1 from ticket k where k.signup_id = s.id and k.ticket_state in ('released', 'downloaded')) as "ticketReleased",
  exists (select 1 from result r where r.signup_id = s.id and r.released) as "scoreReleased",
  exists (select 1 from exam_item i left join type_code p on p.exam_id = s.exam_id and p.code = s.code and not p.is_deleted
    where i.exam_id = s.exam_id and not i.is_deleted and paper_in_check(i.score_state, i.score_release_at)
      and sits_paper(i.type_codes, i.item_code, p.item_codes, s.code)) as "scoreInCheck"`

/** The caller's own sign-ups of these examinations. */
export const ownStates = (db: TenantDb, userId: string, examIds: readonly string[]): Promise<OwnState[]> =>
  db.all(
    sql<OwnState>`select ${ownColumns} from signup s where s.user_id = ${userId} and s.exam_id = any(${[...examIds]}::bigint[]) and not s.is_deleted`,
  )

/** Ids of released examinations, the ones with the nearest end of sign-up first. */
export const pageReleased = async (
  db: TenantDb,
  filter: { examType?: number; keyword?: string },
  limit: number,
  offset: number,
): Promise<{ ids: string[]; total: number }> => {
  const where: RawBuilder<unknown> = allOf([
    sql`e.state = 'released' and not e.is_deleted`,
    filter.examType !== undefined && sql`e.exam_type = ${filter.examType}`,
    filter.keyword !== undefined && textHolds(sql`e.exam_name`, filter.keyword),
  ])
  const rows = await db.all(sql<{ id: string }>`
    select e.id::text as id from examination e where ${where} order by (e.sign_end is null or e.sign_end > ${db.now}) desc, e.sign_end, e.id limit ${limit} offset ${offset}`)
  const { total } = await db.one(sql<{ total: number }>`select count(*)::int as total from examination e where ${where}`)
  return { ids: rows.map(row => row.id), total }
}

export interface OwnListed extends OwnState {
  readonly signNo: string | null
  readonly unitName: string | null
  readonly codeName: string | null
  readonly code: string | null
  readonly examineRemark: string | null
  readonly signVersion: number
}
export const pageOwn = async (
  db: TenantDb,
  userId: string,
  limit: number,
  offset: number,
): Promise<{ rows: OwnListed[]; total: number }> => {
  const rows = await db.all(sql<OwnListed>`
    select ${ownColumns}, s.sign_no as "signNo", t.unit_name as "unitName", t.code_name as "codeName", s.code, s.examine_remark as "examineRemark", s.sign_version as "signVersion"
    from signup s left join type_code t on t.exam_id = s.exam_id and t.code = s.code and not t.is_deleted
    where s.user_id = ${userId} and not s.is_deleted order by s.id desc limit ${limit} offset ${offset}`)
  const { total } = await db.one(
    sql<{ total: number }>`select count(*)::int as total from signup s where s.user_id = ${userId} and not s.is_deleted`,
  )
  return { rows, total }
}

/** Answers of the person's newest other sign-up, for prefilling. */
export const lastContent = (
  db: TenantDb,
  userId: string,
  exceptExamId: string,
): Promise<{ id: string; content: Record<string, unknown> } | undefined> =>
  db.maybe(sql<{ id: string; content: Record<string, unknown> }>`
    select id::text as id, content from signup where user_id = ${userId} and exam_id <> ${exceptExamId} and sign_no is not null and not is_deleted order by submit_time desc limit 1`)

/** What the person has said of themselves to find posts. */
export const keptFacts = async (db: TenantDb, userId: string): Promise<Facts> =>
  (await db.maybe(sql<{ facts: Facts }>`select facts from person_fact where user_id = ${userId}`))?.facts ?? {}
