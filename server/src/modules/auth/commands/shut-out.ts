import { toWireTime } from '#contract/kernel/when.ts'
import { audit } from '#kernel/audit.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import type { Ctx } from '#kernel/http/context.ts'
import { startLock, type TryPlace } from '../data/account.repo.ts'

/** Locks where the wrong tries were made. The lock of an account is in the trail, once however many tries raced; a name that nobody has is not. */
export const shutOut = async (ctx: Ctx, db: TenantDb, place: TryPlace, until: Date): Promise<void> => {
  const isNew = await startLock(db, place, until)
  if (!isNew || !('accountId' in place)) return
  await audit(db, ctx, {
    action: 'account.shut-out',
    entity: 'account',
    entityId: place.accountId,
    after: { until: toWireTime(until), isOneDevice: place.deviceHash !== undefined },
  })
}
