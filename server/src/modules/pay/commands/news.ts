import type { TenantDb } from '#kernel/db/scope.ts'
import type { Notice } from '#modules/message/index.ts'
import { listFinance, raiseOnce } from '../data/alarm.repo.ts'
import { type DueRow, statesOfDues } from '../data/due.repo.ts'
import type { PayKit } from '../deps.ts'
import { mirrorOf } from '../domain/payable.ts'
import { alarmText } from '../templates/notices.ts'

/** Where payment notices lead (S2.13). */
export const payPage = '/signup/examPay'

/** Tells the person who owes or paid; once per event. */
export const tellOwner = async (
  kit: PayKit,
  db: TenantDb,
  due: Pick<DueRow, 'userId' | 'examId'>,
  text: Pick<Notice, 'title' | 'content' | 'words'>,
  eventKey: string,
): Promise<void> => {
  await kit.deps.message.notify(db, { ...text, userId: due.userId, examId: due.examId, kind: 2, link: payPage, eventKey })
}

/** Writes what the sign-up shows about all its dues. Call after the last change of a due. */
export const mirror = async (kit: PayKit, db: TenantDb, signupId: string): Promise<ReturnType<typeof mirrorOf>> => {
  const state = mirrorOf(await statesOfDues(db, signupId))
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
  const raised = await raiseOnce(db, { ...alarm, detail })
  if (!raised) return
  kit.services.log.warn({ kind: alarm.kind, alarm: raised.id }, 'payment alarm')
  await tellFinance(kit, db, { text: alarmText(alarm.kind, detail), link: '/pay/payAlarm', eventKey: `pay-alarm:${raised.id}` })
}

/** Tells each person of finance; once per event. */
export const tellFinance = async (
  kit: PayKit,
  db: TenantDb,
  news: { readonly text: Pick<Notice, 'title' | 'content'>; readonly link: string; readonly eventKey: string },
): Promise<void> => {
  const { text, link, eventKey } = news
  for (const { id } of await listFinance(db))
    await kit.deps.message.notify(db, { ...text, userId: id, examId: null, kind: 7, link, eventKey })
}
