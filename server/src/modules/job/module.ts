import { statfsSync } from 'node:fs'
import { availableParallelism, totalmem } from 'node:os'
import { nextDue, timing } from '#contract/job/schedule.ts'
import { runKind } from '#contract/job/words.ts'
import { platformTenant } from '#contract/kernel/platform.ts'
import { toWireTime } from '#contract/kernel/when.ts'
import { systemOf, type TenantDb } from '#kernel/db/scope.ts'
import type { Holding } from '#kernel/holding.ts'
import type { Handler } from '#kernel/http/context.ts'
import type { Invariant } from '#kernel/invariant.ts'
import { afterDays, type Processor } from '#kernel/queue/processor.ts'
import { thisServer } from '#kernel/this-server.ts'
import { refreshRuns } from './commands/run-job.ts'
import { jobHoldings } from './data/holdings.repo.ts'
import { insertRun, listJobsAtServers } from './data/instance.repo.ts'
import { jobInvariants } from './data/invariants.repo.ts'
import { findOwn } from './data/job.repo.ts'
import { insertOwnJobs, purgeRuns } from './data/schedule.repo.ts'
import type { JobDeps, JobKit } from './deps.ts'
import { jobHandlers } from './http.ts'
import { createScheduler, type Scheduler } from './scheduler/scheduler.ts'

const dayMs = 86_400_000
/** Runs are kept so long after their end. */
const keptDays = 30
const gib = 1024 ** 3

/** Scheduled jobs: what runs when, where, and how it went. */
export interface JobModule {
  readonly handlers: readonly Handler[]
  readonly invariants: readonly Invariant[]
  readonly holdings: readonly Holding[]
  readonly processors: readonly Processor[]
  /** What jobs may name, once all contexts are there. */
  readonly bind: (processors: readonly Processor[]) => void
  /** Puts the program's own work among the platform's jobs. */
  readonly ensureOwn: () => Promise<void>
  /** Lets own work run now, beside its times: the clock was moved. */
  readonly runOwn: (processor: string) => Promise<void>
  readonly scheduler: Scheduler
}

export const createJobModule = (deps: JobDeps & { readonly mayRun: () => boolean }): JobModule => {
  const { scopes, clock, runner, config } = deps.services
  let all: readonly Processor[] = []
  const kit: JobKit = {
    ...deps,
    processors: {
      all: () => all,
      find: (tenantId, name) => all.find(one => one.name === name && (one.scope === 'tenant' || tenantId === platformTenant)),
      ofPlatform: () => all.filter(({ scope }) => scope === 'platform').map(({ name }) => name),
    },
  }
  const disk = (): number => {
    const { bsize, bavail } = statfsSync(config.dataDir)
    return (bsize * bavail) / gib
  }
  const me = {
    runner,
    host: `${thisServer.host} ${thisServer.ip}`,
    names: [thisServer.host, thisServer.ip],
    cores: availableParallelism(),
    memoryGb: totalmem() / gib,
    diskGb: disk(),
  }
  const asSystem = <T>(work: (db: TenantDb) => Promise<T>): Promise<T> => scopes.tx(systemOf(platformTenant), clock.now(), work)
  return {
    invariants: jobInvariants,
    holdings: jobHoldings,
    handlers: jobHandlers(kit),
    processors: [
      {
        name: 'job.purge-runs',
        label: { zh: '清理任务执行记录', en: 'Remove old runs of jobs' },
        help: {
          zh: `删除结束超过 ${keptDays} 天的执行记录及日志`,
          en: `Removes runs that ended more than ${keptDays} days ago, with their logs`,
        },
        scope: 'platform',
        erases: [
          {
            what: { zh: '任务执行记录', en: 'Runs of jobs' },
            since: { zh: '执行结束', en: 'the end of the run' },
            after: afterDays(keptDays),
          },
        ],
        own: { cron: '0 40 2 * * ?', mayPause: true },
        run: async ({ now, log }) => {
          const before = new Date(now.getTime() - keptDays * dayMs)
          log(2, { zh: `删除 ${toWireTime(before)} 之前结束的执行`, en: `Runs that ended before ${toWireTime(before)} go` })
          let removed = 0
          for (let count = 1; count > 0; removed += count)
            count = await scopes.asPlatform('runs of every tenant grow old', now, db => purgeRuns(db, before, 1_000))
          return { zh: `删除执行记录 ${removed} 条`, en: `${removed} runs removed` }
        },
      },
      {
        name: 'job.watch-remote',
        label: { zh: '查询 PowerJob 执行状态', en: 'Ask PowerJob about runs' },
        help: {
          zh: '向 PowerJob 服务查询尚未结束的执行，更新执行记录和任务的上次结果',
          en: 'Asks PowerJob servers about runs that had not ended, for the lists of runs and the last result of each job',
        },
        scope: 'platform',
        own: { cron: '0 */2 * * * ?', mayPause: true },
        run: async ({ now, log, signal }) => {
          let [asked, ended] = [0, 0]
          for (const { tenantId, jobInfoId } of await scopes.asPlatform('runs of every tenant go on elsewhere', now, listJobsAtServers)) {
            signal.throwIfAborted()
            const found = await refreshRuns(kit, tenantId, work => scopes.tx(systemOf(tenantId), now, work), jobInfoId)
            asked += found.asked
            ended += found.ended
            if (found.problem) log(3, { zh: `机构 ${tenantId}：${found.problem.zh}`, en: `Tenant ${tenantId}: ${found.problem.en}` })
          }
          return { zh: `查询 ${asked} 次执行，其中 ${ended} 次已结束`, en: `${asked} runs asked about, ${ended} have ended` }
        },
      },
    ],
    bind: processors => {
      all = processors
    },
    ensureOwn: () =>
      asSystem(async db => {
        const jobs = all.flatMap(({ name, label, help, own }) =>
          own
            ? [
                {
                  name: label.zh,
                  description: help.zh,
                  processor: name,
                  cron: own.cron,
                  next: nextDue({ timeExpressionType: timing.cron, timeExpression: own.cron, lifecycle: '' }, db.now),
                },
              ]
            : [],
        )
        await insertOwnJobs(db, jobs)
      }),
    runOwn: processor =>
      asSystem(async db => {
        const id = await findOwn(db, processor)
        if (id !== undefined) await insertRun(db, { jobInfoId: id, kind: runKind.hand, params: undefined, startedBy: null })
      }),
    scheduler: createScheduler(kit, me, deps.mayRun),
  }
}
