import { platformTenant } from '#contract/kernel/platform.ts'
import { headProblems } from '#kernel/audit-chain/heads.ts'
import type { Handler } from '#kernel/http/context.ts'
import type { Invariant } from '#kernel/invariant.ts'
import type { Task } from '#kernel/queue/outbox.ts'
import type { Processor } from '#kernel/queue/processor.ts'
import { statesInvariant } from './data/states.repo.ts'
import type { InstallationDeps, InstallationKit } from './deps.ts'
import { installationHandlers } from './http.ts'
import { checkOrdered, checkProcessor } from './jobs/check.ts'

/** Whether the installation is as it should be: its data. */
export interface InstallationModule {
  readonly handlers: readonly Handler[]
  readonly tasks: readonly Task[]
  readonly processors: readonly Processor[]
  readonly invariants: readonly Invariant[]
  /** What should be true, of all contexts. */
  readonly bind: (invariants: readonly Invariant[]) => void
  /** How long a statement of a check may take, in milliseconds; undefined for the usual minute. */
  readonly limit: (ms: number | undefined) => void
}

/** A check that takes longer is told as not made, and nobody waits for it. */
const usualStatementMs = 60_000

const auditHeads = ({ services }: InstallationDeps): Invariant => ({
  name: 'audit.heads',
  label: { zh: '审计链头与留底一致', en: 'Heads of the audit chains' },
  means: {
    zh: '审计链不再包含此前留底的链头（被截断或恢复自旧备份），留底被改动，或新记录十分钟仍未封存。',
    en: 'A chain no longer holds a head that was written down (it was cut, or comes from an old backup), what was written down was changed, or lines wait for their seal.',
  },
  watches: ['audit_pending'],
  page: '/monitor/audit',
  by: 'installation',
  walk: async (report, { now }) => {
    const { pools, keys, config } = services
    for (const one of await headProblems(pools.kaopu_platform, {
      key: keys.auditKey,
      dataDir: config.dataDir,
      second: config.auditJournal,
      now,
    })) {
      if (one.kind === 'lost') report(one.tenant, { id: `seal ${one.seq}`, name: `seal ${one.seq}`, found: '-', expected: one.where })
      else if (one.kind === 'journal') report(platformTenant, { id: one.where, name: one.where, found: `${one.lines}`, expected: '0' })
      else report(one.tenant, { id: 'unsealed', name: one.since.toISOString(), found: `${one.lines}`, expected: '0' })
    }
  },
})

export const createInstallationModule = (deps: InstallationDeps): InstallationModule => {
  let all: readonly Invariant[] = []
  let statementMs = usualStatementMs
  const kit: InstallationKit = { ...deps, invariants: () => all, statementMs: () => statementMs }
  return {
    handlers: installationHandlers(kit),
    tasks: [checkOrdered(kit)],
    processors: [checkProcessor(kit)],
    invariants: [auditHeads(deps), statesInvariant],
    bind: invariants => {
      all = invariants
    },
    limit: ms => {
      statementMs = ms ?? usualStatementMs
    },
  }
}
