import { platformTenant } from '#contract/kernel/platform.ts'
import { systemOf } from '#kernel/db/scope.ts'
import type { Task } from '#kernel/queue/outbox.ts'
import type { Processor } from '#kernel/queue/processor.ts'
import { checkTask } from '../commands/ask.ts'
import { checkAll } from '../commands/check.ts'
import { giveUpDead, insertRun, purgeRuns, takeRun } from '../data/invariant.repo.ts'
import type { InstallationKit } from '../deps.ts'

/** Runs are kept for so long after their end. */
const keptDays = 90
const dayMs = 86_400_000

export const checkProcessor = (kit: InstallationKit): Processor => ({
  name: 'installation.check-invariants',
  label: { zh: '核对数据', en: 'Check the data' },
  help: {
    zh: '逐机构核对金额、座位、状态、计数、额度、审计链和文件是否彼此一致；不一致的列入“数据核对”并告警一次，不自动更改',
    en: 'Compares sums, seats, states, counters, quotas, the audit chain and files of every tenant with what they stand for; what does not agree is listed under Data checks and told once, nothing is changed',
  },
  scope: 'platform',
  own: { cron: '0 10 * * * ?', mayPause: true },
  run: async ({ now, log, signal }) => {
    const { scopes, runner } = kit.services
    await scopes.asPlatform('runs of every tenant grow old', now, db => purgeRuns(db, new Date(now.getTime() - keptDays * dayMs)))
    const id = await scopes.tx(systemOf(platformTenant), now, async db => {
      await giveUpDead(db)
      const made = await insertRun(db, null)
      return made !== undefined && (await takeRun(db, made, runner)) ? made : undefined
    })
    if (id === undefined) return { zh: '已有一次核对正在进行', en: 'A run goes on already' }
    const { found, isStopped, tenants } = await checkAll(kit, { id, tenantId: platformTenant }, signal)
    if (isStopped) return { zh: '已停止', en: 'Stopped' }
    if (found > 0) log(3, { zh: '不一致的数据见“数据核对”', en: 'Data checks lists what does not agree' })
    return found === 0
      ? { zh: `核对 ${tenants} 个机构，全部一致`, en: `${tenants} tenants checked, all agree` }
      : { zh: `核对 ${tenants} 个机构，发现 ${found} 处不一致`, en: `${tenants} tenants checked, ${found} rows do not agree` }
  },
})

/** A run that somebody ordered. One that was begun by a process that is no more is not begun again: people order another. */
export const checkOrdered = (kit: InstallationKit): Task =>
  ({
    name: checkTask,
    maxAttempts: 1,
    run: async ({ tenantId, id = '0' }: { tenantId: string; id?: string }) => {
      const { scopes, clock, runner } = kit.services
      if (await scopes.tx(systemOf(tenantId), clock.now(), db => takeRun(db, id, runner)))
        await checkAll(kit, { id, tenantId }, new AbortController().signal)
    },
  }) satisfies Task<{ id?: string }> as Task
