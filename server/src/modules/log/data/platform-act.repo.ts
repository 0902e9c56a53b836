import { platformTenant } from '#contract/kernel/platform.ts'
import type { PlatformDb, TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'
import type { PlatformAct } from '#kernel/platform-audit.ts'

/** Tenants that an act of the platform touches, the platform's own left out: it has its line already. */
export const tenantsOf = async (db: PlatformDb, { touches }: Pick<PlatformAct, 'touches'>): Promise<string[]> => {
  if (typeof touches === 'object' && !('without' in touches)) return touches.filter(tenantId => tenantId !== platformTenant)
  const own =
    touches === 'all'
      ? sql`false`
      : sql`exists (select 1 from ${sql.table(touches.without)} o where o.tenant_id = t.tenant_id and o.status = 2 and not o.is_deleted)`
  const rows = await db.all(
    sql<{
      id: string
    }>`select t.tenant_id as id from tenant t where not t.is_deleted and t.tenant_id <> ${platformTenant} and not ${own} order by 1`,
  )
  return rows.map(({ id }) => id)
}

/** Whether the line is there: the task has run before and was broken off. */
export const hasLine = async (db: TenantDb, { entry, origin }: PlatformAct): Promise<boolean> =>
  (await db.maybe(sql`
    select 1 from audit_log where tenant_id = ${db.actor.tenantId} and trace_id = ${origin.traceId} and action = ${entry.action}
      and entity_id is not distinct from ${entry.entityId} and actor_kind = 'system' limit 1`)) !== undefined
