import type { Scopes } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'
import { ensureTenant } from '../../seed/base/seed-base.ts'

/** The instant every test starts at: a day of the sign-up window of domain 11. */
export const testStart = '2026-03-17T10:00:00+08:00'

/** Most files take fewer than that; one more costs every file a little, and whoever takes more has them made. */
const count = 24

const idOf = (serial: number): string => `ready${serial}`

/** Tenants with all that one begins with, in the database that every file clones. Nobody sees them until a test takes one. */
export const makeReadyTenants = async (scopes: Scopes): Promise<void> => {
  const now = new Date(testStart)
  for (let serial = 1; serial <= count; serial++)
    await ensureTenant(scopes, now, { tenantId: idOf(serial), name: `测试机构${serial}`, domain: null })
  await scopes.asPlatform('tests take these tenants one by one', now, db =>
    db.run(sql`update tenant set is_deleted = true where tenant_id like 'ready%'`),
  )
}

/** @returns the tenant, as if it had been made now; undefined when all are taken */
export const takeReadyTenant = async (scopes: Scopes, now: Date, serial: number): Promise<string | undefined> => {
  if (serial > count) return undefined
  await scopes.asPlatform('a test takes a tenant', now, db =>
    db.run(sql`update tenant set is_deleted = false where tenant_id = ${idOf(serial)}`),
  )
  return idOf(serial)
}
