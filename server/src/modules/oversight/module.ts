import { systemOf } from '#kernel/db/scope.ts'
import type { Holding } from '#kernel/holding.ts'
import type { Handler } from '#kernel/http/context.ts'
import { countTenant } from './commands/count.ts'
import { oversightHoldings } from './data/holdings.repo.ts'
import { tenantsWithNews } from './data/tally.repo.ts'
import type { OversightDeps } from './deps.ts'
import { monitorHandlers } from './monitor.http.ts'
import { watchHandlers } from './watch.http.ts'

/** A line is sealed within a second and counted within some more. */
const everyMs = 5_000

/** Who is here, what was done, and what is unusual about it. */
export interface OversightModule {
  readonly handlers: readonly Handler[]
  readonly holdings: readonly Holding[]
  /** Counts everything that is sealed now, of every tenant that another process does not count at the moment. @returns alerts raised */
  readonly count: () => Promise<number>
  /** Counts every few seconds until it is stopped. Every process may: each tenant is held by one of them at a time. */
  readonly start: () => void
  readonly stop: () => Promise<void>
}

export const createOversightModule = (deps: OversightDeps): OversightModule => {
  const { scopes, clock, log } = deps.services
  let timer: NodeJS.Timeout | undefined
  let isStopped = false
  let isBusy = false
  let working: Promise<unknown> = Promise.resolve()

  const countOne = async (tenantId: string): Promise<number> => {
    let all = 0
    for (;;) {
      const { more, raised } = await scopes.tx(systemOf(tenantId), clock.now(), db => countTenant(deps, db))
      all += raised
      if (!more || isStopped) return all
    }
  }
  const count = async (): Promise<number> => {
    const tenants = await scopes.asPlatform('every tenant is watched', clock.now(), tenantsWithNews)
    let all = 0
    for (const tenantId of tenants) {
      if (isStopped) break
      try {
        all += await countOne(tenantId)
      } catch (error) {
        // What one tenant has wrong must not leave the others unwatched.
        log.error({ err: error, tenant: tenantId }, 'unusual volume was not looked for')
      }
    }
    return all
  }
  const tick = (): void => {
    if (isBusy || isStopped) return
    isBusy = true
    working = count()
      .catch((error: unknown) => {
        if (!isStopped) log.error({ err: error }, 'unusual volume was not looked for')
      })
      .finally(() => {
        isBusy = false
      })
  }
  return {
    holdings: oversightHoldings,
    handlers: [...watchHandlers(), ...monitorHandlers(deps)],
    count,
    start: () => {
      timer = setInterval(tick, everyMs)
      timer.unref()
      tick()
    },
    stop: async () => {
      isStopped = true
      clearInterval(timer)
      await working
    },
  }
}
