import { platformTenant } from '#contract/kernel/platform.ts'
import type { PurgedKind } from '#contract/log/log.ts'
import { isDatabaseUnavailable } from '#kernel/db/unavailable.ts'
import type { AnsweredCall } from '#kernel/http/observe.ts'
import { thisServer } from '#kernel/this-server.ts'
import { currentTrace } from '#kernel/trace.ts'
import type { Services } from '#server/services.ts'
import {
  type ApiLine,
  dontWaitForDisk,
  type ErrorLine,
  insertApiLines,
  insertErrorLines,
  insertUsualLines,
  type UsualLine,
} from './data/write.repo.ts'
import { errorFacts } from './domain/error-line.ts'
import { createFloodGate, type FloodClass, sumOf } from './domain/flood.ts'
import { paramsOf } from './domain/params.ts'
import { cut, oneLine, rememberingOneLine } from './domain/scrub.ts'
import { createLineQueue } from './queue.ts'
import type { Spool } from './spool.ts'

/** What a tenant wants to be kept; read from its parameters away from the calls. */
export interface LogSettings {
  /** `changes`: calls that change something and refused ones; `all`: reads too; `off`: none. */
  readonly apiScope: 'off' | 'changes' | 'all'
  /** Lines of the program from this level on: 1 debug … 4 error, 99 none. */
  readonly usualLevel: number
  readonly days: Readonly<Record<PurgedKind, number>>
}
export const defaultLogSettings: LogSettings = { apiScope: 'changes', usualLevel: 2, days: { usual: 90, api: 180, error: 180, login: 180 } }

export interface LogDeps {
  readonly services: Services
  readonly settings: (tenantId: string) => Promise<LogSettings>
  readonly tenantOf: AnsweredCall['address'] extends infer A ? (address: A) => Promise<string> : never
  /** Undefined: lines are written when somebody asks for it. */
  readonly everyMs: number | undefined
  /** Where lines wait while the database is away. */
  readonly spool?: Spool
}

type Line =
  | {
      readonly kind: 'api'
      readonly line: Omit<ApiLine, 'tenantId'>
      readonly tenantId: string | undefined
      readonly address: AnsweredCall['address']
    }
  | {
      readonly kind: 'error'
      readonly line: Omit<ErrorLine, 'tenantId' | 'occurrences'>
      readonly tenantId: string | undefined
      readonly address: AnsweredCall['address']
    }
  | { readonly kind: 'usual'; readonly line: UsualLine }

const logLevels = { debug: 1, info: 2, warn: 3, error: 4 } as const
export type LogLevel = keyof typeof logLevels

export interface Lines {
  /** Notes an answered call; costs the call a few microseconds and no statement. */
  readonly observe: (call: AnsweredCall) => void
  /** What the program says about its own work. Values of `data` that are neither numbers nor short texts are left out. */
  readonly say: (tenantId: string, level: LogLevel, logId: string, data?: Readonly<Record<string, unknown>>) => void
  /** A failure that no call has caused. */
  readonly failed: (tenantId: string, what: string, error: unknown) => void
  readonly flush: () => Promise<void>
  readonly lost: () => number
  readonly stop: () => Promise<void>
  /** The settings of every tenant are read anew. */
  readonly forget: () => void
}

/** Lines in memory: as many as come while a database that is away is waited for. */
const capacity = 20_000
const batch = 500
/** Refusals that tell of somebody trying doors. */
const doors = new Set([401, 403, 423, 429])
const nowhere = { named: undefined, host: '' } as const

const dataOf = (data: Readonly<Record<string, unknown>>): string => {
  const kept = Object.entries(data).flatMap(([key, value]) => {
    if (value instanceof Error) return [[key, oneLine(errorFacts(value).message, 500)]]
    if (typeof value === 'number' || typeof value === 'boolean') return [[key, value]]
    return typeof value === 'string' ? [[key, oneLine(value, 500)]] : []
  })
  return kept.length === 0 ? '' : cut(JSON.stringify(Object.fromEntries(kept)), 4_000)
}

/** A line as it was before it was written as JSON; undefined for what is none. */
const lineOf = (text: string): Line | undefined => {
  try {
    return JSON.parse(text, (key, value) => (key === 'createdAt' ? new Date(value as string) : value)) as Line
  } catch {
    return undefined
  }
}

const floodClass = ({ session, status }: AnsweredCall): FloodClass => (session ? 'person' : status >= 400 ? 'refused' : 'open')

/** Collects the lines of all logs in memory and writes them in batches, all tenants together. */
export const createLines = ({ services, settings, tenantOf, everyMs, spool }: LogDeps): Lines => {
  const { clock, scopes, log } = services
  const gate = createFloodGate()
  const known = new Map<string, LogSettings>()
  const unknown = new Set<string>()
  const [agentOf, accountOf, addressOf] = [rememberingOneLine(), rememberingOneLine(), rememberingOneLine()]
  const settingsOf = (tenantId: string): LogSettings => {
    const found = known.get(tenantId)
    if (!found && unknown.size < 1_000) unknown.add(tenantId)
    return found ?? defaultLogSettings
  }

  const readSettings = async (): Promise<void> => {
    const wanted = [...unknown]
    unknown.clear()
    if (known.size > 10_000) known.clear()
    for (const tenantId of wanted) {
      try {
        known.set(tenantId, await settings(tenantId))
      } catch (error) {
        // Asked again with its next line; until then the last that is known holds.
        log.error({ err: error }, 'settings of a log not read')
      }
    }
  }
  const placed = async <L extends object>(of: {
    line: L
    tenantId: string | undefined
    address: AnsweredCall['address']
  }): Promise<L & { tenantId: string }> => ({
    ...of.line,
    tenantId: of.tenantId ?? (await tenantOf(of.address)),
  })
  /** Errors of one cause that came together are one line. */
  const grouped = (lines: readonly Omit<ErrorLine, 'occurrences'>[]): ErrorLine[] => {
    const groups = new Map<string, { line: Omit<ErrorLine, 'occurrences'>; occurrences: number }>()
    for (const line of lines) {
      const key = `${line.tenantId}|${line.digest}`
      const group = groups.get(key)
      if (group) group.occurrences += 1
      else groups.set(key, { line, occurrences: 1 })
    }
    return [...groups.values()].map(({ line, occurrences }) => ({ ...line, occurrences }))
  }
  const write = async (lines: readonly Line[]): Promise<void> => {
    const pick = <K extends Line['kind']>(kind: K) => lines.filter((line): line is Extract<Line, { kind: K }> => line.kind === kind)
    const api = await Promise.all(pick('api').map(placed))
    const errors = await Promise.all(pick('error').map(placed))
    const usual = pick('usual').map(({ line }) => line)
    await scopes.asPlatform('log lines of all tenants are written together', clock.now(), async db => {
      dontWaitForDisk(db)
      await insertApiLines(db, thisServer, api)
      await insertErrorLines(db, thisServer, grouped(errors))
      await insertUsualLines(db, thisServer, usual)
    })
  }
  let isAway = false
  const queue = createLineQueue<Line>({
    capacity,
    batch,
    write: async lines => {
      await write(lines)
      if (isAway) log.warn('log lines are written again, those that waited on disk first')
      isAway = false
    },
    passes: isDatabaseUnavailable,
    onFailure: (error, count) => {
      if (count > 0) return log.error({ err: error, lines: count }, 'log lines lost')
      // Said once for each outage, not every second of it.
      if (!isAway) log.warn({ err: error }, 'log lines wait on disk until the database is back')
      isAway = true
    },
    ...(spool ? { spool } : {}),
    toText: line => JSON.stringify(line),
    fromText: lineOf,
  })

  const say: Lines['say'] = (tenantId, level, logId, data = {}) => {
    const now = clock.now()
    if (logLevels[level] < settingsOf(tenantId).usualLevel || !gate.admits('usual', `${tenantId}|${logId}`, now.getTime())) return
    queue.push({
      kind: 'usual',
      line: { tenantId, level: logLevels[level], logId: oneLine(logId, 80), logData: dataOf(data), createdAt: now },
    })
  }
  const flush = async (): Promise<void> => {
    await readSettings()
    await queue.flush()
  }
  let told = 0
  /** What was not kept is said, so that an empty place in the log is no riddle. */
  const tellLosses = (): void => {
    const counts = gate.taken()
    const flooded = sumOf(counts)
    const lost = queue.lost() - told
    if (flooded > 0 || lost > 0)
      queue.push({
        kind: 'usual',
        line: {
          tenantId: platformTenant,
          level: logLevels.warn,
          logId: 'log',
          logData: dataOf({
            event: 'lines were not kept',
            lost,
            ...Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0)),
          }),
          createdAt: clock.now(),
        },
      })
    told += lost
  }
  // Losses are told once a minute, not once for every round of writing.
  const timers = everyMs === undefined ? [] : [setInterval(() => void flush(), everyMs), setInterval(tellLosses, 60_000)]
  for (const timer of timers) timer.unref()

  const noteError = (
    error: unknown,
    of: Omit<ErrorLine, 'tenantId' | 'occurrences' | keyof ReturnType<typeof errorFacts>>,
    tenantId: string | undefined,
    address: AnsweredCall['address'],
  ): void => {
    const facts = errorFacts(error)
    if (!gate.admits('error', `${tenantId}|${facts.digest}`, of.createdAt.getTime())) return
    queue.push({ kind: 'error', line: { ...of, ...facts }, tenantId, address })
  }

  return {
    observe: call => {
      const { route, session, status, arrivedAt, tenantId, address, error } = call
      const scope = settingsOf(tenantId ?? platformTenant).apiScope
      const isWanted = scope === 'all' || (scope === 'changes' && (route.method === 'POST' || doors.has(status)))
      const isKept = isWanted && gate.admits(floodClass(call), session?.userId ?? call.ip, arrivedAt.getTime())
      if (error === undefined && !isKept) return
      const of = {
        userId: session?.userId ?? '0',
        account: accountOf(session?.account ?? '', 60),
        method: route.method,
        path: route.path,
        remoteIp: addressOf(call.ip, 45),
        userAgent: agentOf(call.userAgent, 300),
        traceId: call.traceId,
        createdAt: arrivedAt,
      }
      if (error !== undefined) noteError(error, of, tenantId, address)
      if (!isKept) return
      queue.push({
        kind: 'api',
        tenantId,
        address,
        line: {
          ...of,
          userType: session?.userType ?? null,
          status,
          reason: call.reason ?? '',
          durationMs: Math.round(call.durationMs),
          params: paramsOf(call.input, route.input),
        },
      })
    },
    say,
    failed: (tenantId, what, error) => {
      noteError(
        error,
        {
          userId: '0',
          account: '',
          method: '',
          path: oneLine(what, 200),
          remoteIp: '',
          userAgent: '',
          traceId: currentTrace() ?? '',
          createdAt: clock.now(),
        },
        tenantId,
        nowhere,
      )
    },
    flush: async () => {
      tellLosses()
      await flush()
    },
    lost: queue.lost,
    stop: async () => {
      for (const timer of timers) clearInterval(timer)
      tellLosses()
      await readSettings()
      await queue.stop()
    },
    forget: () => {
      for (const tenantId of known.keys()) unknown.add(tenantId)
    },
  }
}
