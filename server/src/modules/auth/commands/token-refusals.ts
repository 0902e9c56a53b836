import { type authErrors, oauthError, refuseAuth } from '#contract/auth/auth.errors.ts'
import type { NextStep } from '#contract/auth/second-factor.routes.ts'
import type { Refusal } from '#contract/kernel/refusal.ts'
import { accountMachine } from '#contract/organisation/account.state.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { Refused } from '#kernel/http/context.ts'
import { type AccountRow, tenantDoor } from '../data/account.repo.ts'
import type { TokenAnswer } from './open-session.ts'

/** Answer and refresh token; the cookie is the caller's business. */
export type Granted = { readonly answer: TokenAnswer; readonly refresh: string }

const failure = (reason: keyof typeof authErrors, refusal: Refusal, data: object = {}): Refusal => ({
  ...refusal,
  data: { error: oauthError[reason] ?? 'invalid_request', ...data },
})
type Plain = Exclude<keyof typeof authErrors, 'auth/account-locked' | 'auth/password-weak' | 'auth/tenant-full' | 'auth/sms-frequency'>
export const no = (reason: Plain): Refusal => failure(reason, refuseAuth(reason, {}))

export const lockedFor = (minutes: number): Refusal => failure('auth/account-locked', refuseAuth('auth/account-locked', { minutes }))

/** No failure of the caller's: the first factor was right, and this is what comes next. */
export const withStep = (step: NextStep): Refusal => failure('auth/second-factor', refuseAuth('auth/second-factor', {}), step)

/** For the callers that must leave at once. */
export const tokenRefused = (reason: Plain): Refused => new Refused(no(reason))

const waysShut: ReadonlyMap<number, Plain> = new Map([
  [accountMachine.wire.pending, 'auth/account-pending'],
  [accountMachine.wire.refused, 'auth/account-refused'],
  [accountMachine.wire.locked, 'auth/account-held'],
])
/** Said to whoever has proven to be the owner, nobody else. Why an account of this status opens no session; undefined when it does. */
export const statusRefusal = (account: AccountRow): Refusal | undefined => {
  if (account.status === accountMachine.wire.normal) return undefined
  return no(waysShut.get(account.status) ?? 'auth/account-disabled')
}

/** Said only to whoever knows the password: a one-time password opens for some days. */
export const oneTimeRefusal = ({ oneTimeUntil }: AccountRow, now: Date): Refusal | undefined =>
  oneTimeUntil !== null && oneTimeUntil <= now ? no('auth/one-time-expired') : undefined

/** Whether the tenant still has a door, and a place behind it for this account. */
export const tenantRefusal = async (db: TenantDb, account: AccountRow | undefined): Promise<Refusal | undefined> => {
  const { isLive, hasPlace } = await tenantDoor(db, account?.userType === 1 ? account.id : undefined)
  if (!isLive) return no('auth/tenant-expired')
  return hasPlace ? undefined : no('auth/over-quota')
}
