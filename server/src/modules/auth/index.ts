import { audit } from '#kernel/audit.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'
import type { Ctx, Handler } from '#kernel/http/context.ts'
import { checkChallenge } from './commands/challenge.ts'
import { openCipher } from './commands/open-cipher.ts'
import { endSessionsOf } from './data/session.repo.ts'
import type { AuthDeps } from './deps.ts'
import { accountKey } from './domain/attempts.ts'
import { authHandlers } from './http.ts'
import { createSessionCache, type SessionCache } from './session-cache.ts'

export { accountKey }

export interface AuthModule {
  readonly handlers: readonly Handler[]
  readonly cache: SessionCache
  /** Plain text of an SM2-sealed value, once. */
  readonly openCipher: (db: TenantDb, cipherHex: string) => Promise<string>
  /** True for the right code of this phone, once. */
  readonly checkSmsCode: (db: TenantDb, given: { key: string; answer: string; phoneIndex: string }) => Promise<boolean>
  readonly endSessionsOf: (db: TenantDb, userId: string, reason: string, exceptId?: string | null) => Promise<void>
}

const recordClientErrors = async (ctx: Ctx, entries: readonly object[]): Promise<void> => {
  await ctx.asSystem('client errors are kept beside the audit log', async db => {
    for (const entry of entries)
      await audit(db, ctx, { action: 'client.error-reported', entity: 'client-error', entityId: null, after: entry })
  })
}

export const createAuthModule = (deps: AuthDeps): AuthModule => {
  const cache = createSessionCache(deps.services, deps.clock)
  return {
    handlers: authHandlers(deps, cache, recordClientErrors),
    cache,
    openCipher: (db, cipherHex) => openCipher(db, deps.services.secrets.login.privateKey, cipherHex),
    checkSmsCode: (db, given) => checkChallenge(db, 'sms', given, deps.clock.now()),
    endSessionsOf: (db, userId, reason, exceptId = null) => endSessionsOf(db, userId, reason, deps.clock.now(), exceptId),
  }
}

/** Removes what has run out; a scheduled task. */
export const purgeExpired = async (db: TenantDb, now: Date): Promise<void> => {
  const dayAgo = new Date(now.getTime() - 24 * 3_600_000)
  await db.run(sql`delete from login_challenge where until < ${dayAgo} and created_at < ${dayAgo}`)
  await db.run(sql`delete from used_cipher where created_at < ${new Date(now.getTime() - 48 * 3_600_000)}`)
  await db.run(sql`delete from idempotency where created_at < ${dayAgo}`)
}
