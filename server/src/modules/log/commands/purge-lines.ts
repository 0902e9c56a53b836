import { fromWireTime, toWireDay } from '#contract/kernel/when.ts'
import { refuseLog } from '#contract/log/log.errors.ts'
import { leastKeptDays, type PurgedKind } from '#contract/log/log.ts'
import { audit } from '#kernel/audit.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import type { Ctx } from '#kernel/http/context.ts'
import { enqueue } from '#kernel/queue/outbox.ts'
import { countBefore } from '../data/read.repo.ts'
import { dayMs } from '../jobs/purge.ts'

/** Has lines of earlier days removed, once the caller has seen how many they are. */
export const purgeLines = async (
  ctx: Ctx,
  db: TenantDb,
  kind: PurgedKind,
  input: { readonly before: string; readonly expected?: number; readonly reason?: string },
) => {
  const before = fromWireTime(`${input.before} 00:00:00`) ?? ctx.arrivedAt
  const days = leastKeptDays[kind]
  const latest = new Date(ctx.arrivedAt.getTime() - days * dayMs)
  if (before > latest) return refuseLog('log/too-young', { before: toWireDay(latest), days })
  const total = await countBefore(db, kind, ctx.tenantId, before)
  if (input.expected === undefined) return { count: total, done: false }
  if (input.expected !== total) return refuseLog('log/count-changed', { expected: input.expected, found: total })
  await enqueue(db, 'log.purge-now', { kind, before: before.toISOString() })
  await audit(db, ctx, {
    action: 'log.purged',
    entity: `log_${kind}`,
    entityId: null,
    after: { before: input.before, count: total },
    ...(input.reason ? { reason: input.reason } : {}),
  })
  return { count: total, done: true }
}
