import type { Ctx } from '#kernel/http/context.ts'
import { findAccount } from '../data/account.repo.ts'
import type { AuthDeps } from '../deps.ts'
import { accountKey } from '../domain/attempts.ts'
import { checkPassword } from './check-password.ts'
import { checkSecondFactor } from './second-factor.ts'
import { statusRefusal } from './token-refusals.ts'

export interface ConsoleProof {
  readonly account: string
  readonly password: string
  /** Asked for after the right password of an account that has a second factor. */
  readonly code: () => Promise<string>
}

const grant = 'server_console'

/**
 * Whether somebody at the server's console is who they say: a member of staff by password and, where they have one, second factor, under the one counter
 * of the account. @returns the account's id, or why not, for the console
 */
export const proveAtConsole = async (deps: AuthDeps, ctx: Ctx, proof: ConsoleProof): Promise<{ readonly userId: string } | string> => {
  const now = deps.clock.now()
  const key = accountKey(proof.account)
  const checked = await checkPassword(
    deps,
    ctx,
    {
      door: grant,
      who: { key, find: db => findAccount(db, key, null), typed: proof.account },
      password: () => proof.password,
    },
    now,
  )
  if (checked.verdict === 'locked') return `too many wrong tries; try again in ${checked.minutes} minutes.`
  if (checked.verdict !== 'right') return 'there is no such account with this password.'
  const { id, userType, passwordDue, hasSecondFactor } = checked.account
  if (userType !== 1 || statusRefusal(checked.account) !== undefined) return 'this account may not log in.'
  if (passwordDue) return 'the one-time password has to be changed at a login first.'
  if (!hasSecondFactor) return { userId: id }
  const code = await checkSecondFactor(deps, ctx, checked.account, await proof.code(), now, grant)
  if (code.verdict === 'locked') return `too many wrong tries; try again in ${code.minutes} minutes.`
  return code.verdict === 'right' ? { userId: id } : 'the code of the second factor is wrong.'
}
