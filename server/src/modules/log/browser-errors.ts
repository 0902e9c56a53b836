import { refuseAuth } from '#contract/auth/auth.errors.ts'
import { lock } from '#kernel/db/lock.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'
import { type Ctx, Refused } from '#kernel/http/context.ts'
import { digestOf } from './domain/error-line.ts'
import { type BrowserError, oneLine, toKept } from './domain/scrub.ts'

/** Entries that one person may report; a page that fails in a loop must not fill the disk. */
const perMinute = 200
const perDay = 2_000

/**
 * Keeps what a browser reports (S2.37, S3.18), without secrets and at most 8 KB an entry.
 *
 * @throws auth/report-frequency when the person has reported too much lately
 */
export const recordBrowserErrors = async (
  db: TenantDb,
  ctx: Ctx & { readonly session: NonNullable<Ctx['session']> },
  entries: readonly BrowserError[],
): Promise<void> => {
  if (entries.length === 0) return
  await lock(db, `error-log|${ctx.session.userId}`)
  const ago = (ms: number): Date => new Date(db.now.getTime() - ms)
  const recent = await db.one(sql<{ minute: number; day: number }>`
    select count(*) filter (where created_at > ${ago(60_000)})::int as minute, count(*)::int as day
    from error_log where user_id = ${ctx.session.userId} and source = 'browser' and created_at > ${ago(24 * 3_600_000)}`)
  if (recent.minute + entries.length > perMinute) throw new Refused(refuseAuth('auth/report-frequency', {}, { retryAfterSeconds: 60 }))
  if (recent.day + entries.length > perDay) throw new Refused(refuseAuth('auth/report-frequency', {}, { retryAfterSeconds: 3_600 }))
  const kept = entries.map(toKept)
  const column = (name: keyof Required<BrowserError>): string[] => kept.map(entry => entry[name])
  const digests = kept.map(entry => digestOf(entry.type, entry.message, entry.stack))
  await db.run(sql`
    insert into error_log (tenant_id, user_id, account, source, kind, message, stack_trace, info, request_uri, client_time, digest, remote_ip, user_agent, trace_id)
    select ${db.actor.tenantId}, ${ctx.session.userId}, ${ctx.session.account}, 'browser', e.*, ${ctx.ip}, ${oneLine(ctx.userAgent, 300)}, ${ctx.traceId}
    from unnest(${column('type')}::text[], ${column('message')}::text[], ${column('stack')}::text[], ${column('info')}::text[], ${column('url')}::text[], ${column('time')}::text[], ${digests}::text[])
      as e(kind, message, stack_trace, info, request_uri, client_time, digest)`)
}
