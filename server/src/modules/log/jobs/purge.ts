import type { Label } from '#contract/kernel/label.ts'
import { type PurgedKind, purgedKinds } from '#contract/log/log.ts'
import type { Task } from '#kernel/queue/outbox.ts'
import type { Processor } from '#kernel/queue/processor.ts'
import type { Services } from '#server/services.ts'
import { deleteBefore, listTenants } from '../data/read.repo.ts'
import type { Lines, LogSettings } from '../lines.ts'

export const dayMs = 86_400_000
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

const purgedWords: Readonly<Record<PurgedKind, Label>> = {
  usual: { zh: '系统日志', en: 'log of the program' },
  api: { zh: '接口日志', en: 'log of calls' },
  error: { zh: '异常日志', en: 'log of errors' },
  login: { zh: '登录日志', en: 'log of log-ins' },
}

export const purgeProcessor = (deps: PurgeDeps): Processor => ({
  name: 'log.purge',
  label: { zh: '清理日志', en: 'Remove old logs' },
  help: { zh: '按各机构设定的保留天数删除日志', en: 'Removes logs after the days that each tenant keeps them' },
  scope: 'platform',
  erases: [
    {
      what: { zh: '系统日志、接口日志、异常日志、登录日志', en: 'Logs of the program, of calls, of errors and of log-ins' },
      since: { zh: '写入', en: 'the line' },
      after: {
        zh: '按参数 log.usualDays、log.apiDays、log.errorDays、log.loginDays（接口和登录日志不少于 180 天）',
        en: 'as the parameters log.usualDays, log.apiDays, log.errorDays and log.loginDays say (calls and log-ins 180 days or more)',
      },
    },
  ],
  own: { cron: '0 25 * * * ?', mayPause: true },
  run: async ({ now, log }) => {
    const { services, lines, settings } = deps
    const tenants = await services.scopes.asPlatform('every tenant has its logs', now, listTenants)
    let all = 0
    for (const tenantId of tenants) {
      const { days } = await settings(tenantId)
      for (const kind of purgedKinds) {
        const removed = await purge(deps, kind, tenantId, new Date(now.getTime() - days[kind] * dayMs))
        if (removed === 0) continue
        all += removed
        lines.say(tenantId, 'info', 'log.purge', { log: kind, removed, days: days[kind] })
        log(2, {
          zh: `机构 ${tenantId}：${purgedWords[kind].zh}删除 ${removed} 条，保留 ${days[kind]} 天`,
          en: `Tenant ${tenantId}: ${removed} lines of the ${purgedWords[kind].en} removed, ${days[kind]} days are kept`,
        })
      }
    }
    return { zh: `检查 ${tenants.length} 个机构，删除日志 ${all} 条`, en: `${tenants.length} tenants looked at, ${all} lines removed` }
  },
})

export const purgeTasks = (deps: PurgeDeps): Task[] => [
  {
    name: 'log.purge-now',
    run: async ({ tenantId, kind, before }: { tenantId: string; kind?: PurgedKind; before?: string }) => {
      if (kind === undefined || before === undefined) return
      const removed = await purge(deps, kind, tenantId, new Date(before))
      deps.lines.say(tenantId, 'info', 'log.purge', { log: kind, removed, before })
    },
  } satisfies Task<{ kind?: PurgedKind; before?: string }> as Task,
]
