import { refuse } from '#contract/kernel/errors.ts'
import { sliceOf, toPage } from '#contract/kernel/page.ts'
import { fromWireTime, toWireTime } from '#contract/kernel/when.ts'
import { logs } from '#contract/log/log.routes.ts'
import type { LogKind } from '#contract/log/log.ts'
import { fileName, maxExportRows, watermarkOf } from '#kernel/crud/export.ts'
import type { PlatformDb, TenantDb } from '#kernel/db/scope.ts'
import { type Ctx, type ExportPlan, type Handler, handle, handleExport, Refused } from '#kernel/http/context.ts'
import { sharedAudit } from '#kernel/platform-audit.ts'
import type { SheetLine } from '#kernel/sheet/write-sheet.ts'
import type { Services } from '#server/services.ts'
import { purgeLines } from './commands/purge-lines.ts'
import { countLog, findLine, type LogFilter, type LogRow, pageErrorGroups, pageLog, readLog, type Sort } from './data/read.repo.ts'
import { meaningOf } from './meanings.ts'

/** Skipping further costs more than any reader gains; the search narrows instead (decision 4.7). */
const exportStep = 2_000

type Input = Omit<LogFilter, 'from' | 'to'> &
  Sort & { readonly from?: string; readonly to?: string; readonly ofTenant?: string; readonly current?: number; readonly size?: number }

const levels: Readonly<Record<number, string>> = { 1: 'debug', 2: 'info', 3: 'warn', 4: 'error' }
const filterOf = ({ from, to, ...rest }: Input): LogFilter & Sort => ({
  ...rest,
  from: from === undefined ? undefined : fromWireTime(from),
  to: to === undefined ? undefined : fromWireTime(to),
})

/** What answers a call and which of its calls it is, out of the declared path. */
const methodOf = (path: string) => {
  const parts = path.split('/').filter(Boolean)
  return { methodClass: parts.slice(0, -1).join('.'), methodName: parts.at(-1) ?? '' }
}

type Language = Ctx['language']
/** @param env - the profile of the installation; it is the same for all its lines */
const presenters = (env: string) => {
  const common = (row: LogRow) => ({
    id: row.id,
    tenantId: row.tenantId,
    serviceId: 'kaopu',
    serverIp: row.serverIp,
    serverHost: row.serverHost,
    env,
    requestUri: row.requestUri,
    createBy: row.account,
    createTime: toWireTime(row.createdAt),
  })
  const present = {
    usual: (row: LogRow, _language: Language) => ({
      ...common(row),
      logLevel: levels[row.level] ?? '',
      logId: row.logId,
      logData: row.logData,
    }),
    api: (row: LogRow, language: Language) => ({
      ...common(row),
      type: '1',
      title: meaningOf(`${row.method} ${row.requestUri}`, language),
      userId: row.userId,
      account: row.account,
      method: row.method,
      ...methodOf(row.requestUri),
      status: row.status,
      reason: row.reason,
      time: String(row.durationMs),
      remoteIp: row.remoteIp ?? '',
      traceId: row.traceId ?? '',
    }),
    error: (row: LogRow, _language: Language) => ({
      ...common(row),
      account: row.account,
      source: row.source,
      kind: row.kind,
      exceptionName: row.kind,
      message: row.message,
      method: row.method,
      ...(row.source === 'server' && row.requestUri.startsWith('/') ? methodOf(row.requestUri) : { methodClass: '', methodName: '' }),
      remoteIp: row.remoteIp ?? '',
      traceId: row.traceId ?? '',
      fileName: row.fileName,
      lineNumber: row.lineNumber ?? -1,
      digest: row.digest,
      occurrences: row.occurrences,
    }),
  } as const
  const presentWhole = {
    usual: (row: LogRow, language: Language) => ({ ...present.usual(row, language), userAgent: '', params: '' }),
    api: (row: LogRow, language: Language) => ({
      ...present.api(row, language),
      userType: row.userType,
      params: row.params,
      userAgent: row.userAgent ?? '',
    }),
    error: (row: LogRow, language: Language) => ({
      ...present.error(row, language),
      stackTrace: row.stackTrace,
      info: row.info,
      userAgent: row.userAgent ?? '',
      clientTime: row.clientTime,
    }),
  } as const
  return { present, presentWhole }
}

const titles = {
  usual: { zh: '通用日志', en: 'Program log' },
  api: { zh: '接口日志', en: 'Calls' },
  error: { zh: '错误日志', en: 'Errors' },
} as const
const exported: Readonly<Record<LogKind, readonly (readonly [key: string, zh: string, en: string])[]>> = {
  usual: [
    ['createTime', '时间', 'Time'],
    ['logLevel', '级别', 'Level'],
    ['logId', '来源', 'From'],
    ['logData', '内容', 'Content'],
    ['serverHost', '服务器', 'Server'],
  ],
  api: [
    ['createTime', '时间', 'Time'],
    ['account', '账号', 'Account'],
    ['method', '方法', 'Method'],
    ['requestUri', '调用', 'Call'],
    ['status', '状态', 'Status'],
    ['reason', '拒绝原因', 'Refused because'],
    ['time', '耗时（毫秒）', 'Milliseconds'],
    ['remoteIp', 'IP 地址', 'IP address'],
    ['traceId', '追踪号', 'Trace'],
    ['serverHost', '服务器', 'Server'],
  ],
  error: [
    ['createTime', '时间', 'Time'],
    ['source', '来源', 'Source'],
    ['account', '账号', 'Account'],
    ['kind', '错误类型', 'Kind'],
    ['message', '错误信息', 'Message'],
    ['requestUri', '页面或调用', 'Page or call'],
    ['occurrences', '次数', 'Times'],
    ['digest', '分组', 'Group'],
    ['traceId', '追踪号', 'Trace'],
  ],
}

/** The logs, their exports and their purge. */
export const logHandlers = ({ scopes, config }: Services): Handler[] => {
  const { present, presentWhole } = presenters(config.profile)
  /** Reads one tenant's log: one's own, or as an operator of the platform another's, which is in the audit trail then. */
  const reading = async <T>(
    ctx: Ctx,
    kind: LogKind,
    named: string | undefined,
    work: (db: TenantDb | PlatformDb, tenantId: string) => Promise<T>,
  ): Promise<T> => {
    if (named === undefined || named === '' || named === ctx.tenantId) return ctx.tx(db => work(db, ctx.tenantId))
    if (!ctx.actsForPlatform() || !ctx.session?.permissions.has(`log_${kind}_other`)) throw new Refused(refuse('kernel/forbidden', {}))
    await ctx.tx(db =>
      sharedAudit(ctx, db, { action: 'log.read', entity: `log_${kind}`, entityId: null, after: { tenantId: named } }, [named]),
    )
    return scopes.asPlatform('an operator of the platform looks at a tenant’s log', ctx.arrivedAt, db => work(db, named))
  }

  const list = async <Shown>(ctx: Ctx, kind: LogKind, input: Input, shown: (row: LogRow, language: Language) => Shown) => {
    const { current, size, offset } = sliceOf(input)
    const { rows, total } = await reading(ctx, kind, input.ofTenant, (db, tenantId) =>
      pageLog(db, kind, tenantId, filterOf(input), { limit: size, offset }),
    )
    return toPage(
      rows.map(row => shown(row, ctx.language)),
      total,
      current,
      size,
    )
  }
  const detail = async <Shown>(
    ctx: Ctx,
    kind: LogKind,
    input: { readonly id: string; readonly ofTenant?: string },
    shown: (row: LogRow, language: Language) => Shown,
  ) => {
    const row = await reading(ctx, kind, input.ofTenant, (db, tenantId) => findLine(db, kind, tenantId, input.id))
    return row ? shown(row, ctx.language) : refuse('kernel/not-found', {})
  }
  const plan = async (ctx: Ctx, kind: LogKind, input: Input): Promise<ExportPlan> => {
    const filter = filterOf(input)
    const { total } = await reading(ctx, kind, input.ofTenant, (db, tenantId) => countLog(db, kind, tenantId, filter))
    if (total > maxExportRows) throw new Refused(refuse('kernel/too-many', { limit: maxExportRows }))
    const columns = exported[kind]
    async function* lines(): AsyncGenerator<SheetLine> {
      let last: LogRow | undefined
      for (let done = 0; done < maxExportRows; done += exportStep) {
        const after = last
        const rows = await reading(ctx, kind, input.ofTenant, (db, tenantId) => readLog(db, kind, tenantId, filter, after, exportStep))
        for (const row of rows) {
          const shown = present[kind](row, ctx.language) as Readonly<Record<string, unknown>>
          yield columns.map(([key]) => String(shown[key] ?? ''))
        }
        last = rows.at(-1)
        if (rows.length < exportStep) return
      }
    }
    const what = ctx.say(titles[kind])
    return {
      fileName: fileName(what, toWireTime(ctx.arrivedAt).replace(/\D/g, '')),
      total,
      audit: {
        action: 'log.exported',
        entity: `log_${kind}`,
        entityId: null,
        after: { filter: input, columns: columns.map(([key]) => key), ...(input.ofTenant ? { tenantId: input.ofTenant } : {}) },
      },
      book: {
        watermark: watermarkOf(ctx, what),
        sheets: [{ name: what, columns: columns.map(([, zh, en]) => ({ header: ctx.say({ zh, en }) })), rows: lines() }],
      },
    }
  }
  return [
    handle(logs.usual, ({ ctx, input }) => list(ctx, 'usual', input, present.usual)),
    handle(logs.api, ({ ctx, input }) => list(ctx, 'api', input, present.api)),
    handle(logs.error, ({ ctx, input }) => list(ctx, 'error', input, present.error)),
    handle(logs.usualDetail, ({ ctx, input }) => detail(ctx, 'usual', input, presentWhole.usual)),
    handle(logs.apiDetail, ({ ctx, input }) => detail(ctx, 'api', input, presentWhole.api)),
    handle(logs.errorDetail, ({ ctx, input }) => detail(ctx, 'error', input, presentWhole.error)),
    handleExport(logs.usualExport, ({ ctx, input }) => plan(ctx, 'usual', input)),
    handleExport(logs.apiExport, ({ ctx, input }) => plan(ctx, 'api', input)),
    handleExport(logs.errorExport, ({ ctx, input }) => plan(ctx, 'error', input)),
    handle(logs.errorGroups, async ({ ctx, input }) => {
      const { current, size, offset } = sliceOf(input)
      const { rows, total } = await reading(ctx, 'error', input.ofTenant, (db, tenantId) =>
        pageErrorGroups(db, tenantId, filterOf(input), { limit: size, offset }),
      )
      return toPage(
        rows.map(({ firstAt, lastAt, ...row }) => ({ ...row, firstTime: toWireTime(firstAt), lastTime: toWireTime(lastAt) })),
        total,
        current,
        size,
      )
    }),
    handle(logs.usualPurge, ({ ctx, db, input }) => purgeLines(ctx, db, 'usual', input)),
    handle(logs.apiPurge, ({ ctx, db, input }) => purgeLines(ctx, db, 'api', input)),
    handle(logs.errorPurge, ({ ctx, db, input }) => purgeLines(ctx, db, 'error', input)),
  ]
}
