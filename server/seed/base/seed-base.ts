import { type Scopes, systemOf } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'
import { seedRegions, seedSchools } from './reference.ts'
import { seedTenant } from './seed-tenant.ts'

/** The tenant that is platform and district bureau at once (decision 1.5). */
export const platformTenant = '000000'

export interface TenantSeed {
  readonly tenantId: string
  readonly name: string
  readonly domain: string | null
}

export const ensureTenant = async (scopes: Scopes, now: Date, tenant: TenantSeed): Promise<void> => {
  await scopes.asPlatform('a tenant is made before anything can belong to it', now, db =>
    db.run(
      sql`insert into tenant (tenant_id, tenant_name, domain) values (${tenant.tenantId}, ${tenant.name}, ${tenant.domain}) on conflict (tenant_id) do nothing`,
    ),
  )
  await scopes.tx(systemOf(tenant.tenantId), now, seedTenant)
}

/** What every installation needs at its first start. */
export const seedBase = async (scopes: Scopes, now: Date): Promise<void> => {
  await scopes.asPlatform('regions belong to the whole installation', now, seedRegions)
  await ensureTenant(scopes, now, { tenantId: platformTenant, name: '区卫生健康局', domain: null })
  await scopes.tx(systemOf(platformTenant), now, seedSchools)
}
