import { refuseAuth } from '#contract/auth/auth.errors.ts'
import { refuse } from '#contract/kernel/errors.ts'
import type { Refusal } from '#contract/kernel/refusal.ts'
import type { OutputOf } from '#contract/kernel/route.ts'
import { toWireTime } from '#contract/kernel/when.ts'
import { refusePerson } from '#contract/person/person.errors.ts'
import type { closeAccount as closeAccountRoute } from '#contract/person/person.routes.ts'
import { audit } from '#kernel/audit.ts'
import { lock } from '#kernel/db/lock.ts'
import { systemOf, type TenantDb } from '#kernel/db/scope.ts'
import type { Ctx } from '#kernel/http/context.ts'
import type { Processor } from '#kernel/queue/processor.ts'
import { endClosing, eraseAccount, findClosing, listObstacles, listWaitingClosings, requestClosing } from '../data/closing.repo.ts'
import type { PersonDeps } from '../deps.ts'

type View = OutputOf<typeof closeAccountRoute>

export const viewClosing = async (db: TenantDb, userId: string): Promise<View> => {
  const row = await findClosing(db, userId)
  const state = row === undefined || row.state === 'cancelled' ? 'none' : row.state
  return {
    state,
    requestTime: row && state !== 'none' ? toWireTime(row.requestedAt) : null,
    obstacles: state === 'done' ? [] : await listObstacles(db, userId),
  }
}

/** Closes the account of a waiting request when nothing is open any more. @returns whether it did */
const closeNow = async (deps: PersonDeps, db: TenantDb, ctx: Ctx | undefined, userId: string): Promise<boolean> => {
  await lock(db, `closing|${userId}`)
  if ((await listObstacles(db, userId)).length > 0 || !(await endClosing(db, userId, 'done'))) return false
  await deps.message.sendSmsTo(db, { userId, examId: null }, 'account-closed', {})
  await eraseAccount(db, userId)
  await deps.auth.unbindSocialOf(db, userId)
  await deps.auth.endSessionsOf(db, userId, 'account-closed')
  await audit(db, ctx, { action: 'account.closed', entity: 'account', entityId: userId })
  return true
}

/** The candidate's own request (domain 4.9): the password is asked again, and it counts like a login. */
export const requestOwnClosing = async (deps: PersonDeps, ctx: Ctx, sealed: string | undefined): Promise<View | Refusal> => {
  const { session } = ctx
  if (!session) return refuse('kernel/no-token', {})
  const because = 'closing the caller’s own account'
  const password = sealed && (await ctx.asSystem(because, db => deps.auth.openSecret(db, sealed)))
  const checked = await deps.auth.checkOwner(ctx, session, password)
  if (checked.verdict === 'locked') return refuseAuth('auth/account-locked', { minutes: checked.minutes })
  if (checked.verdict === 'wrong') return refuseAuth('auth/wrong-password', {})
  return ctx.asSystem(because, async db => {
    await lock(db, `closing|${session.userId}`)
    await requestClosing(db, session.userId)
    await audit(db, ctx, { action: 'account.closing-requested', entity: 'account', entityId: session.userId })
    await closeNow(deps, db, ctx, session.userId)
    return viewClosing(db, session.userId)
  })
}

export const cancelOwnClosing = async (ctx: Ctx, db: TenantDb): Promise<View | Refusal> => {
  if (!(await endClosing(db, db.actor.userId, 'cancelled'))) return refusePerson('person/nothing-waiting', {})
  await audit(db, ctx, { action: 'account.closing-cancelled', entity: 'account', entityId: db.actor.userId })
  return viewClosing(db, db.actor.userId)
}

/** Looks whether a waiting account can be closed by now, in every tenant. */
export const closingProcessor = (deps: PersonDeps): Processor => ({
  name: 'person.close-accounts',
  label: { zh: '注销账号', en: 'Close accounts' },
  help: {
    zh: '注销已申请、且不再有未了事项的账号',
    en: 'Closes accounts whose owners have asked for it and that have nothing open any more',
  },
  scope: 'platform',
  erases: [
    {
      what: { zh: '已申请注销的账号：证件号、手机号、证件图像', en: 'Accounts whose owners closed them: numbers and images of documents' },
      since: { zh: '没有未了事项', en: 'nothing is open any more' },
      after: { zh: '一小时内', en: 'within the hour' },
    },
  ],
  own: { cron: '0 15 * * * ?', mayPause: true },
  run: async ({ now, log }) => {
    const { scopes } = deps.services
    const waiting = await scopes.asPlatform('requests to close wait in every tenant', now, listWaitingClosings)
    let closed = 0
    for (const one of waiting)
      if (await scopes.tx(systemOf(one.tenantId), now, db => closeNow(deps, db, undefined, one.userId))) closed += 1
    log(2, { zh: `等待注销的账号 ${waiting.length} 个`, en: `${waiting.length} accounts wait to be closed` })
    return { zh: `注销账号 ${closed} 个`, en: `${closed} accounts closed` }
  },
})
