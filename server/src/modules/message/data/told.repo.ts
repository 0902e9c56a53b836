import type { Subject } from '#contract/kernel/proposals.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'

export interface PersonNotice {
  readonly id: string
  readonly userId: string
  readonly createdAt: Date
  /** Of the text message; null where there was no number to send it to. */
  readonly smsState: number | null
  readonly sentAt: Date | null
  readonly deliveredAt: Date | null
  readonly failKind: string | null
  readonly failReason: string | null
  readonly readAt: Date | null
  readonly calledAt: Date | null
  readonly calledName: string | null
  readonly callNote: string | null
}

export const insertPersonNotice = async (
  db: TenantDb,
  of: {
    readonly subject: Subject
    readonly userId: string
    readonly examId: string | null
    readonly smsId: string | undefined
    readonly eventKey: string
  },
): Promise<void> => {
  await db.run(sql`
    insert into person_notice (tenant_id, subject, user_id, exam_id, sms_id, sms_state, event_key, created_by)
    values (${db.actor.tenantId}, ${of.subject}, ${of.userId}, ${of.examId}, ${of.smsId ?? null}, ${of.smsId === undefined ? null : 0}, ${of.eventKey}, ${db.actor.userId})`)
}

/** The latest notice to each person whom a proposal concerns, in the order in which they were made. */
export const listPersonNotices = (db: TenantDb, subject: Subject): Promise<PersonNotice[]> =>
  db.all(sql<PersonNotice>`
    select n.id::text as id, n.user_id::text as "userId", n.created_at as "createdAt", n.sms_state as "smsState", n.sms_sent_at as "sentAt",
      n.sms_delivered_at as "deliveredAt", n.sms_fail_kind as "failKind", n.sms_fail_reason as "failReason", coalesce(r.read_at, r.sure_at) as "readAt",
      n.called_at as "calledAt", n.called_name as "calledName", n.call_note as "callNote"
    from person_notice n
      left join notify r on r.tenant_id = n.tenant_id and r.user_id = n.user_id and r.event_key = n.event_key
    where n.subject = ${subject}
      and not exists (select 1 from person_notice later where later.subject = n.subject and later.user_id = n.user_id and later.id > n.id)
    order by n.id`)

/** Notes what became of a text message where it tells somebody of a proposal; sent and refused are at the same instant of the message. */
export const noteOutcome = async (db: TenantDb, smsId: string): Promise<void> => {
  await db.run(sql`
    update person_notice n set sms_state = m.state, sms_sent_at = m.sent_at, sms_fail_kind = m.fail_kind, sms_fail_reason = m.fail_reason,
      sms_delivered_at = case when m.state = 2 then coalesce(n.sms_delivered_at, app_now()) end
    from sms_message m where m.tenant_id = n.tenant_id and m.id = n.sms_id and n.sms_id = ${smsId}`)
}

export const storeCall = async (
  db: TenantDb,
  ids: readonly string[],
  of: { readonly name: string; readonly note: string },
): Promise<void> => {
  await db.run(sql`
    update person_notice set called_at = app_now(), called_by = ${db.actor.userId}, called_name = ${of.name}, call_note = ${of.note}
    where id = any(${[...ids]}::bigint[])`)
}
