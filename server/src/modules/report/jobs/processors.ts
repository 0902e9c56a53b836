import { nextDue, timing } from '#contract/job/schedule.ts'
import { systemOf } from '#kernel/db/scope.ts'
import { afterDays, type Processor } from '#kernel/queue/processor.ts'
import { orderScheduled } from '../commands/run-report.ts'
import { listDue, lockReport, setNextTime } from '../data/report.repo.ts'
import { purgeRuns } from '../data/run.repo.ts'
import type { ReportDeps } from '../deps.ts'

const batch = 200
const dayMs = 86_400_000
/** Runs are kept so long after their end; a link lasts 30 days at most. */
const keptDays = 31

/** Runs of reports on schedule, by the scheduler of jobs: the program's own look at what is due, and one report by name for jobs of a tenant. */
export const reportProcessors = (deps: ReportDeps): Processor[] => {
  const { scopes } = deps.services
  return [
    {
      name: 'report.send-due',
      label: { zh: '运行到期的报表', en: 'Run reports that are due' },
      help: { zh: '按各报表的发送时间生成并发给接收人', en: 'Makes the reports whose time has come and sends them' },
      scope: 'platform',
      own: { cron: '0 * * * * ?', mayPause: false },
      run: async ({ now, signal, log }) => {
        let ordered = 0
        for (;;) {
          const due = await scopes.asPlatform('reports of every tenant come due', now, db => listDue(db, batch))
          for (const { tenantId, id } of due) {
            if (signal.aborted) return String(ordered)
            const isOrdered = await scopes.tx(systemOf(tenantId), now, async db => {
              const report = await lockReport(db, id)
              // Another process was first.
              if (!report?.nextTime || report.nextTime > now) return false
              const run = await orderScheduled(deps, db, report, report.nextTime)
              // Times that passed while nothing was running are not made up for: the next one is ahead.
              const next = nextDue({ timeExpressionType: timing.cron, timeExpression: report.cron, lifecycle: '' }, now)
              await setNextTime(db, id, next ?? null)
              if (run === undefined) log(3, `${report.reportName}: not run, its owner may not log in`)
              return run !== undefined
            })
            if (isOrdered) ordered += 1
          }
          if (due.length < batch) return String(ordered)
        }
      },
    },
    {
      name: 'report.purge-runs',
      label: { zh: '清理报表结果', en: 'Remove old results of reports' },
      help: {
        zh: `删除结束超过 ${keptDays} 天的报表运行及结果`,
        en: `Removes runs of reports that ended more than ${keptDays} days ago, with their results`,
      },
      scope: 'platform',
      erases: [
        {
          what: { zh: '报表运行及结果', en: 'Runs of reports with their results' },
          since: { zh: '运行结束', en: 'the end of the run' },
          after: afterDays(keptDays),
        },
      ],
      own: { cron: '0 50 2 * * ?', mayPause: true },
      run: async ({ now }) => {
        const before = new Date(now.getTime() - keptDays * dayMs)
        let removed = 0
        for (let count = 1; count > 0; removed += count)
          count = await scopes.asPlatform('results of every tenant grow old', now, db => purgeRuns(db, before, 500))
        return String(removed)
      },
    },
    {
      name: 'report.send',
      label: { zh: '发送报表', en: 'Send a report' },
      help: { zh: '参数填报表编号：立即生成并发给它的接收人', en: 'Parameter: the id of a report, which is made and sent to its people' },
      scope: 'tenant',
      run: async ({ tenantId, params, now }) => {
        const id = params.trim()
        return scopes.tx(systemOf(tenantId), now, async db => {
          const report = /^\d{1,18}$/.test(id) ? await lockReport(db, id) : undefined
          if (!report) throw new Error(`no report ${id.slice(0, 30)}: the parameter is the id of a report`)
          const run = await orderScheduled(deps, db, report, now)
          if (run === undefined) throw new Error(`${report.reportName} cannot be run: its owner may not log in`)
          return `${report.reportName}: ${report.people.length}`
        })
      },
    },
  ]
}
