import type { CallState } from '#contract/selection/selection.state.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'

export interface CallRow {
  readonly id: string
  readonly examId: string
  readonly signupId: string
  readonly userId: string
  readonly stage: number
  readonly kind: 1 | 2
  readonly deadline: Date
  readonly state: CallState
  readonly answeredAt: Date | null
  readonly createdAt: Date
  /** The deadline passed and nothing proved that the person was told: the right stays. */
  readonly unprovenTold: boolean
}
/** What a call is known by among messages and text messages. */
export const callKey = (id: string): string => `selection-call:${id}`

const columns = sql`
  c.id::text as id, c.exam_id::text as "examId", c.signup_id::text as "signupId", c.user_id::text as "userId", c.stage, c.kind, c.deadline, c.state,
  c.answered_at as "answeredAt", c.created_at as "createdAt", c.unproven_told as "unprovenTold"`

/** Calls people, each once. @returns the ids of the calls */
export const insertCalls = (
  db: TenantDb,
  people: readonly { readonly signupId: string; readonly userId: string }[],
  of: { readonly examId: string; readonly stage: number; readonly kind: 1 | 2; readonly deadline: Date },
): Promise<{ id: string; userId: string }[]> =>
  db.all(sql<{ id: string; userId: string }>`
    insert into selection_call (tenant_id, exam_id, signup_id, user_id, stage, kind, deadline, created_by, updated_by)
    select ${db.actor.tenantId}, ${of.examId}, s, u, ${of.stage}, ${of.kind}, ${of.deadline}, ${db.actor.userId}, ${db.actor.userId}
    from unnest(${people.map(one => one.signupId)}::bigint[], ${people.map(one => one.userId)}::bigint[]) as g(s, u)
    returning id::text as id, user_id::text as "userId"`)
/** Some of the calls of an examination that wait and had no text message, marked as told. */
export const takeUntold = (
  db: TenantDb,
  examId: string,
  limit: number,
): Promise<{ readonly userId: string; readonly kind: 1 | 2; readonly deadline: Date }[]> =>
  db.all(sql<{ userId: string; kind: 1 | 2; deadline: Date }>`
    with due as (
      select id from selection_call where exam_id = ${examId} and told_at is null and state = 'waiting' order by id limit ${limit} for update skip locked),
    told as (update selection_call c set told_at = app_now() from due where c.id = due.id returning c.id, c.user_id, c.kind, c.deadline)
    select user_id::text as "userId", kind, deadline from told order by id`)
export const findCall = (db: TenantDb, id: string): Promise<CallRow | undefined> =>
  db.maybe(sql<CallRow>`select ${columns} from selection_call c where c.id = ${id}`)
export const listCalls = (db: TenantDb, signupId: string): Promise<CallRow[]> =>
  db.all(sql<CallRow>`select ${columns} from selection_call c where c.signup_id = ${signupId} order by c.id desc`)
/** Calls whose time is over, the oldest first. */
export const listDue = (db: TenantDb, before: Date, limit: number): Promise<CallRow[]> =>
  db.all(sql<CallRow>`
    select ${columns} from selection_call c where c.state = 'waiting' and c.deadline <= ${before} and not c.unproven_told order by c.deadline, c.id limit ${limit}`)

/** Moves a call that is still in the expected state. */
export const moveCall = async (db: TenantDb, id: string, from: CallState, to: CallState): Promise<boolean> =>
  (await db.run(sql`
    update selection_call set state = ${to}, answered_at = app_now(), updated_by = ${db.actor.userId}, updated_at = app_now(), version = version + 1
    where id = ${id} and state = ${from}`)) === 1
/** A decision on the person answers every call that nobody answered. */
export const endCalls = async (db: TenantDb, signupId: string): Promise<void> => {
  await db.run(sql`
    update selection_call set state = 'ended', answered_at = app_now(), updated_by = ${db.actor.userId}, updated_at = app_now(), version = version + 1
    where signup_id = ${signupId} and state = 'waiting'`)
}
export const markUnproven = async (db: TenantDb, id: string): Promise<void> => {
  await db.run(sql`update selection_call set unproven_told = true, updated_at = app_now() where id = ${id}`)
}
export const moveDeadline = async (db: TenantDb, id: string, deadline: Date): Promise<void> => {
  await db.run(sql`
    update selection_call set deadline = ${deadline}, unproven_told = false, updated_by = ${db.actor.userId}, updated_at = app_now(), version = version + 1 where id = ${id}`)
}

export interface ContactRow {
  readonly outcome: number
  readonly note: string | null
  readonly byName: string
  readonly createdAt: Date
}
export const insertContact = async (
  db: TenantDb,
  call: CallRow,
  contact: { readonly outcome: number; readonly note: string | null; readonly byName: string },
): Promise<void> => {
  await db.run(sql`
    insert into selection_contact (tenant_id, exam_id, call_id, outcome, note, by_name, created_by)
    values (${db.actor.tenantId}, ${call.examId}, ${call.id}, ${contact.outcome}, ${contact.note}, ${contact.byName}, ${db.actor.userId})`)
}
export const listContacts = (db: TenantDb, callId: string): Promise<ContactRow[]> =>
  db.all(sql<ContactRow>`
    select outcome, note, by_name as "byName", created_at as "createdAt" from selection_contact where call_id = ${callId} order by id`)

/** What the messages of a call say: when the person read or confirmed it, and what became of the text message. */
export const readReceipt = async (
  db: TenantDb,
  call: CallRow,
): Promise<{ readonly noticeId: string | null; readonly receiptAt: Date | null; readonly sms: number | null }> =>
  db.one(sql<{ noticeId: string | null; receiptAt: Date | null; sms: number | null }>`
    select n.id::text as "noticeId", coalesce(n.sure_at, n.read_at) as "receiptAt",
      (select max(m.state) filter (where m.state <= 2) from sms_message m
        where m.user_id = ${call.userId} and m.template in ('recheck-call', 'substitute-call') and m.created_at >= ${call.createdAt}) as sms
    from (select 1) one left join notify n on n.user_id = ${call.userId} and n.event_key = ${callKey(call.id)}`)
