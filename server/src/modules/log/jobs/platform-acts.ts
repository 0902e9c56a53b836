import { auditEach } from '#kernel/audit.ts'
import { systemOf } from '#kernel/db/scope.ts'
import { type PlatformAct, platformActTask } from '#kernel/platform-audit.ts'
import type { Task } from '#kernel/queue/outbox.ts'
import type { Services } from '#server/services.ts'
import { hasLine, tenantsOf } from '../data/platform-act.repo.ts'

/** Writes the line of an act of the platform into the trail of each tenant that it touches (ADR 0270). */
export const platformActs = ({ scopes, clock }: Pick<Services, 'scopes' | 'clock'>): Task<PlatformAct> => ({
  name: platformActTask,
  run: async act => {
    const tenants = await scopes.asPlatform('an act of the platform stands in the trail of each tenant it touches', clock.now(), db =>
      tenantsOf(db, act),
    )
    const { entry, origin } = act
    const after = { ...(typeof entry.after === 'object' ? entry.after : {}), by: act.by }
    for (const tenantId of tenants)
      await scopes.tx(systemOf(tenantId), clock.now(), async db => {
        if (!(await hasLine(db, act))) await auditEach(db, { ...origin, session: undefined }, [{ ...entry, after }])
      })
  },
})
