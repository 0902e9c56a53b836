import type { TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'

/** What the tenant of this scope is called and where it lives. */
export const findOwnTenant = (db: TenantDb): Promise<{ name: string; domain: string | null } | undefined> =>
  db.maybe(
    sql<{ name: string; domain: string | null }>`select tenant_name as name, domain from tenant where tenant_id = ${db.actor.tenantId}`,
  )
