import type { TenantDb } from '#kernel/db/scope.ts'
import type { Ctx, Session } from '#kernel/http/context.ts'
import { type AccountRow, findAccountById, findByPhone, hasIdCard } from '../data/account.repo.ts'
import { isOpenedBy } from '../data/session.repo.ts'
import type { AuthDeps } from '../deps.ts'
import { phoneKey } from '../domain/attempts.ts'
import { checkOwnPassword, type PasswordVerdict } from './check-password.ts'
import { insistOnSmsCode } from './check-sms-code.ts'
import { prove, type Verdict } from './prove.ts'

/** So long after a login by SMS code the code says who sits there, and nobody is asked for a password that they may not know. */
const codeProvesMs = 30 * 60_000

/** Whether the password of whoever has this session is asked once more before something of weight. */
export const isPasswordAsked = async (db: TenantDb, session: Pick<Session, 'id' | 'userId'>, now: Date): Promise<boolean> => {
  if (!(await isOpenedBy(db, session.id, 'sms_code', new Date(now.getTime() - codeProvesMs)))) return true
  // Where a second factor had to follow, the code alone proved nothing.
  return (await findAccountById(db, session.userId))?.hasSecondFactor ?? true
}

/**
 * Whether the owner of a session sits before it: by the password, whose tries count as in a login, or without one while the code that opened the
 * session is still fresh.
 *
 * @param password - undefined or empty: none was given
 */
export const checkOwner = async (deps: AuthDeps, ctx: Ctx, session: Session, password: string | undefined): Promise<PasswordVerdict> => {
  const now = deps.clock.now()
  const proven = password
    ? undefined
    : await ctx.asSystem('whether the code of a login still proves who sits there', async db =>
        (await isPasswordAsked(db, session, now)) ? undefined : findAccountById(db, session.userId),
      )
  if (proven) return { verdict: 'right', account: proven }
  // Nothing was given that could be compared, so nothing is counted.
  return password ? checkOwnPassword(deps, ctx, session.userId, password, now) : { verdict: 'wrong', isLast: false }
}

/** Who forgot the password: a candidate, by the code sent to the phone and by the id number, both under the one counter of the account. */
export const checkForgetful = async (
  deps: AuthDeps,
  ctx: Ctx,
  given: {
    readonly key: string
    readonly answer: string
    readonly phoneIndex: string
    readonly phoneMask: string
    readonly idCardIndexes: readonly string[]
  },
): Promise<Verdict> => {
  const { phoneIndex, phoneMask, idCardIndexes, ...code } = given
  const candidates = { candidate: true, staff: false }
  await insistOnSmsCode(deps, ctx, { ...code, phoneIndex, phoneMask })
  return prove(
    deps,
    ctx,
    {
      door: 'reset_password',
      who: { key: phoneKey(phoneIndex), masked: phoneMask, find: db => findByPhone(db, phoneIndex, candidates) },
      look: (account: AccountRow | undefined) =>
        ctx.asSystem('the id number of a person who forgot the password', db => hasIdCard(db, account?.id ?? '0', idCardIndexes)),
      endsCount: account => !account.hasSecondFactor,
    },
    deps.clock.now(),
  )
}
