import { refuseAuth } from '#contract/auth/auth.errors.ts'
import type { Refusal } from '#contract/kernel/refusal.ts'
import { lock } from '#kernel/db/lock.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'

/** Refuses when the tenant has not paid for so many more accounts of staff; candidates are not counted. Held until the transaction ends. */
export const refuseFull = async (db: TenantDb, more: number): Promise<Refusal | undefined> => {
  await lock(db, 'staff-accounts')
  const { limit, used } = await db.one(sql<{ limit: number; used: number }>`
    select (select account_number from tenant where tenant_id = ${db.actor.tenantId}) as limit,
      (select count(*)::int from account where user_type = 1 and status in (1, 2, 4) and not is_deleted) as used`)
  return limit > 0 && used + more > limit ? refuseAuth('auth/tenant-full', { limit }) : undefined
}
