import type { PlatformDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'

export interface ApiLine {
  readonly tenantId: string
  readonly userId: string
  readonly account: string
  readonly userType: number | null
  readonly method: string
  readonly path: string
  readonly status: number
  readonly reason: string
  readonly durationMs: number
  readonly params: string
  readonly remoteIp: string
  readonly userAgent: string
  readonly traceId: string
  readonly createdAt: Date
}
export interface UsualLine {
  readonly tenantId: string
  readonly level: number
  readonly logId: string
  readonly logData: string
  readonly createdAt: Date
}
export interface ErrorLine {
  readonly tenantId: string
  readonly userId: string
  readonly account: string
  readonly exceptionName: string
  readonly message: string
  readonly stack: string
  readonly info: string
  readonly method: string
  readonly path: string
  readonly remoteIp: string
  readonly userAgent: string
  readonly traceId: string
  readonly fileName: string
  readonly lineNumber: number | null
  readonly digest: string
  readonly occurrences: number
  readonly createdAt: Date
}

const columnOf =
  <Line>(lines: readonly Line[]) =>
  <K extends keyof Line>(key: K): Line[K][] =>
    lines.map(line => line[key])

/** A lost line costs nobody anything: the commit does not wait for the disk. */
export const dontWaitForDisk = (db: PlatformDb): void => db.send(sql`set local synchronous_commit = off`)

export interface ServerPlace {
  readonly host: string
  readonly ip: string
}
export const insertApiLines = async (db: PlatformDb, place: ServerPlace, lines: readonly ApiLine[]): Promise<void> => {
  if (lines.length === 0) return
  const of = columnOf(lines)
  await db.run(sql`
    insert into api_log (tenant_id, user_id, account, user_type, method, path, status, reason, duration_ms, params, remote_ip, user_agent, trace_id, created_at, server_host, server_ip)
    select l.*, ${place.host}, ${place.ip} from unnest(${of('tenantId')}::text[], ${of('userId')}::bigint[], ${of('account')}::text[], ${of('userType')}::int[], ${of('method')}::text[],
      ${of('path')}::text[], ${of('status')}::int[], ${of('reason')}::text[], ${of('durationMs')}::int[], ${of('params')}::text[], ${of('remoteIp')}::text[],
      ${of('userAgent')}::text[], ${of('traceId')}::text[], ${of('createdAt')}::timestamptz[]) as l`)
}
export const insertUsualLines = async (db: PlatformDb, place: ServerPlace, lines: readonly UsualLine[]): Promise<void> => {
  if (lines.length === 0) return
  const of = columnOf(lines)
  await db.run(sql`
    insert into usual_log (tenant_id, level, log_id, log_data, created_at, server_host, server_ip)
    select l.*, ${place.host}, ${place.ip} from unnest(${of('tenantId')}::text[], ${of('level')}::int[], ${of('logId')}::text[], ${of('logData')}::text[], ${of('createdAt')}::timestamptz[]) as l`)
}
export const insertErrorLines = async (db: PlatformDb, place: ServerPlace, lines: readonly ErrorLine[]): Promise<void> => {
  if (lines.length === 0) return
  const of = columnOf(lines)
  await db.run(sql`
    insert into error_log (source, tenant_id, user_id, account, kind, message, stack_trace, info, method, request_uri, remote_ip, user_agent, trace_id, file_name, line_number,
      digest, occurrences, created_at, server_host, server_ip)
    select 'server', l.*, ${place.host}, ${place.ip} from unnest(${of('tenantId')}::text[], ${of('userId')}::bigint[], ${of('account')}::text[], ${of('exceptionName')}::text[], ${of('message')}::text[],
      ${of('stack')}::text[], ${of('info')}::text[], ${of('method')}::text[], ${of('path')}::text[], ${of('remoteIp')}::text[], ${of('userAgent')}::text[],
      ${of('traceId')}::text[], ${of('fileName')}::text[], ${of('lineNumber')}::int[], ${of('digest')}::text[], ${of('occurrences')}::int[], ${of('createdAt')}::timestamptz[]) as l`)
}
