import type { TenantDb } from './scope.ts'
import { sql } from './sql.ts'

/**
 * Holds a named lock of this tenant until the transaction ends. Take locks in alphabetical order of their names, before reading
 * the facts they guard.
 */
export const lock = async (db: TenantDb, name: string): Promise<void> => {
  await db.run(sql`select pg_advisory_xact_lock(hashtextextended(${`${db.actor.tenantId}|${name}`}, 0))`)
}
