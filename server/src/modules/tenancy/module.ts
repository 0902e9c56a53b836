import { platformTenant } from '#contract/kernel/platform.ts'
import type { Resource } from '#contract/kernel/resource.ts'
import { param } from '#contract/tenancy/param.resource.ts'
import type { Handler } from '#kernel/http/context.ts'
import type { Invariant } from '#kernel/invariant.ts'
import type { Processor } from '#kernel/queue/processor.ts'
import { shareReads } from '#kernel/shared-reads.ts'
import { clientHandlers } from './client.http.ts'
import { tenancyInvariants } from './data/invariants.repo.ts'
import { findTenantByDomain, isTenant } from './data/tenant.repo.ts'
import type { TenancyDeps } from './deps.ts'
import { paramRules } from './imports/params.ts'
import { gatherCountsProcessor } from './jobs/gather-counts.ts'
import { platformNounHandlers } from './package.http.ts'
import { paramHandlers } from './param.http.ts'
import { tenantHandlers } from './tenant.http.ts'
import { tenantInfoHandler } from './tenant-info.http.ts'

/** Tenants with what they may use, the programs that call, and the parameters all of it follows. */
export interface TenancyModule {
  readonly handlers: readonly Handler[]
  readonly invariants: readonly Invariant[]
  readonly processors: readonly Processor[]
  /** The tenant of a call without a session: named and live, else by host, else the first (decision 4.6). */
  readonly tenantOf: (request: { named: string | undefined; host: string }) => Promise<string>
  /** Forgets which address belongs to which tenant. */
  readonly clearCache: () => void
}

/** A tenant's domain changes rarely; calls before login ask for it each time. */
const tenantCacheMs = 5_000

export const createTenancyModule = (deps: TenancyDeps): TenancyModule => {
  const { services, transfer } = deps
  const tenants = shareReads(
    (call: string): Promise<string> => {
      const [named = '', host = ''] = JSON.parse(call) as string[]
      return services.scopes.asPlatform('a call before login belongs to a tenant by its address', services.clock.now(), async db => {
        if (named && (await isTenant(db, named))) return named
        return (await findTenantByDomain(db, host))?.tenantId ?? platformTenant
      })
    },
    { clock: services.clock, maxAgeMs: tenantCacheMs, maxEntries: 1_000 },
  )
  return {
    invariants: tenancyInvariants,
    handlers: [
      ...paramHandlers(deps),
      ...platformNounHandlers(deps),
      ...tenantHandlers(deps),
      ...clientHandlers(services),
      tenantInfoHandler(deps),
      ...transfer.nounImport(param as Resource, paramRules),
    ],
    processors: [gatherCountsProcessor(deps)],
    tenantOf: ({ named, host }) => tenants.of(JSON.stringify([named ?? '', host])),
    clearCache: tenants.clear,
  }
}
