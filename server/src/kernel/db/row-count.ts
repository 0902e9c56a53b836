import { isNarrowed, type PlatformDb, type TenantDb } from './scope.ts'
import { sql } from './sql.ts'

/** The tables whose rows are counted as they come and go (triggers `count_…_row`); accounts by their kinds. */
export type Counted = 'param' | `account ${1 | 2 | 3}`

/**
 * How many rows of these there are, removed ones aside: the sum of what came and went, and as exact as counting them. Undefined for whoever
 * is narrowed: they count what they reach.
 */
export const keptCount = async (db: TenantDb, counted: readonly Counted[]): Promise<number | undefined> => {
  if (isNarrowed(db.actor)) return undefined
  const { n } = await db.one(sql<{ n: number }>`
    select coalesce(sum(n), 0)::int as n from row_count where tenant_id = ${db.actor.tenantId} and counted = any(${[...counted]})`)
  return n
}

/** Puts what came and went since the last time into one line each. Lines that others take together meanwhile are left to them. */
export const gatherCounts = (db: PlatformDb): Promise<number> =>
  db.run(sql`
    with gone as (delete from row_count where id in (select id from row_count for update skip locked) returning tenant_id, counted, n)
    insert into row_count (tenant_id, counted, n) select tenant_id, counted, sum(n) from gone group by tenant_id, counted`)
