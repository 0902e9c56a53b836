import { postStates } from '#contract/exam/exam.state.ts'
import type { PayState } from '#contract/pay/order.state.ts'
import type { ReductionAction, ReductionState } from '#contract/reduction/reduction.state.ts'
import type { SignupState } from '#contract/signup/signup.state.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type RawBuilder, sql } from '#kernel/db/sql.ts'
import type { WantedCut } from '../domain/decision.ts'

export interface ReductionRow {
  readonly id: string
  readonly examId: string
  readonly code: string
  readonly action: ReductionAction
  readonly beforeNum: number
  readonly afterNum: number
  readonly validCount: number
  readonly toCodes: readonly string[]
  readonly reason: string
  readonly choiceBegin: Date | null
  readonly choiceEnd: Date | null
  readonly state: ReductionState
  readonly approveFileId: string | null
  readonly publishedAt: Date | null
  readonly toldAt: Date | null
}
const columns = sql`
  r.id::text as id, r.exam_id::text as "examId", r.code, r.action, r.before_num as "beforeNum", r.after_num as "afterNum", r.valid_count as "validCount",
  r.to_codes as "toCodes", r.reason, r.choice_begin as "choiceBegin", r.choice_end as "choiceEnd", r.state, r.approve_file_id::text as "approveFileId",
  r.published_at as "publishedAt", r.told_at as "toldAt"`

export const findReduction = (db: TenantDb, id: string): Promise<ReductionRow | undefined> =>
  db.maybe(sql<ReductionRow>`select ${columns} from post_reduction r where r.id = ${id} and not r.is_deleted`)

/** The same for whoever ends it or puts people on its list. */
export const lockReduction = (db: TenantDb, id: string): Promise<ReductionRow | undefined> =>
  db.maybe(sql<ReductionRow>`select ${columns} from post_reduction r where r.id = ${id} and not r.is_deleted for update`)

export interface ReductionWithPeople extends ReductionRow {
  readonly people: number
  readonly waiting: number
}
/** The newest decision of each post. */
export const listReductions = (db: TenantDb, examId: string): Promise<ReductionWithPeople[]> =>
  db.all(sql<ReductionWithPeople>`
    select distinct on (r.code) ${columns},
      (select count(*)::int from reduction_name n where n.reduction_id = r.id and n.state <> 'removed' and not n.is_deleted) as people,
      (select count(*)::int from reduction_name n where n.reduction_id = r.id and n.state = 'open' and not n.is_deleted) as waiting
    from post_reduction r where r.exam_id = ${examId} and not r.is_deleted order by r.code, r.id desc`)

/** Decisions of these posts that stand: drafts and published ones. */
export const listActive = (
  db: TenantDb,
  examId: string,
  codes: readonly string[],
): Promise<Pick<ReductionRow, 'id' | 'code' | 'state'>[]> =>
  db.all(sql<Pick<ReductionRow, 'id' | 'code' | 'state'>>`
    select r.id::text as id, r.code, r.state from post_reduction r
    where r.exam_id = ${examId} and r.code = any(${[...codes]}) and r.state <> 'ended' and not r.is_deleted order by r.code for update`)

/** The published decision that has cancelled a post, also when its time to choose is over. */
export const findCancellationOf = (db: TenantDb, examId: string, code: string): Promise<ReductionRow | undefined> =>
  db.maybe(sql<ReductionRow>`
    select ${columns} from post_reduction r join type_code c on c.tenant_id = r.tenant_id and c.exam_id = r.exam_id and c.code = r.code and not c.is_deleted
    where r.exam_id = ${examId} and r.code = ${code} and r.state <> 'draft' and r.action in ('cancel', 'merge') and c.post_state = ${postStates.wire.cancelled}
      and not r.is_deleted
    order by r.id desc limit 1`)

/**
 * Who counts for the ratio of a post, of a sign-up `s`: passed and not on the way out; by the second basis paid too, or free of it
 * (domain 3.1 `ratioBasis`).
 */
const isValid = (basis: number): RawBuilder<unknown> =>
  sql`takes_part(s.examine, s.pay_state, s.reduction_state) and not s.is_deleted ${basis === 1 ? sql`` : sql`and s.pay_state in ('none', 'paid')`}`

/** Valid sign-ups by post code. */
export const countValid = async (db: TenantDb, examId: string, basis: number): Promise<ReadonlyMap<string, number>> => {
  const rows = await db.all(sql<{ code: string; count: number }>`
    select s.code, count(*)::int as count from signup s where s.exam_id = ${examId} and s.examine = 'passed' and s.code is not null and ${isValid(basis)} group by s.code`)
  return new Map(rows.map(row => [row.code, row.count]))
}

export interface Pending {
  /** Waits for a review, or to be corrected. */
  readonly unreviewed: number
  /** Of those, and of those who have passed, whoever may still become valid. */
  readonly pending: number
}
/** Sign-ups by post code that may still become valid. */
export const countPending = async (db: TenantDb, examId: string, basis: number): Promise<ReadonlyMap<string, Pending>> => {
  const rows = await db.all(sql<Pending & { code: string }>`
    select s.code, count(*) filter (where s.examine <> 'passed')::int as unreviewed, count(*)::int as pending
    from signup s where s.exam_id = ${examId} and s.code is not null and not s.is_deleted
      and (s.examine in ('waiting', 'second', 'returned') or s.examine = 'passed' and s.pay_state in ('due', 'overdue') and not (${isValid(basis)}))
    group by s.code`)
  return new Map(rows.map(row => [row.code, row]))
}

export interface CutToKeep extends WantedCut {
  readonly unit: string
  readonly type: string
  readonly beforeNum: number
  readonly validCount: number
}

/** Keeps decisions as drafts; a draft of the same post gives way. @returns their ids by post code */
export const saveDrafts = async (
  db: TenantDb,
  examId: string,
  cuts: readonly CutToKeep[],
  window: { readonly choiceBegin: Date | null; readonly choiceEnd: Date | null },
): Promise<ReadonlyMap<string, string>> => {
  const rows = cuts.map(cut => ({ ...cut, approveFile: cut.approveFile ?? null }))
  const kept = await db.all(sql<{ id: string; code: string }>`
    insert into post_reduction (tenant_id, exam_id, code, unit, type, action, before_num, after_num, valid_count, to_codes, reason, approve_file_id, choice_begin, choice_end, created_by, updated_by)
    select ${db.actor.tenantId}, ${examId}, c.code, c.unit, c.type, c.action, c."beforeNum", c."afterNum", c."validCount", c."toCodes", c.reason, c."approveFile",
      ${window.choiceBegin}, ${window.choiceEnd}, ${db.actor.userId}, ${db.actor.userId}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as c(code text, unit text, type text, action text, "beforeNum" int, "afterNum" int, "validCount" int, "toCodes" jsonb, reason text, "approveFile" bigint)
    on conflict (tenant_id, exam_id, code) where state <> 'ended' and not is_deleted do update set
      action = excluded.action, before_num = excluded.before_num, after_num = excluded.after_num, valid_count = excluded.valid_count, to_codes = excluded.to_codes, reason = excluded.reason,
      approve_file_id = coalesce(excluded.approve_file_id, post_reduction.approve_file_id), choice_begin = excluded.choice_begin, choice_end = excluded.choice_end,
      updated_at = app_now(), updated_by = excluded.updated_by, version = post_reduction.version + 1
    returning id::text as id, code`)
  return new Map(kept.map(row => [row.code, row.id]))
}

export const markPublished = (db: TenantDb, ids: readonly string[]): Promise<number> =>
  db.run(sql`
    update post_reduction set state = 'published', published_at = app_now(), published_by = ${db.actor.userId}, updated_at = app_now(), updated_by = ${db.actor.userId}, version = version + 1
    where id = any(${[...ids]}::bigint[]) and state = 'draft'`)

/** Whose text messages were ordered once is not told again. @returns false when they were */
export const markTold = async (db: TenantDb, id: string): Promise<boolean> =>
  (await db.run(sql`update post_reduction set told_at = app_now() where id = ${id} and told_at is null`)) === 1

/** Published decisions whose time is over, or that nobody has to choose for, and on whose list nobody is open any more. */
export const endOver = (db: TenantDb): Promise<{ id: string; code: string }[]> =>
  db.all(sql<{ id: string; code: string }>`
    update post_reduction r set state = 'ended', updated_at = app_now(), version = version + 1
    where r.state = 'published' and not r.is_deleted and (r.choice_end is null or r.choice_end <= app_now())
      and not exists (select 1 from reduction_name n where n.reduction_id = r.id and n.state in ('open', 'review') and not n.is_deleted)
    returning r.id::text as id, r.code`)

/** Sign-ups of these posts that take part or may still, locked: a review that is about to pass one of them waits, or has been waited for. */
export const lockSignupsOf = (db: TenantDb, examId: string, codes: readonly string[]): Promise<SignupOfPost[]> =>
  db.all(sql<SignupOfPost>`
    select s.id::text as id, s.user_id::text as "userId", s.code, s.examine, s.pay_state as "payState", s.reduction_state as "reductionState" from signup s
    where s.exam_id = ${examId} and s.code = any(${[...codes]}) and s.examine not in ('withdrawn', 'disqualified') and not s.is_deleted order by s.id for update`)
export interface SignupOfPost {
  readonly id: string
  readonly userId: string
  readonly code: string
  readonly examine: SignupState
  readonly payState: PayState
  readonly reductionState: number
}
