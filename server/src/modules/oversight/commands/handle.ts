import { refuse } from '#contract/kernel/errors.ts'
import { step } from '#contract/kernel/machine.ts'
import type { Refusal } from '#contract/kernel/refusal.ts'
import { type AlertEvent, alertMachine } from '#contract/oversight/alert.state.ts'
import { refuseWatch } from '#contract/oversight/watch.errors.ts'
import { audit } from '#kernel/audit.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { transition } from '#kernel/db/transition.ts'
import type { Ctx } from '#kernel/http/context.ts'
import { type AlertRow, insertStep, lockAlert } from '../data/alert.repo.ts'

/** Whoever has the role that an alert is about does not judge it. */
export const isOwnRole = (ctx: Ctx, alert: Pick<AlertRow, 'roleAlias'>): boolean =>
  alert.roleAlias !== '' && (ctx.session?.roleAliases.has(alert.roleAlias) ?? false)

const past = { take: 'taken', find: 'closed', dismiss: 'closed' } as const

/**
 * Moves an alert: somebody looks at it, or says what it was. An alert about the caller is not there for them.
 *
 * Refusals: kernel/not-found, watch/own-role, watch/handled, kernel/changed-meanwhile.
 */
export const moveAlert = async (
  ctx: Ctx,
  db: TenantDb,
  wanted: { readonly id: string; readonly version?: number; readonly words?: string },
  event: AlertEvent,
): Promise<{ id: string; state: number } | Refusal> => {
  const alert = await lockAlert(db, wanted.id)
  if (!alert) return refuse('kernel/not-found', {})
  if (isOwnRole(ctx, alert)) return refuseWatch('watch/own-role', {})
  const to = step(alertMachine, alert.state, event)
  if (to === undefined) return refuseWatch('watch/handled', {})
  if (wanted.version !== undefined && wanted.version !== alert.version) return refuse('kernel/changed-meanwhile', {})
  const words = (wanted.words ?? '').trim()
  await transition(db, 'watch_alert', alert.id, { from: alert.state, to }, { handler_id: db.actor.userId, handled_at: db.now })
  await insertStep(db, alert.id, event, words)
  await audit(db, ctx, {
    action: `alert.${past[event]}`,
    entity: 'watch_alert',
    entityId: alert.id,
    before: { state: alert.state },
    after: { state: to },
    ...(words === '' ? {} : { reason: words }),
  })
  return { id: alert.id, state: alertMachine.wire[to] }
}
