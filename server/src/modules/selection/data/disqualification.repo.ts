import type { DisqualificationState } from '#contract/selection/selection.state.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'

export interface DisqualificationRow {
  readonly id: string
  readonly examId: string
  readonly signupId: string
  readonly proposedById: string
  readonly state: DisqualificationState
  readonly reason: string
  readonly byName: string
  readonly createdAt: Date
  readonly answerUntil: Date
  /** When the person confirmed to have been told. */
  readonly toldAt: Date | null
  readonly statement: string | null
  /** 1 in writing, 2 by telephone, 3 in person, 4 in the account. */
  readonly statementWay: number | null
  readonly statementAt: Date | null
  readonly decision: string | null
  readonly decidedName: string | null
  readonly decidedAt: Date | null
}
/** Names the message by which the person was told of a proposal. */
export const proposedKey = (id: string): string => `selection-disqualify:${id}`

const columns = sql`
  d.id::text as id, d.exam_id::text as "examId", d.signup_id::text as "signupId", d.created_by::text as "proposedById", d.state, d.reason, d.proposed_name as "byName",
  d.created_at as "createdAt", d.answer_until as "answerUntil", n.sure_at as "toldAt", d.statement, d.statement_way as "statementWay", d.statement_at as "statementAt", d.decision, d.decided_name as "decidedName", d.decided_at as "decidedAt"
  from selection_disqualification d left join notify n on n.user_id = d.user_id and n.event_key = 'selection-disqualify:' || d.id`

export const listDisqualifications = (db: TenantDb, signupId: string): Promise<DisqualificationRow[]> =>
  db.all(sql<DisqualificationRow>`select ${columns} where d.signup_id = ${signupId} order by d.id desc`)

export const findDisqualification = (db: TenantDb, id: string): Promise<DisqualificationRow | undefined> =>
  db.maybe(sql<DisqualificationRow>`select ${columns} where d.id = ${id}`)

/** Undefined where a proposal waits already. */
export const insertDisqualification = async (
  db: TenantDb,
  of: {
    readonly examId: string
    readonly signupId: string
    readonly userId: string
    readonly reason: string
    readonly byName: string
    readonly answerUntil: Date
  },
): Promise<string | undefined> =>
  (
    await db.maybe(sql<{ id: string }>`
      insert into selection_disqualification (tenant_id, exam_id, signup_id, user_id, reason, proposed_name, answer_until, created_by)
      values (${db.actor.tenantId}, ${of.examId}, ${of.signupId}, ${of.userId}, ${of.reason}, ${of.byName}, ${of.answerUntil}, ${db.actor.userId})
      on conflict (tenant_id, signup_id) where state = 'proposed' do nothing returning id::text as id`)
  )?.id

export const listOwnDisqualifications = (db: TenantDb, userId: string): Promise<DisqualificationRow[]> =>
  db.all(sql<DisqualificationRow>`select ${columns} where d.user_id = ${userId} order by d.id desc`)

/** Everybody who proposed or decided that a sign-up was disqualified, by whichever way. */
export const disqualifiersOf = async (db: TenantDb, signupId: string): Promise<string[]> =>
  (
    await db.all(sql<{ id: string }>`
      select created_by::text as id from selection_disqualification where signup_id = ${signupId} and state = 'disqualified'
      union select decided_by::text from selection_disqualification where signup_id = ${signupId} and state = 'disqualified' and decided_by is not null
      union select examiner_id::text from examine_record where signup_id = ${signupId} and after_state = 'disqualified' and not undone`)
  ).map(row => row.id)
