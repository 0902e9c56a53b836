import { refuseAuth } from '#contract/auth/auth.errors.ts'
import { lock } from '#kernel/db/lock.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type Ctx, Refused } from '#kernel/http/context.ts'
import { countReported, insertBrowserErrors } from './data/browser-error.repo.ts'
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
  const recent = await countReported(db, ctx.session.userId)
  if (recent.minute + entries.length > perMinute) throw new Refused(refuseAuth('auth/report-frequency', {}, { retryAfterSeconds: 60 }))
  if (recent.day + entries.length > perDay) throw new Refused(refuseAuth('auth/report-frequency', {}, { retryAfterSeconds: 3_600 }))
  const { ip, traceId } = ctx
  const { userId, account } = ctx.session
  const kept = entries.map(toKept).map(entry => ({ ...entry, digest: digestOf(entry.type, entry.message, entry.stack) }))
  await insertBrowserErrors(db, { userId, account, ip, userAgent: oneLine(ctx.userAgent, 300), traceId }, kept)
}
