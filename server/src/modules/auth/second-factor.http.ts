import { refuseAuth } from '#contract/auth/auth.errors.ts'
import { secondFactor } from '#contract/auth/second-factor.routes.ts'
import { isRefusal, type Refusal } from '#contract/kernel/refusal.ts'
import { toWireTime } from '#contract/kernel/when.ts'
import { audit } from '#kernel/audit.ts'
import { type Ctx, type Handler, handle, Refused, sessionOf } from '#kernel/http/context.ts'
import type { Client, Clients } from './clients.ts'
import { checkOwnPassword } from './commands/check-password.ts'
import { beginByTicket, completeLogin } from './commands/finish-login.ts'
import { openSecret } from './commands/open-cipher.ts'
import {
  beginEnrolment,
  type CodeVerdict,
  checkSecondFactor,
  confirmEnrolment,
  isFactorRequired,
  makeRecoveryCodes,
} from './commands/second-factor.ts'
import { tokenRefused } from './commands/token-refusals.ts'
import { handOver } from './cookies.ts'
import { type AccountRow, findAccountById } from './data/account.repo.ts'
import { findFactor, removeFactor } from './data/second-factor.repo.ts'
import { endSessionsOf } from './data/session.repo.ts'
import type { AuthDeps } from './deps.ts'
import { keepDevice } from './device.ts'
import type { SessionCache } from './session-cache.ts'

const because = 'the caller’s own second factor'

const refusalOf = (verdict: CodeVerdict['verdict'], minutes = 0): Refusal =>
  verdict === 'locked' ? refuseAuth('auth/account-locked', { minutes }) : refuseAuth('auth/wrong-code', {})
const insist = (checked: CodeVerdict): void => {
  if (checked.verdict !== 'right') throw new Refused(refusalOf(checked.verdict, checked.verdict === 'locked' ? checked.minutes : 0))
}

export const secondFactorHandlers = (deps: AuthDeps, cache: SessionCache, clients: Clients): Handler[] => {
  const { services, clock } = deps
  const isSecure = services.config.publicUrl?.startsWith('https:') === true

  const clientOf = async (ctx: Ctx): Promise<Client> => {
    const client = await clients.of(ctx.header('authorization'))
    if (!client) throw tokenRefused('auth/invalid-client')
    return client
  }
  /** The caller's own account; candidates and service accounts have no second factor. */
  const ownAccount = async (ctx: Ctx): Promise<AccountRow> => {
    const session = sessionOf(ctx)
    const account = session.userType === 1 ? await ctx.asSystem(because, db => findAccountById(db, session.userId)) : undefined
    if (!account) throw new Refused(refuseAuth('auth/second-factor-none', {}))
    return account
  }
  /** The caller once more, by password: whoever found an open session cannot tie the account to a phone of their own. */
  const provenAccount = async (ctx: Ctx, sealed: string): Promise<AccountRow> => {
    const account = await ownAccount(ctx)
    const password = await ctx.asSystem(because, db => openSecret(db, deps.loginKeys, sealed))
    const checked = await checkOwnPassword(deps, ctx, account.id, password, clock.now())
    if (checked.verdict === 'locked') throw new Refused(refuseAuth('auth/account-locked', { minutes: checked.minutes }))
    if (checked.verdict === 'wrong') throw new Refused(refuseAuth('auth/wrong-password', {}))
    return checked.account
  }
  const insistOnCode = async (ctx: Ctx, account: AccountRow, code: string): Promise<void> => {
    if (!account.hasSecondFactor) throw new Refused(refuseAuth('auth/second-factor-off', {}))
    insist(await checkSecondFactor(deps, ctx, account, code, clock.now()))
  }

  return [
    handle(secondFactor.logIn, async ({ ctx, input }) => {
      const client = await clientOf(ctx)
      const done = await completeLogin(deps, ctx, input, client)
      if (isRefusal(done)) return done
      const answer = handOver(ctx, client.id, done, isSecure)
      keepDevice(services.keys.tokenKey, ctx, { tenantId: ctx.tenantId, userId: done.answer.user_id }, clock.now(), isSecure)
      return { ...answer, ...(done.recoveryCodes ? { recoveryCodes: [...done.recoveryCodes] } : {}) }
    }),
    handle(secondFactor.beginByTicket, async ({ ctx, input }) => beginByTicket(deps, ctx, input.ticket, await clientOf(ctx))),
    handle(secondFactor.state, async ({ ctx }) => {
      const session = sessionOf(ctx)
      if (session.userType !== 1) return { isOffered: false, isOn: false, isRequired: false, since: '', recoveryLeft: 0 }
      return ctx.asSystem(because, async db => {
        const [factor, isRequired] = await Promise.all([
          findFactor(db, session.userId),
          isFactorRequired(deps, db, { id: session.userId, userType: session.userType }),
        ])
        const since = factor?.confirmedAt ?? null
        return {
          isOffered: true,
          isOn: since !== null,
          isRequired,
          since: since === null ? '' : toWireTime(since),
          recoveryLeft: factor?.recoveryLeft ?? 0,
        }
      })
    }),
    handle(secondFactor.begin, async ({ ctx, input }) => {
      const account = await provenAccount(ctx, input.password)
      if (account.hasSecondFactor) await insistOnCode(ctx, account, input.code ?? '')
      return beginEnrolment(deps, ctx, account, clock.now())
    }),
    handle(secondFactor.confirm, async ({ ctx, input }) => {
      const session = sessionOf(ctx)
      const checked = await confirmEnrolment(deps, ctx, await ownAccount(ctx), input.code, clock.now())
      if (checked.verdict === 'none') return refuseAuth('auth/enrolment-over', {})
      insist(checked)
      // Whoever is logged in elsewhere has proven one factor only.
      await ctx.asSystem(because, db => endSessionsOf(db, session.userId, 'second-factor-on', clock.now(), session.id))
      cache.drop(session.id)
      return { recoveryCodes: [...(checked.recoveryCodes ?? [])] }
    }),
    handle(secondFactor.renewCodes, async ({ ctx, input }) => {
      const account = await provenAccount(ctx, input.password)
      await insistOnCode(ctx, account, input.code)
      return ctx.asSystem(because, async db => {
        await audit(db, ctx, { action: 'account.recovery-codes-made', entity: 'account', entityId: account.id })
        return { recoveryCodes: [...(await makeRecoveryCodes(deps, db, account.id))] }
      })
    }),
    handle(secondFactor.remove, async ({ ctx, input }) => {
      const account = await ownAccount(ctx)
      if (!account.hasSecondFactor) return refuseAuth('auth/second-factor-off', {})
      if (await ctx.asSystem(because, db => isFactorRequired(deps, db, account))) return refuseAuth('auth/second-factor-due', {})
      await insistOnCode(ctx, await provenAccount(ctx, input.password), input.code)
      return ctx.asSystem(because, async db => {
        await removeFactor(db, account.id)
        await audit(db, ctx, { action: 'account.second-factor-off', entity: 'account', entityId: account.id })
        return null
      })
    }),
  ]
}
