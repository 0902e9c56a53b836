import { dueFigures } from '#contract/pay/figures.ts'
import { stage as stages } from '#contract/selection/words.ts'
import { signupFigures } from '#contract/signup/figures.ts'
import { amountFenIn, cameInFen, isIn, refundedFen } from '#kernel/db/figures.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type RawBuilder, sql } from '#kernel/db/sql.ts'
import { type DueScope, duesWithin, ofUnits, type Units } from './statistics.repo.ts'

export interface OverviewScope {
  readonly examId: string
  /** Of sign-ups; and of dues and the re-review, where finance sees all and a re-review officer the units of the account. */
  readonly units: Units
  readonly ownUnits: Units
  readonly dues: DueScope
}

export interface StepRow {
  readonly key: string
  readonly count: number
  readonly oldest: Date | null
}

const hourMs = 3_600_000
/** A review that takes longer is late. */
const lateAfterMs = 72 * hourMs

/** Everything that stands or waits in an examination, one row per step, in one statement. */
export const countSteps = (db: TenantDb, { examId, units, ownUnits, dues }: OverviewScope): Promise<StepRow[]> => {
  const dueRows = sql`select p.* from exam_pay p ${ownUnits === null ? sql`` : sql`join signup s on s.id = p.signup_id and ${ofUnits('s.unit', ownUnits)}`}
    where p.exam_id = ${examId} and not p.is_deleted ${duesWithin(examId, dues)}`
  const papers = (key: string, state: RawBuilder<unknown>, since: RawBuilder<unknown>) =>
    sql`select ${key}::text, count(*)::int, min(${since}) from exam_item i where i.exam_id = ${examId} and not i.is_deleted and ${state}`
  // Drafts are in no index of a list, and a statement must say that it wants none.
  const mine = sql`s.exam_id = ${examId} and s.examine <> 'draft' and not s.is_deleted and ${ofUnits('s.unit', units)}`
  // Whole hours are kept; of the hour in which the bound lies the sign-ups are counted.
  const late = new Date(db.now.getTime() - lateAfterMs)
  const lateHour = new Date(Math.floor(late.getTime() / hourMs) * hourMs)
  return db.all(sql<StepRow>`
    with money as (${dueRows}),
    standing as (
      select examine, sum(n)::int as count from signup_tally s
      where s.exam_id = ${examId} and ${ofUnits('s.unit', units)} group by examine having sum(n) > 0)
    select examine::text as key, count, case when examine in ('waiting', 'second') then (
        select s.submit_time from signup s where ${mine} and s.examine = standing.examine order by s.submit_time limit 1)
      else (select min(s.examine_time) from signup s where ${mine} and s.examine = standing.examine) end as oldest
      from standing
    union all select 'rereview', count(*)::int, null::timestamptz from signup s
      where s.exam_id = ${examId} and s.review_state = 1 and not s.is_deleted and ${ofUnits('s.unit', ownUnits)}
    union all select 'due', count(*)::int, min(created_at) from money where state = 'due'
    union all select 'overdue', count(*)::int, min(deadline) from money where state = 'overdue'
    union all select 'refunds', count(*)::int, min(r.created_at) from pay_refund r join money p on p.id = r.pay_id where r.state = 'requested' and not r.approved_by_rule
    union all select 'postings', count(*)::int, min(w.created_at) from pay_posting w join money p on p.id = w.pay_id where w.state = 'waiting' and p.state in ('due', 'overdue')
    union all select 'payAlarms', count(*)::int, min(a.created_at) from pay_alarm a join pay_order o on o.id = a.order_id join money p on p.id = o.pay_id where a.handled_at is null
    union all select 'lateReviews', coalesce(sum(n), 0)::int, null from (
      select sum(h.n) as n from signup_hour h where h.exam_id = ${examId} and h.event = 'waiting' and h.at < ${lateHour} and ${ofUnits('h.unit', units)}
      union all
      select count(*) from signup s where ${mine} and ${isIn(signupFigures.unexamined, 's')} and s.submit_time >= ${lateHour} and s.submit_time < ${late}) l
    union all select 'proposals', count(*)::int, min(p.created_at) from selection_proposal p join signup s on s.tenant_id = p.tenant_id and s.id = p.signup_id
      where p.exam_id = ${examId} and p.created_by <> ${db.actor.userId} and not s.is_deleted and ${ofUnits('s.unit', units)}
    union all select 'approvals', count(*)::int, min(j.created_at) from export_job j
      where j.state = 1 and j.approve_right = 'signup_approve' and j.input->>'examId' = ${examId}::text and j.created_by <> ${db.actor.userId}
    union all select 'reductions', count(*)::int, min(since) from post_to_decide where exam_id = ${examId}
    union all select 'calls', count(*)::int, min(c.created_at) from selection_call c join signup s on s.tenant_id = c.tenant_id and s.id = c.signup_id
      where c.exam_id = ${examId} and c.state = 'waiting' and c.stage = ${stages.recheck} and not s.is_deleted and ${ofUnits('s.unit', ownUnits)}
    union all ${papers('toSeat', sql`i.ticket_state = 'none' and i.start_time > ${db.now}`, sql`null::timestamptz`)}
    union all ${papers('toReleaseTickets', sql`i.ticket_state = 'made'`, sql`i.updated_at`)}
    union all ${papers('ticketsOut', sql`i.ticket_state in ('released', 'ended')`, sql`null::timestamptz`)}
    union all ${papers('toScore', sql`i.score_state = 'none' and i.end_time <= ${db.now} and anybody_sits(i.tenant_id, i.exam_id, i.id, i.type_codes, i.item_code, i.ticket_state in ('released', 'ended'))`, sql`i.end_time`)}
    union all ${papers('toReleaseResults', sql`i.score_state = 'imported'`, sql`i.score_import_at`)}
    union all ${papers('resultsOut', sql`i.score_state = 'released'`, sql`null::timestamptz`)}
    union all select 'corrections', count(*)::int, min(created_at) from result_correction where exam_id = ${examId} and state = 'waiting'`)
}

/** What is still to come in, what came in and did not go back, and what went back. */
export const moneyOf = (db: TenantDb, { examId, ownUnits, dues }: OverviewScope) =>
  db.one(sql<{ dueFen: string; paidFen: string; refundedFen: string }>`
    select ${amountFenIn(dueFigures.open)} as "dueFen", ${cameInFen} as "paidFen", ${refundedFen} as "refundedFen"
    from exam_pay p ${ownUnits === null ? sql`` : sql`join signup s on s.id = p.signup_id and ${ofUnits('s.unit', ownUnits)}`}
    where p.exam_id = ${examId} and not p.is_deleted ${duesWithin(examId, dues)}`)

export interface ChangeRow {
  readonly id: string
  readonly createdAt: Date
  readonly who: string
  readonly action: string
  readonly about: string
}
/** The parts of an examination whose changes are its own, by what the trail calls them. */
const parts = (examId: string) => [
  sql`select 'examination' as entity, ${examId}::text as entity_id, '' as about`,
  sql`select e.entity, i.id::text, i.item_name from exam_item i cross join (values ('examitem'), ('exam-item')) e(entity) where i.exam_id = ${examId}`,
  sql`select 'type-code', c.id::text, concat_ws(' ', c.code, c.code_name) from type_code c where c.exam_id = ${examId}`,
  sql`select 'sign-item', f.id::text, f.item_label from sign_item f where f.exam_id = ${examId}`,
  sql`select 'sign-file', f.id::text, f.file_label from sign_file f where f.exam_id = ${examId}`,
]
const changesOf = (examId: string) => sql`
  from (${sql.join(parts(examId), sql` union all `)}) p join audit_log l on l.entity = p.entity and l.entity_id = p.entity_id
  and l.actor_kind <> 'candidate' and l.action not like '%.read'`

export const listChangesOf = (db: TenantDb, examId: string, limit: number, offset = 0): Promise<ChangeRow[]> =>
  db.all(sql<ChangeRow>`
    select l.id::text as id, l.created_at as "createdAt", coalesce(nullif(a.real_name, ''), a.account, '') as who, l.action, p.about
    ${changesOf(examId)} left join account a on a.id = l.user_id order by l.created_at desc, l.id desc limit ${limit} offset ${offset}`)
export const countChangesOf = async (db: TenantDb, examId: string): Promise<number> =>
  (await db.one(sql<{ total: number }>`select count(*)::int as total ${changesOf(examId)}`)).total
