import { BusyError } from '#kernel/crypto/gate.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import type { Ctx } from '#kernel/http/context.ts'
import { type AccountRow, clearTries, releaseTry, reserveTry, storePassword, type TryPlace } from '../data/account.repo.ts'
import type { AuthDeps } from '../deps.ts'
import { deviceHashOf } from '../device.ts'
import { attemptWindowMs, lockMs, waitMinutes } from '../domain/attempts.ts'
import { shutOut } from './shut-out.ts'

export type PasswordVerdict =
  | { readonly verdict: 'right'; readonly account: AccountRow }
  | { readonly verdict: 'wrong' }
  | { readonly verdict: 'locked'; readonly minutes: number }

/** A browser that the account was logged in from has a count of its own, which strangers cannot use up (OWASP device cookies). */
export const placeOf = (deps: AuthDeps, ctx: Ctx, accountId: string, now: Date): TryPlace => {
  const deviceHash = deviceHashOf(deps.services.secrets.tokenKey, ctx, { tenantId: ctx.tenantId, userId: accountId }, now)
  return { accountId, ...(deviceHash === undefined ? {} : { deviceHash }) }
}

/** Takes as long where there is nothing to compare with. */
const compare = async ({ services: { passwords } }: AuthDeps, password: string, hash: string | null): Promise<boolean> => {
  if (hash !== null) return passwords.verify(password, hash)
  await passwords.dummyVerify(password)
  return false
}

/**
 * Checks a password under the counter of its account, whichever door it came through (decision 4.7). The try is committed before the hash is
 * computed; a name that nobody has costs and counts the same.
 */
export const checkPassword = async (
  deps: AuthDeps,
  ctx: Ctx,
  who: { readonly key: string; readonly find: (db: TenantDb) => Promise<AccountRow | undefined> },
  password: string,
  now: Date,
): Promise<PasswordVerdict> => {
  const { passwords } = deps.services
  const windowStart = new Date(now.getTime() - attemptWindowMs)
  const { account, place, tries, limit } = await ctx.asSystem('login', async db => {
    const [found, failLimit] = await Promise.all([who.find(db), deps.settings.failLimit(db)])
    const counted: TryPlace = found ? placeOf(deps, ctx, found.id, now) : { unknownKey: who.key }
    return { account: found, place: counted, tries: await reserveTry(db, counted, now, windowStart, failLimit), limit: failLimit }
  })
  const lockUntil = new Date(now.getTime() + lockMs(tries.lockLevel))
  if (!tries.isReserved) {
    await passwords.dummyVerify(password)
    if (!tries.lockedUntil) await ctx.asSystem('login', db => shutOut(ctx, db, place, lockUntil))
    return { verdict: 'locked', minutes: waitMinutes((tries.lockedUntil ?? lockUntil).getTime(), now.getTime()) }
  }
  const hash = account?.passwordHash ?? null
  const right = await compare(deps, password, hash).catch(async (error: unknown) => {
    // Nobody looked at it: whoever is told to try again shortly is not a step nearer to a lock for that.
    if (error instanceof BusyError) await ctx.asSystem('login', db => releaseTry(db, place))
    throw error
  })
  if (!account || !right) {
    if (tries.failCount >= limit) await ctx.asSystem('login', db => shutOut(ctx, db, place, lockUntil))
    return { verdict: 'wrong' }
  }
  const rehash = hash !== null && passwords.needsRehash(hash) ? await passwords.hash(password) : undefined
  // Where a code has to follow, only the code ends the count: else each right password would buy new guesses at it.
  const settle = account.hasSecondFactor ? releaseTry : clearTries
  await ctx.asSystem('login', db =>
    db.last(() => Promise.all([settle(db, place), rehash === undefined ? undefined : storePassword(db, account.id, rehash)])),
  )
  return { verdict: 'right', account }
}
