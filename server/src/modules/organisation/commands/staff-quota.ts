import { refuseAuth } from '#contract/auth/auth.errors.ts'
import type { Refusal } from '#contract/kernel/refusal.ts'
import { lock } from '#kernel/db/lock.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { staffQuota } from '../data/user-admin.repo.ts'

/** Refuses when the tenant has not paid for so many more accounts of staff; candidates are not counted. Held until the transaction ends. */
export const refuseFull = async (db: TenantDb, more: number): Promise<Refusal | undefined> => {
  await lock(db, 'staff-accounts')
  const { limit, used } = await staffQuota(db)
  return limit > 0 && used + more > limit ? refuseAuth('auth/tenant-full', { limit }) : undefined
}
