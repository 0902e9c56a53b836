import type { DueState } from '#contract/pay/order.state.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'
import type { Notice } from '#modules/message/index.ts'
import type { DueRow } from '../data/due.repo.ts'
import type { PayKit } from '../deps.ts'
import { mirrorOf } from '../domain/payable.ts'
import { alarmText } from '../templates/notices.ts'

/** Where payment notices lead (S2.13). */
const payPage = '/signup/examPay'

/** Tells the person who owes or paid; once per event. */
export const tellOwner = async (
  kit: PayKit,
  db: TenantDb,
  due: Pick<DueRow, 'userId' | 'examId'>,
  text: Pick<Notice, 'title' | 'content'>,
  eventKey: string,
): Promise<void> => {
  await kit.deps.message.notify(db, { ...text, userId: due.userId, examId: due.examId, kind: 2, link: payPage, eventKey })
}

/** Writes what the sign-up shows about all its dues. Call after the last change of a due. */
export const mirror = async (kit: PayKit, db: TenantDb, signupId: string): Promise<ReturnType<typeof mirrorOf>> => {
  const rows = await db.all(sql<{ state: DueState }>`select state from exam_pay where signup_id = ${signupId} and not is_deleted`)
  const state = mirrorOf(rows.map(row => row.state))
  await kit.deps.mirrorPayState(db, signupId, state)
  return state
}

/**
 * A task for finance, with a notice to each of them. The same open alarm about the same order is raised once; alarms without an
 * order (refused notices) at most once an hour, so that a stranger cannot fill the table.
 */
export const raiseAlarm = async (
  kit: PayKit,
  db: TenantDb,
  alarm: { readonly orderId: string | null; readonly kind: string; readonly detail: string },
): Promise<void> => {
  const detail = alarm.detail.slice(0, 500)
  const raised = await db.maybe(sql<{ id: string }>`
    insert into pay_alarm (tenant_id, order_id, kind, detail)
    select ${db.actor.tenantId}, ${alarm.orderId}::bigint, ${alarm.kind}, ${detail}
    where not exists (
      select 1 from pay_alarm where kind = ${alarm.kind} and order_id is not distinct from ${alarm.orderId}::bigint and handled_at is null
        and (order_id is not null or created_at > app_now() - interval '1 hour'))
    returning id::text as id`)
  if (!raised) return
  kit.services.log.warn({ kind: alarm.kind, alarm: raised.id }, 'payment alarm')
  const finance = await db.all(sql<{ id: string }>`
    select distinct a.user_id::text as id from account_role a join role r on r.tenant_id = a.tenant_id and r.id = a.role_id where r.role_alias = 'finance'`)
  for (const { id } of finance)
    await kit.deps.message.notify(db, {
      ...alarmText(alarm.kind, detail),
      userId: id,
      examId: null,
      kind: 7,
      link: '/pay/payOrder',
      eventKey: `pay-alarm:${raised.id}`,
    })
}
