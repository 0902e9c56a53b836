import type { LogKind, PurgedKind } from '#contract/log/log.ts'
import type { PlatformDb, TenantDb } from '#kernel/db/scope.ts'
import { codeHolds, textHolds } from '#kernel/db/search.ts'
import { allOf, type RawBuilder, sql } from '#kernel/db/sql.ts'

type Db = TenantDb | PlatformDb

export interface LogFilter {
  readonly from?: Date | undefined
  readonly to?: Date | undefined
  readonly serverHost?: string
  readonly requestUri?: string
  readonly logLevel?: number
  readonly logId?: string
  readonly logData?: string
  readonly account?: string
  readonly userId?: string
  readonly method?: string
  readonly status?: number
  readonly failed?: number
  readonly remoteIp?: string
  readonly traceId?: string
  readonly slower?: number
  readonly message?: string
  readonly source?: string
  readonly digest?: string
}

const common = sql`l.id::text as id, l.tenant_id as "tenantId", l.server_host as "serverHost", l.server_ip as "serverIp", l.created_at as "createdAt"`
const has = (column: string, word: string | undefined) => (word ? codeHolds(sql.ref(`l.${column}`), word) : undefined)
const says = (column: string, words: string | undefined) => (words ? textHolds(sql.ref(`l.${column}`), words) : undefined)
const is = (column: string, value: string | number | undefined) =>
  value === undefined || value === '' ? undefined : sql`${sql.ref(`l.${column}`)} = ${value}`

/** One log: its table, what a line of the list shows, what only the detail shows, and its conditions. */
interface Shape {
  readonly table: RawBuilder<unknown>
  readonly row: RawBuilder<unknown>
  readonly detail: RawBuilder<unknown>
  readonly orders: Readonly<Record<string, RawBuilder<unknown>>>
  readonly conditions: (filter: LogFilter) => readonly (RawBuilder<unknown> | undefined | false)[]
}
const createTime = sql`l.created_at`
const shapes: Readonly<Record<LogKind, Shape>> = {
  usual: {
    table: sql`usual_log l`,
    // A line of the program stems from nobody's call.
    row: sql`${common}, '' as account, '' as "requestUri", l.level, l.log_id as "logId", l.log_data as "logData"`,
    detail: sql`true as "isDetail"`,
    orders: { createTime },
    conditions: of => [
      is('level', of.logLevel),
      has('log_id', of.logId),
      says('log_data', of.logData),
      // A line of the program has no address of a call.
      of.requestUri ? sql`false` : undefined,
    ],
  },
  api: {
    table: sql`api_log l`,
    row: sql`${common}, l.user_id::text as "userId", l.account, l.method, l.path as "requestUri", l.status, l.reason, l.duration_ms as "durationMs", l.remote_ip as "remoteIp", l.trace_id as "traceId"`,
    detail: sql`l.user_type as "userType", l.params, l.user_agent as "userAgent"`,
    orders: { createTime, time: sql`l.duration_ms`, status: sql`l.status` },
    conditions: of => [
      has('account', of.account),
      is('user_id', of.userId),
      is('method', of.method),
      is('status', of.status),
      has('path', of.requestUri),
      has('remote_ip', of.remoteIp),
      is('trace_id', of.traceId),
      of.failed === 1 && sql`l.status >= 400`,
      of.failed === 0 && sql`l.status < 400`,
      of.slower !== undefined && sql`l.duration_ms >= ${of.slower}`,
    ],
  },
  error: {
    table: sql`error_log l`,
    row: sql`${common}, l.account, l.source, l.kind, l.message, l.method, l.request_uri as "requestUri", l.remote_ip as "remoteIp", l.trace_id as "traceId",
      l.file_name as "fileName", l.line_number as "lineNumber", l.digest, l.occurrences`,
    detail: sql`l.stack_trace as "stackTrace", l.info, l.user_agent as "userAgent", l.client_time as "clientTime"`,
    orders: { createTime },
    conditions: of => [
      has('account', of.account),
      says('message', of.message),
      has('request_uri', of.requestUri),
      is('source', of.source),
      is('digest', of.digest),
      is('trace_id', of.traceId),
    ],
  },
}

export interface LogRow {
  readonly id: string
  readonly tenantId: string
  readonly serverHost: string
  readonly serverIp: string
  readonly createdAt: Date
  readonly level: number
  readonly logId: string
  readonly logData: string
  readonly userId: string
  readonly account: string
  readonly userType: number | null
  readonly method: string
  readonly requestUri: string
  readonly status: number
  readonly reason: string
  readonly durationMs: number
  readonly params: string
  readonly remoteIp: string | null
  readonly userAgent: string | null
  readonly traceId: string | null
  readonly source: string
  readonly kind: string
  readonly message: string
  readonly fileName: string
  readonly lineNumber: number | null
  readonly digest: string
  readonly occurrences: number
  readonly stackTrace: string
  readonly info: string
  readonly clientTime: string
}

/** The tenant is named although the database hides the others: the platform's operators read with wider eyes. */
const whereOf = (kind: LogKind, tenantId: string, filter: LogFilter): RawBuilder<unknown> =>
  allOf([
    sql`l.tenant_id = ${tenantId}`,
    filter.from && sql`l.created_at >= ${filter.from}`,
    filter.to && sql`l.created_at <= ${filter.to}`,
    has('server_host', filter.serverHost),
    ...shapes[kind].conditions(filter),
  ])

interface Slice {
  readonly limit: number
  readonly offset: number
}
export interface Sort {
  readonly ascs?: string
  readonly descs?: string
}
const orderOf = (kind: LogKind, { ascs, descs }: Sort): RawBuilder<unknown> => {
  const { orders } = shapes[kind]
  const [key, direction] = ascs ? [ascs, sql`asc`] : [descs ?? '', sql`desc`]
  // Columns nobody may order by are left out, as everywhere (framework-contract 1.6).
  const column = Object.hasOwn(orders, key) ? orders[key] : undefined
  return column === undefined ? sql`l.created_at desc, l.id desc` : sql`${column} ${direction}, l.id ${direction}`
}

export const pageLog = async (db: Db, kind: LogKind, tenantId: string, filter: LogFilter & Sort, slice: Slice) => {
  const where = whereOf(kind, tenantId, filter)
  const { table, row } = shapes[kind]
  const [rows, { total }] = await Promise.all([
    db.all(
      sql<LogRow>`select ${row} from ${table} where ${where} order by ${orderOf(kind, filter)} limit ${slice.limit} offset ${slice.offset}` as RawBuilder<LogRow>,
    ),
    countLog(db, kind, tenantId, filter),
  ])
  return { rows, total }
}
export const countLog = (db: Db, kind: LogKind, tenantId: string, filter: LogFilter): Promise<{ total: number }> =>
  db.one(sql<{ total: number }>`select count(*)::int as total from ${shapes[kind].table} where ${whereOf(kind, tenantId, filter)}`)

/** Lines before one that was read last, for an export in steps that costs the same at its end as at its beginning. */
export const readLog = (
  db: Db,
  kind: LogKind,
  tenantId: string,
  filter: LogFilter,
  after: { readonly createdAt: Date; readonly id: string } | undefined,
  limit: number,
): Promise<LogRow[]> => {
  const { table, row } = shapes[kind]
  // The instants of a driver end at milliseconds, those of the database do not: the id alone names the line.
  const seek = after
    ? sql`and (l.created_at, l.id) < ((select created_at from ${table} where l.tenant_id = ${tenantId} and l.id = ${after.id}), ${after.id})`
    : sql``
  return db.all(
    sql<LogRow>`select ${row} from ${table} where ${whereOf(kind, tenantId, filter)} ${seek} order by l.created_at desc, l.id desc limit ${limit}` as RawBuilder<LogRow>,
  )
}
export const findLine = (db: Db, kind: LogKind, tenantId: string, id: string): Promise<LogRow | undefined> => {
  const { table, row, detail } = shapes[kind]
  return db.maybe(
    sql<LogRow>`select ${row}, ${detail} from ${table} where l.tenant_id = ${tenantId} and l.id = ${id}` as RawBuilder<LogRow>,
  )
}

export interface GroupRow {
  readonly digest: string
  readonly source: string
  readonly kind: string
  readonly message: string
  readonly requestUri: string
  readonly occurrences: number
  readonly firstAt: Date
  readonly lastAt: Date
  readonly id: string
}
/** Errors with one cause as one line. Lines from before there were digests stand for themselves. */
export const pageErrorGroups = async (
  db: Db,
  tenantId: string,
  filter: LogFilter,
  slice: Slice,
): Promise<{ rows: GroupRow[]; total: number }> => {
  const where = whereOf('error', tenantId, filter)
  const group = sql`case when l.digest = '' then l.id::text else l.digest end`
  const rows = await db.all(sql<GroupRow>`
    with grouped as (
      select ${group} as g, sum(l.occurrences)::int as occurrences, min(l.created_at) as first_at, max(l.created_at) as last_at, max(l.id) as id
      from error_log l where ${where} group by 1 order by last_at desc, g limit ${slice.limit} offset ${slice.offset})
    select l.digest, l.source, l.kind, l.message, l.request_uri as "requestUri", grouped.occurrences, grouped.first_at as "firstAt", grouped.last_at as "lastAt", l.id::text as id
    from grouped join error_log l on l.tenant_id = ${tenantId} and l.id = grouped.id order by grouped.last_at desc, grouped.g`)
  const { total } = await db.one(sql<{ total: number }>`select count(distinct ${group})::int as total from error_log l where ${where}`)
  return { rows, total }
}

const tables: Readonly<Record<PurgedKind, RawBuilder<unknown>>> = {
  usual: sql`usual_log`,
  api: sql`api_log`,
  error: sql`error_log`,
  login: sql`login_log`,
}
export const countBefore = async (db: Db, kind: PurgedKind, tenantId: string, before: Date): Promise<number> =>
  (
    await db.one(
      sql<{ n: number }>`select count(*)::int as n from ${tables[kind]} where tenant_id = ${tenantId} and created_at < ${before}`,
    )
  ).n

/** Removes at most `limit` of the oldest lines before an instant. @returns how many */
export const deleteBefore = (db: PlatformDb, kind: PurgedKind, tenantId: string, before: Date, limit: number): Promise<number> =>
  db.run(sql`
    delete from ${tables[kind]} where tenant_id = ${tenantId} and id in (
      select id from ${tables[kind]} where tenant_id = ${tenantId} and created_at < ${before} order by created_at limit ${limit})`)

export const listTenants = async (db: PlatformDb): Promise<readonly string[]> =>
  (await db.all(sql<{ tenantId: string }>`select tenant_id as "tenantId" from tenant`)).map(row => row.tenantId)
