import { isRefusal, type Refusal } from '#contract/kernel/refusal.ts'
import { audit } from '#kernel/audit.ts'
import { BusyError } from '#kernel/crypto/gate.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type Ctx, Refused } from '#kernel/http/context.ts'
import { type AccountRow, clearTries, lookUpByKeys, releaseTry, reserveTry, type TryPlace, writeLoginLog } from '../data/account.repo.ts'
import type { AuthDeps } from '../deps.ts'
import { deviceHashOf } from '../device.ts'
import { accountKey, attemptWindowMs, lockMs, waitMinutes } from '../domain/attempts.ts'
import { type AccountDoor, type CodeDoor, doors } from '../domain/doors.ts'
import { shutOut } from './shut-out.ts'

export interface Proof {
  readonly door: AccountDoor
  /** What the login log calls it where that is not the name of the door: the grant whose second step it is. */
  readonly grant?: string
  readonly who: {
    /** Where tries are counted when nobody is found: one text for all spellings of a name. */
    readonly key: string
    readonly find: (db: TenantDb) => Promise<AccountRow | undefined>
    /** What stands in the login log in place of the account: the name as it was typed, of nobody. */
    readonly typed?: string
    /** What stands there where nobody is found and no name was typed: a number with its middle hidden. */
    readonly masked?: string
  }
  /**
   * What has to be right before anything is counted: asked first, in the transaction that counts the try. Where it refuses, nothing is counted, who was
   * looked for meanwhile plays no part, and what it used up stays used.
   */
  readonly admits?: (db: TenantDb) => Promise<Refusal | undefined>
  /** Compares. Runs after the try was committed, and only while tries are left. What it uses up it uses up by itself. */
  readonly look: (account: AccountRow | undefined) => Promise<boolean>
  /** Takes as long as `look`, where nothing may be looked at. */
  readonly pretend?: () => Promise<void>
  /**
   * Whether a right proof is all that the account asks for, so that the count begins anew. Else only this try is taken back: who knows one proof,
   * or chose it a moment ago as the word of a lock, would buy new guesses at another one with it.
   */
  readonly endsCount: (account: AccountRow) => boolean
  /** Goes with the end of the count, in its transaction. */
  readonly onRight?: (db: TenantDb, account: AccountRow) => Promise<void>
}

export type Verdict =
  | { readonly verdict: 'right'; readonly account: AccountRow | undefined }
  /** `isLast`: it was the try that locks. */
  | { readonly verdict: 'wrong'; readonly isLast: boolean }
  | { readonly verdict: 'locked'; readonly minutes: number }

/** Of a code: `over`: nothing was compared, as no such code was sent to here or it is used up. */
export type CodeVerdict = 'right' | 'wrong' | 'over'

const because = 'a proof of who somebody is'

/** A browser that the account was logged in from has a count of its own, which strangers cannot use up (OWASP device cookies). */
const placeOf = (deps: AuthDeps, ctx: Ctx, accountId: string, now: Date): TryPlace => {
  const deviceHash = deviceHashOf(deps.services.keys.tokenKey, ctx, { tenantId: ctx.tenantId, userId: accountId }, now)
  return { accountId, ...(deviceHash === undefined ? {} : { deviceHash }) }
}

/** A failure in the log that whoever watches over the accounts reads; one inside of a session stands in the audit trail as well. */
const writeFailure = async (
  ctx: Ctx,
  db: TenantDb,
  { door, grant = door, who }: Pick<Proof, 'grant'> & { readonly door: AccountDoor | CodeDoor; readonly who: Omit<Proof['who'], 'key'> },
  account: AccountRow | undefined,
  result: string,
): Promise<void> => {
  await writeLoginLog(db, {
    userId: who.typed === undefined ? (account?.id ?? '0') : '0',
    accountKey: who.typed ?? (account ? accountKey(account.account) : (who.masked ?? '')),
    grant,
    result,
    ip: ctx.ip,
    userAgent: ctx.userAgent,
  })
  if (ctx.session && account && result === doors[door].wrong)
    await audit(db, ctx, { action: 'account.proof-wrong', entity: 'account', entityId: account.id, after: { door: grant } })
}

/** A code that was sent has tries of its own, so nothing of the account is counted: neither its owner nor another door of it is kept out by them. */
export const proveByCode = async (
  deps: AuthDeps,
  ctx: Ctx,
  proof: {
    readonly door: CodeDoor
    /** For the log. */
    readonly who: Omit<Proof['who'], 'key'>
    /** Compares and counts the try, in one statement; `over` where there is nothing to compare with. */
    readonly look: () => Promise<boolean | 'over'>
  },
): Promise<CodeVerdict> => {
  const { door, who } = proof
  const seen = await proof.look()
  if (seen === true) return 'right'
  const verdict = seen === 'over' ? seen : 'wrong'
  // A code that is none costs whoever sends it nothing, so it is written down as far as the bound allows.
  if (verdict === 'wrong' || deps.logBound.allows(ctx.tenantId, ctx.ip, deps.clock.now()))
    await ctx.asSystem(because, async db => {
      lookUpByKeys(db)
      await writeFailure(ctx, db, { door, who }, await who.find(db), verdict === 'over' ? 'auth/sms-code-over' : doors[door].wrong)
    })
  return verdict
}

/**
 * The one place where a password, a code or a second factor is compared (decision 4.7), beside `proveByCode`: every door of an account counts here, whatever it asks for
 * and however the account was named. The try is committed before anything is looked at, so parallel guesses cannot slip in between; a name that
 * nobody has costs and counts the same. What fails is written down here too, so a door cannot forget it. `tools/boundaries-proof.ts` finds
 * comparisons anywhere else.
 *
 * @throws BusyError - nobody looked: the try is given back
 * @throws Refused - what `admits` refuses with
 */
export const prove = async (deps: AuthDeps, ctx: Ctx, proof: Proof, now: Date): Promise<Verdict> => {
  const { who, door } = proof
  const windowStart = new Date(now.getTime() - attemptWindowMs)
  const begun = await ctx.asSystem(because, async db => {
    lookUpByKeys(db)
    // In one message. Where what is asked first refuses, who was found is told to nobody.
    const [refusal, failLimit, found] = await Promise.all([proof.admits?.(db), deps.settings.failLimit(db), who.find(db)])
    if (refusal) return refusal
    const counted: TryPlace = found ? placeOf(deps, ctx, found.id, now) : { unknownKey: who.key }
    return { account: found, place: counted, tries: await reserveTry(db, counted, now, windowStart, failLimit), limit: failLimit }
  })
  if (isRefusal(begun)) throw new Refused(begun)
  const { account, place, tries, limit } = begun
  const lockUntil = new Date(now.getTime() + lockMs(tries.lockLevel))
  if (!tries.isReserved) {
    await proof.pretend?.()
    await ctx.asSystem(because, async db => {
      if (!tries.lockedUntil) await shutOut(ctx, db, place, lockUntil)
      await writeFailure(ctx, db, proof, account, 'auth/account-locked')
    })
    return { verdict: 'locked', minutes: waitMinutes((tries.lockedUntil ?? lockUntil).getTime(), now.getTime()) }
  }
  const isRight = await proof.look(account).catch(async (error: unknown) => {
    // Nobody looked at it: whoever is told to try again shortly is not a step nearer to a lock for that.
    if (error instanceof BusyError) await ctx.asSystem(because, db => releaseTry(db, place))
    throw error
  })
  if (!isRight) {
    const isLast = tries.failCount >= limit
    await ctx.asSystem(because, async db => {
      if (isLast) await shutOut(ctx, db, place, lockUntil)
      await writeFailure(ctx, db, proof, account, doors[door].wrong)
    })
    return { verdict: 'wrong', isLast }
  }
  const settle = account && proof.endsCount(account) ? clearTries : releaseTry
  await ctx.asSystem(because, db => {
    lookUpByKeys(db)
    return Promise.all([settle(db, place), account && proof.onRight ? proof.onRight(db, account) : undefined])
  })
  return { verdict: 'right', account }
}
