import { platformTenant } from '#contract/kernel/platform.ts'
import { type PurgedKind, purgedKinds } from '#contract/log/log.ts'
import { systemOf } from '#kernel/db/scope.ts'
import { enqueue, type Task } from '#kernel/queue/outbox.ts'
import type { Services } from '#server/services.ts'
import { deleteBefore, listTenants } from '../data/read.repo.ts'
import type { Lines, LogSettings } from '../lines.ts'

const hourMs = 3_600_000
export const dayMs = 24 * hourMs
/** Rows of one transaction: short enough that nobody waits for it. */
const step = 5_000

export interface PurgeDeps {
  readonly services: Services
  readonly lines: Lines
  readonly settings: (tenantId: string) => Promise<LogSettings>
}

const purge = async ({ services }: PurgeDeps, kind: PurgedKind, tenantId: string, before: Date): Promise<number> => {
  for (let removed = 0; ; ) {
    const count = await services.scopes.asPlatform(
      'lines that nobody may change are removed when they are too old',
      services.clock.now(),
      db => deleteBefore(db, kind, tenantId, before, step),
    )
    removed += count
    if (count < step) return removed
  }
}

/** Starts the purge of every tenant's logs; each run orders the next. */
export const startPurge = ({ services }: Pick<PurgeDeps, 'services'>, runAt?: Date): Promise<void> =>
  services.scopes.tx(systemOf(platformTenant), services.clock.now(), db =>
    enqueue(db, 'log.purge', {}, { runAt: runAt ?? db.now, jobKey: 'log-purge' }),
  )

export const purgeTasks = (deps: PurgeDeps): Task[] => {
  const { services, lines, settings } = deps
  const { scopes, clock } = services
  return [
    {
      name: 'log.purge',
      run: async () => {
        const tenants = await scopes.asPlatform('every tenant has its logs', clock.now(), listTenants)
        for (const tenantId of tenants) {
          const { days } = await settings(tenantId)
          for (const kind of purgedKinds) {
            const removed = await purge(deps, kind, tenantId, new Date(clock.now().getTime() - days[kind] * dayMs))
            if (removed > 0) lines.say(tenantId, 'info', 'log.purge', { log: kind, removed, days: days[kind] })
          }
        }
        await startPurge(deps, new Date(clock.now().getTime() + hourMs))
      },
    },
    {
      name: 'log.purge-now',
      run: async ({ tenantId, kind, before }: { tenantId: string; kind?: PurgedKind; before?: string }) => {
        if (kind === undefined || before === undefined) return
        const removed = await purge(deps, kind, tenantId, new Date(before))
        lines.say(tenantId, 'info', 'log.purge', { log: kind, removed, before })
      },
    } satisfies Task<{ kind?: PurgedKind; before?: string }> as Task,
  ]
}
