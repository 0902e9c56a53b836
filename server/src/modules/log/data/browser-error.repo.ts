import type { TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'
import { thisServer } from '#kernel/this-server.ts'
import type { BrowserError } from '../domain/scrub.ts'

/** What this person's browsers have reported in the last minute and the last day. */
export const countReported = (db: TenantDb, userId: string): Promise<{ minute: number; day: number }> => {
  const ago = (ms: number): Date => new Date(db.now.getTime() - ms)
  return db.one(sql<{ minute: number; day: number }>`
    select count(*) filter (where created_at > ${ago(60_000)})::int as minute, count(*)::int as day
    from error_log where user_id = ${userId} and source = 'browser' and created_at > ${ago(24 * 3_600_000)}`)
}

export interface Reporter {
  readonly userId: string
  readonly account: string
  readonly ip: string
  readonly userAgent: string
  readonly traceId: string
}
export const insertBrowserErrors = async (
  db: TenantDb,
  by: Reporter,
  entries: readonly (Required<BrowserError> & { readonly digest: string })[],
): Promise<void> => {
  const column = (name: keyof Required<BrowserError> | 'digest'): string[] => entries.map(entry => entry[name])
  await db.run(sql`
    insert into error_log (tenant_id, user_id, account, source, kind, message, stack_trace, info, request_uri, client_time, digest, remote_ip, user_agent, trace_id, server_host, server_ip)
    select ${db.actor.tenantId}, ${by.userId}, ${by.account}, 'browser', e.*, ${by.ip}, ${by.userAgent}, ${by.traceId}, ${thisServer.host}, ${thisServer.ip}
    from unnest(${column('type')}::text[], ${column('message')}::text[], ${column('stack')}::text[], ${column('info')}::text[], ${column('url')}::text[], ${column('time')}::text[], ${column('digest')}::text[])
      as e(kind, message, stack_trace, info, request_uri, client_time, digest)`)
}
