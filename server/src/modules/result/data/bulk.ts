import type { TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'

/**
 * For transactions over a whole list: rows written a moment ago have no statistics yet, so the planner believes in a handful of them
 * and would compare each with each (10,000 results took 11 s instead of less than half a second). Lasts until the transaction ends.
 */
export const joinByHash = async (db: TenantDb): Promise<void> => {
  db.planAnew()
  await db.run(sql`set local enable_nestloop = off`)
}
