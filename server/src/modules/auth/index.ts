import { audit } from '#kernel/audit.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import type { Ctx, Handler } from '#kernel/http/context.ts'
import type { Task } from '#kernel/queue/outbox.ts'
import { checkChallenge } from './commands/challenge.ts'
import { openCipher } from './commands/open-cipher.ts'
import { endSessionsOf } from './data/session.repo.ts'
import type { AuthDeps } from './deps.ts'
import { accountKey } from './domain/attempts.ts'
import { authHandlers } from './http.ts'
import { purgeTask, startPurge } from './jobs/purge.ts'
import { createSessionCache, type SessionCache } from './session-cache.ts'

export { accountKey }

export interface AuthModule {
  readonly handlers: readonly Handler[]
  readonly tasks: readonly Task[]
  readonly cache: SessionCache
  /** Plain text of an SM2-sealed value, once. */
  readonly openCipher: (db: TenantDb, cipherHex: string) => Promise<string>
  /** True for the right code of this phone, once. */
  readonly checkSmsCode: (db: TenantDb, given: { key: string; answer: string; phoneIndex: string }) => Promise<boolean>
  readonly endSessionsOf: (db: TenantDb, userId: string, reason: string, exceptId?: string | null) => Promise<void>
  /** Removes run-out challenges, ciphertexts, keys and tries, now and every hour. */
  readonly startPurge: (tenantId: string) => Promise<void>
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
    tasks: [purgeTask(deps)],
    cache,
    openCipher: (db, cipherHex) => openCipher(db, deps.services.secrets.login.privateKey, cipherHex),
    checkSmsCode: (db, given) => checkChallenge(db, 'sms', given, deps.clock.now()),
    endSessionsOf: (db, userId, reason, exceptId = null) => endSessionsOf(db, userId, reason, deps.clock.now(), exceptId),
    startPurge: tenantId => startPurge(deps, tenantId),
  }
}
