import { refuseAuth } from '#contract/auth/auth.errors.ts'
import { type Ctx, Refused } from '#kernel/http/context.ts'
import { type AccountRow, findAccountById, findByPhone } from '../data/account.repo.ts'
import type { AuthDeps } from '../deps.ts'
import { phoneKey } from '../domain/attempts.ts'
import { tryCode } from './challenge.ts'
import { prove, type Verdict } from './prove.ts'

export interface GivenCode {
  /** What sending the code answered. */
  readonly key: string
  readonly answer: string
  /** Of the phone that the code was sent to. */
  readonly phoneIndex: string
  /** The phone with its middle hidden, for the log of tries at one that nobody has. */
  readonly phoneMask: string
  /** Whose tries are counted; without it those of whoever has the phone. */
  readonly userId?: string
}

/** Checks a code that was sent by SMS under the counter of the account it is about; a phone that nobody has is counted by itself. */
export const checkSmsCode = (
  deps: AuthDeps,
  ctx: Ctx,
  { key, answer, phoneIndex, phoneMask, userId }: GivenCode,
  now: Date,
  endsCount: (account: AccountRow) => boolean = () => false,
): Promise<Verdict> =>
  prove(
    deps,
    ctx,
    {
      door: { grant: 'sms_code', wrong: 'auth/invalid-sms-code' },
      who: {
        key: phoneKey(phoneIndex),
        masked: phoneMask,
        find: db => (userId === undefined ? findByPhone(db, phoneIndex, { candidate: true, staff: true }) : findAccountById(db, userId)),
      },
      look: () => ctx.asSystem('a code that was sent to a phone', db => tryCode(db, { key, answer, phoneIndex }, now)),
      endsCount,
    },
    now,
  )

/**
 * The refusal names the field, so that a form shows it where the code was typed.
 * @throws Refused auth/invalid-sms-code, auth/account-locked
 */
export const insistOnSmsCode = async (deps: AuthDeps, ctx: Ctx, given: GivenCode): Promise<void> => {
  const checked = await checkSmsCode(deps, ctx, given, deps.clock.now())
  if (checked.verdict === 'locked') throw new Refused(refuseAuth('auth/account-locked', { minutes: checked.minutes }))
  if (checked.verdict !== 'wrong') return
  const refusal = refuseAuth('auth/invalid-sms-code', {})
  throw new Refused({ ...refusal, data: { fields: [{ field: 'smsCode', msg: ctx.say(refusal.text) }] } })
}
