import { refuse } from '#contract/kernel/errors.ts'
import type { Refusal } from '#contract/kernel/refusal.ts'
import { refusePay } from '#contract/pay/pay.errors.ts'
import { audit } from '#kernel/audit.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import type { Ctx } from '#kernel/http/context.ts'
import { lockAlarm, markHandled } from '../data/alarm.repo.ts'
import { reachesAlarm } from './pay-scope.ts'

/** Closes an alarm about money with what was done about it. Refusals: kernel/not-found, pay/alarm-closed. */
export const closeAlarm = async (
  ctx: Ctx,
  db: TenantDb,
  input: { readonly id: string; readonly remark: string },
): Promise<{ id: string } | Refusal> => {
  const alarm = await lockAlarm(db, input.id)
  if (!alarm || !(await reachesAlarm(ctx, db, input.id))) return refuse('kernel/not-found', {})
  if (alarm.isHandled) return refusePay('pay/alarm-closed', {})
  await markHandled(db, input.id, input.remark)
  await audit(db, ctx, {
    action: 'payalarm.closed',
    entity: 'payalarm',
    entityId: input.id,
    before: { kind: alarm.kind },
    after: { closed: true },
    reason: input.remark,
  })
  return { id: input.id }
}
