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
import { enqueue, type Task } from '#kernel/queue/outbox.ts'
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
  await deps.message.sendSmsTo(db, userId, 'account-closed', {})
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

const hourMs = 3_600_000
const orderNext = (deps: PersonDeps, tenantId: string, runAt: Date): Promise<void> =>
  deps.services.scopes.tx(systemOf(tenantId), deps.services.clock.now(), db =>
    enqueue(db, 'person.close-accounts', {}, { runAt, jobKey: 'person-close-accounts' }),
  )

/** Looks every hour whether a waiting account can be closed by now, in every tenant; each run orders the next. */
export const startClosing = (deps: PersonDeps, tenantId: string): Promise<void> => orderNext(deps, tenantId, deps.services.clock.now())

export const closingTask = (deps: PersonDeps): Task => ({
  name: 'person.close-accounts',
  run: async ({ tenantId }) => {
    const { scopes, clock } = deps.services
    const waiting = await scopes.asPlatform('requests to close wait in every tenant', clock.now(), listWaitingClosings)
    for (const one of waiting) await scopes.tx(systemOf(one.tenantId), clock.now(), db => closeNow(deps, db, undefined, one.userId))
    await orderNext(deps, tenantId, new Date(clock.now().getTime() + hourMs))
  },
})
