import { platformTenant } from '#contract/kernel/platform.ts'
import { grantTypes, webClientId } from '#contract/tenancy/client.resource.ts'
import { hashToken } from '#kernel/crypto/token.ts'
import { type Scopes, systemOf, type TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'
import { expandAllPackages } from '#modules/tenancy/data/package.repo.ts'
import { seedPlatformParams } from '#modules/tenancy/data/param.repo.ts'
import { parameterSeeds } from './parameters.ts'
import { seedProcesses } from './processes.ts'
import { seedRegions, seedSchools } from './reference.ts'
import { seedDigest } from './seed-digest.ts'
import { seedTenant } from './seed-tenant.ts'
import { seedSystemDictionary } from './system-dictionary.ts'

export { platformTenant }

export interface TenantSeed {
  readonly tenantId: string
  readonly name: string
  readonly domain: string | null
}

/** Everything a tenant begins with. Safe to run again. */
export const fillTenant = async (db: TenantDb): Promise<void> => {
  await seedTenant(db)
  await seedSchools(db)
}

export const ensureTenant = async (scopes: Scopes, now: Date, tenant: TenantSeed): Promise<void> => {
  await scopes.asPlatform('a tenant is made before anything can belong to it', now, db =>
    db.run(
      sql`insert into tenant (tenant_id, tenant_name, domain) values (${tenant.tenantId}, ${tenant.name}, ${tenant.domain}) on conflict (tenant_id) do nothing`,
    ),
  )
  await scopes.tx(systemOf(tenant.tenantId), now, async db => {
    await unhurried(db)
    const seeded = await db.maybe(sql`select 1 from seed_state where digest = ${seedDigest()}`)
    if (!seeded) await seedTenant(db)
  })
}

/** The web of this program: its secret is public by nature (decision 1.4). */
const seedWebClient = async (db: TenantDb): Promise<void> => {
  await db.run(sql`
    insert into oauth_client (tenant_id, client_id, client_name, secret_hash, authorized_grant_types, access_token_validity, refresh_token_validity, ignores_unknown_conditions)
    values (${db.actor.tenantId}, ${webClientId}, '考谱网页端', ${hashToken(webClientId)}, ${grantTypes.join(',')}, 3600, 604800, 0)
    on conflict do nothing`)
  // A grant that came with a new release reaches the web of an installation that is there already.
  await db.run(sql`
    update oauth_client set authorized_grant_types = ${grantTypes.join(',')}, updated_at = app_now(), version = version + 1
    where client_id = ${webClientId} and authorized_grant_types <> ${grantTypes.join(',')}`)
}

/** Nobody waits for a seed: on a slow machine it takes longer than a call may. */
export const unhurried = async (db: Pick<TenantDb, 'run'>): Promise<void> => void (await db.run(sql`set local statement_timeout = 0`))

/** What every installation needs at its start. A menu or parameter that came with a new release reaches every tenant, and its package decides; a tenant that has all of it is not
 * gone through again. */
export const seedBase = async (scopes: Scopes, now: Date): Promise<void> => {
  const tenants = await scopes.asPlatform('regions, words and tenants belong to the whole installation', now, async db => {
    await unhurried(db)
    await seedRegions(db)
    await seedSystemDictionary(db)
    await seedPlatformParams(db, parameterSeeds)
    return db.all(
      sql<{
        tenantId: string
      }>`select t.tenant_id as "tenantId" from tenant t
          where not t.is_deleted and t.status <> 0 and t.tenant_id <> ${platformTenant}
            and not exists (select 1 from seed_state s where s.tenant_id = t.tenant_id and s.digest = ${seedDigest()})`,
    )
  })
  await ensureTenant(scopes, now, { tenantId: platformTenant, name: '区卫生健康局', domain: null })
  await scopes.tx(systemOf(platformTenant), now, async db => {
    await unhurried(db)
    await seedSchools(db)
    await seedProcesses(db)
    await expandAllPackages(db)
    await seedWebClient(db)
  })
  for (const { tenantId } of tenants)
    await scopes.tx(systemOf(tenantId), now, async db => {
      await unhurried(db)
      await seedTenant(db)
    })
}
