import { hashToken } from '#kernel/crypto/token.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import type { Ctx, Guest, Handler, Session } from '#kernel/http/context.ts'
import type { SealedCalls } from '#kernel/http/sealed-call.ts'
import type { Processor } from '#kernel/queue/processor.ts'
import { insistOnGate } from '#kernel/two-persons.ts'
import { createClients } from './clients.ts'
import { giveBackSmsCode } from './commands/challenge.ts'
import { checkForgetful, checkOwner, isPasswordAsked } from './commands/check-owner.ts'
import { checkOwnPassword, type PasswordVerdict } from './commands/check-password.ts'
import { type GivenCode, insistOnSmsCode } from './commands/check-sms-code.ts'
import { openSecret, openText } from './commands/open-cipher.ts'
import type { Verdict } from './commands/prove.ts'
import { type ConsoleProof, proveAtConsole } from './commands/prove-at-console.ts'
import { findAccountById, isTenantLive } from './data/account.repo.ts'
import { sessionOfUser } from './data/rights-of-user.repo.ts'
import { hasFactor, removeFactor } from './data/second-factor.repo.ts'
import { endSession, endSessionsOf, regrantSessions } from './data/session.repo.ts'
import { bindSocial, findGuest, lockSocial, unbindSocialOf } from './data/third-party.repo.ts'
import type { AuthDeps } from './deps.ts'
import { createLogBound } from './domain/log-bound.ts'
import { authHandlers } from './http.ts'
import { purgeProcessor } from './jobs/purge.ts'
import { secondFactorHandlers } from './second-factor.http.ts'
import { createSessionCache, type SessionCache } from './session-cache.ts'
import { sealedCallsOf, sessionKeyHandler } from './session-key.ts'

export interface AuthModule {
  readonly handlers: readonly Handler[]
  readonly processors: readonly Processor[]
  readonly cache: SessionCache
  /** Keys of encrypted calls. */
  readonly sealedCalls: SealedCalls
  /** The clock of sessions and codes, which a demo's moved clock leaves alone. */
  readonly now: () => Date
  /** Plain text of an SM2-sealed password or key, once and as it was typed. */
  readonly openSecret: (db: TenantDb, cipherHex: string) => Promise<string>
  /** The same of a phone or the number of a document, tidied. */
  readonly openText: (db: TenantDb, cipherHex: string) => Promise<string>
  /**
   * Insists on the code that was sent to a phone, once; wrong tries are counted on the code. In transactions of its own.
   *
   * @throws Refused auth/invalid-sms-code, auth/sms-code-over
   */
  readonly insistOnSmsCode: (ctx: Ctx, given: GivenCode) => Promise<void>
  /** Gives a code back that was right, where what it was for did not come about; in a transaction of its own. */
  readonly giveBackSmsCode: (ctx: Ctx, given: Pick<GivenCode, 'key' | 'phoneIndex'>) => Promise<unknown>
  /** The guest of an access token. */
  readonly guestOf: (token: string) => Promise<Guest | undefined>
  /** Ties a guest to the account made for them; false when they have one by now. */
  readonly bindGuest: (db: TenantDb, guest: Guest, userId: string) => Promise<boolean>
  readonly unbindSocialOf: (db: TenantDb, userId: string) => Promise<void>
  /** Whether this is the person's own password; tries count as in a login. */
  readonly checkOwnPassword: (ctx: Ctx, userId: string, password: string) => Promise<PasswordVerdict>
  /** Whether the owner of the session sits before it: by the password, or by the SMS code that opened it a moment ago. */
  readonly checkOwner: (ctx: Ctx, session: Session, password: string | undefined) => Promise<PasswordVerdict>
  /** Whether somebody at the server's console is who they say; their id, or why not. */
  readonly proveAtConsole: (ctx: Ctx, proof: ConsoleProof) => ReturnType<typeof proveAtConsole>
  /** Whether `checkOwner` asks for a password. */
  readonly isPasswordAsked: (db: TenantDb, session: Session) => Promise<boolean>
  /**
   * Whether a code and an id number are those of one candidate, who forgot the password; nobody and somebody else answer alike.
   *
   * @throws Refused auth/invalid-sms-code, auth/sms-code-over
   */
  readonly checkForgetful: (
    ctx: Ctx,
    given: {
      readonly key: string
      readonly answer: string
      readonly phoneIndex: string
      readonly phoneMask: string
      readonly idCardIndexes: readonly string[]
    },
  ) => Promise<Verdict>
  /** Takes the second factor away from somebody; false when there was none. */
  readonly hasSecondFactor: (db: TenantDb, userId: string) => Promise<boolean>
  readonly removeSecondFactor: (db: TenantDb, userId: string) => Promise<boolean>
  /** Whether the tenant is open and its time has not run out. */
  readonly isTenantLive: (db: TenantDb) => Promise<boolean>
  readonly endSessionsOf: (db: TenantDb, userId: string, reason: string, exceptId?: string | null) => Promise<void>
  readonly endSession: (db: TenantDb, sessionId: string, reason: string) => Promise<void>
  /** Open sessions of these people follow what they hold now; call it in the transaction of the change. */
  readonly regrantSessions: (db: TenantDb, userIds: readonly string[]) => Promise<void>
  /** The session that a member of staff would have now; it opens nothing. */
  readonly sessionOfUser: (db: TenantDb, userId: string) => Promise<Session | undefined>
}

export const createAuthModule = (given: Omit<AuthDeps, 'logBound' | 'loginKeys'>): AuthModule => {
  const deps: AuthDeps = {
    ...given,
    logBound: createLogBound(),
    loginKeys: () => given.services.keys.logins(given.clock.now()).map(({ privateKey }) => privateKey),
  }
  const clients = createClients(deps.services, deps.clock)
  const sessions = createSessionCache(deps.services, deps.clock)
  const cache: SessionCache = {
    ...sessions,
    dropAll: () => {
      sessions.dropAll()
      clients.clear()
    },
  }
  return {
    handlers: [...authHandlers(deps, cache, clients), ...secondFactorHandlers(deps, cache, clients), sessionKeyHandler(deps)],
    sealedCalls: sealedCallsOf(deps),
    processors: [purgeProcessor(deps)],
    cache,
    now: () => deps.clock.now(),
    openSecret: (db, cipherHex) => openSecret(db, deps.loginKeys, cipherHex),
    openText: (db, cipherHex) => openText(db, deps.loginKeys, cipherHex),
    insistOnSmsCode: (ctx, given) => insistOnSmsCode(deps, ctx, given),
    giveBackSmsCode: (ctx, { key, phoneIndex }) =>
      ctx.asSystem('a code that was sent to a phone', db => giveBackSmsCode(db, key, phoneIndex, deps.clock.now())),
    guestOf: token =>
      deps.services.scopes.asPlatform('the tenant of a token is known only after the look-up', deps.services.clock.now(), db =>
        findGuest(db, hashToken(token), deps.clock.now()),
      ),
    bindGuest: async (db, guest, userId) => {
      const social = await lockSocial(db, guest.socialId)
      if (!social) return false
      const bound = social.userId === null ? undefined : await findAccountById(db, social.userId)
      if (bound) return false
      await bindSocial(db, social.id, userId)
      return true
    },
    unbindSocialOf,
    sessionOfUser,
    checkOwnPassword: (ctx, userId, password) => checkOwnPassword(deps, ctx, userId, password, deps.clock.now()),
    checkOwner: (ctx, session, password) => checkOwner(deps, ctx, session, password),
    proveAtConsole: (ctx, proof) => proveAtConsole(deps, ctx, proof),
    isPasswordAsked: (db, session) => isPasswordAsked(db, session, deps.clock.now()),
    checkForgetful: (ctx, given) => checkForgetful(deps, ctx, given),
    hasSecondFactor: hasFactor,
    removeSecondFactor: (db, userId) => {
      insistOnGate(db, 'secondFactorReset', 'appeal')
      return removeFactor(db, userId)
    },
    isTenantLive,
    endSessionsOf: (db, userId, reason, exceptId = null) => endSessionsOf(db, userId, reason, deps.clock.now(), exceptId),
    endSession: (db, sessionId, reason) => endSession(db, sessionId, reason, deps.clock.now()),
    regrantSessions,
  }
}
