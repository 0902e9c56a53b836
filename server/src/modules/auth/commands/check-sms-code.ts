import { refuseAuth } from '#contract/auth/auth.errors.ts'
import { type Ctx, Refused } from '#kernel/http/context.ts'
import { findAccountById, findByPhone } from '../data/account.repo.ts'
import type { AuthDeps } from '../deps.ts'
import { tryCode } from './challenge.ts'
import { type CodeVerdict, proveByCode } from './prove.ts'

export interface GivenCode {
  /** What sending the code answered. */
  readonly key: string
  readonly answer: string
  /** Of the phone that the code was sent to. */
  readonly phoneIndex: string
  /** The phone with its middle hidden, for the log of tries at one that nobody has. */
  readonly phoneMask: string
  /** In whose log a wrong one stands; without it that of whoever has the phone. */
  readonly userId?: string
}

/** Checks a code that was sent by SMS. A wrong one is counted on the code, whose key only the page has that asked for it: nobody else is kept out by it. */
export const checkSmsCode = (
  deps: AuthDeps,
  ctx: Ctx,
  { key, answer, phoneIndex, phoneMask, userId }: GivenCode,
  now: Date,
): Promise<CodeVerdict> =>
  proveByCode(deps, ctx, {
    door: 'sms_code',
    who: {
      masked: phoneMask,
      find: db => (userId === undefined ? findByPhone(db, phoneIndex, { candidate: true, staff: true }) : findAccountById(db, userId)),
    },
    look: () => ctx.asSystem('a code that was sent to a phone', db => tryCode(db, { key, answer, phoneIndex }, now)),
  })

const faults = { wrong: 'auth/invalid-sms-code', over: 'auth/sms-code-over' } as const
/** Why a code is not taken; undefined for the right one. */
export const faultOfCode = (verdict: CodeVerdict): (typeof faults)[keyof typeof faults] | undefined =>
  verdict === 'right' ? undefined : faults[verdict]

/**
 * The refusal names the field, so that a form shows it where the code was typed.
 * @throws Refused auth/invalid-sms-code, auth/sms-code-over
 */
export const insistOnSmsCode = async (deps: AuthDeps, ctx: Ctx, given: GivenCode): Promise<void> => {
  const fault = faultOfCode(await checkSmsCode(deps, ctx, given, deps.clock.now()))
  if (fault === undefined) return
  const refusal = refuseAuth(fault, {})
  throw new Refused({ ...refusal, data: { fields: [{ field: 'smsCode', msg: ctx.say(refusal.text) }] } })
}
