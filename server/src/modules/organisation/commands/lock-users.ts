import { refuseField } from '#contract/kernel/errors.ts'
import { idsOf } from '#contract/kernel/ids.ts'
import { stateOfWire } from '#contract/kernel/machine.ts'
import { ownReasons } from '#contract/kernel/own-reason.ts'
import { fromWireTime, toWireTime } from '#contract/kernel/when.ts'
import { accountMachine } from '#contract/organisation/account.state.ts'
import { refuseUser } from '#contract/organisation/user.errors.ts'
import { audit } from '#kernel/audit.ts'
import { systemOf, type TenantDb } from '#kernel/db/scope.ts'
import { type Ctx, Refused } from '#kernel/http/context.ts'
import { enqueue, type Task } from '#kernel/queue/outbox.ts'
import { lockTargets, openAgain, planLock, type Target } from '../data/user-admin.repo.ts'
import type { OrganisationDeps } from '../deps.ts'
import { move, targetsOf } from './manage-users.ts'

interface Span {
  readonly begin?: Date | undefined
  readonly end?: Date | undefined
}
const lockTask = 'system.lock-begins'
const unlockTask = 'system.lock-ends'

const wire = ({ begin, end }: Span) => ({ ...(begin ? { begin: toWireTime(begin) } : {}), ...(end ? { end: toWireTime(end) } : {}) })

/** The times of a lock as somebody typed them; a begin that has come is now. */
const spanOf = (deps: OrganisationDeps, input: { readonly lockBeginTime?: string; readonly lockEndTime?: string }): Span => {
  const now = deps.auth.now()
  const begin = input.lockBeginTime ? fromWireTime(input.lockBeginTime) : undefined
  const end = input.lockEndTime ? fromWireTime(input.lockEndTime) : undefined
  const later = begin && begin > now ? begin : undefined
  if (end && end <= (later ?? now))
    throw new Refused(refuseField('lockEndTime', { zh: '锁定结束时间须晚于开始时间', en: 'The end must be after the begin' }))
  return { begin: later, end }
}

/** Shuts an account and ends its sessions. `ctx` is absent where the time of a planned lock has come. */
const shut = async (
  deps: OrganisationDeps,
  ctx: Ctx | undefined,
  db: TenantDb,
  target: Target,
  reason: string,
  end?: Date,
): Promise<void> => {
  const status = await move(db, target, 'lock', {
    lock_reason: reason,
    lock_begin: deps.auth.now(),
    lock_end: end ?? null,
    unlock_reason: null,
    unlocked_at: null,
  })
  await deps.auth.endSessionsOf(db, target.id, 'locked')
  await audit(db, ctx, {
    action: 'account.locked',
    entity: 'account',
    entityId: target.id,
    before: { status: target.status },
    after: { account: target.account, status, ...wire({ end }) },
    reason,
  })
}

/** The end of a lock comes by itself; whoever unlocks before, or locks anew, makes the order void. */
const orderEnd = (db: TenantDb, userId: string, end: Date): Promise<void> =>
  enqueue(db, unlockTask, { userId, end: end.toISOString() }, { runAt: end, jobKey: `unlock-${userId}` })

const refuseUnless = (target: Target, states: readonly number[]): void => {
  if (states.includes(target.status)) return
  const state = stateOfWire(accountMachine, target.status) ?? 'closed'
  throw new Refused(refuseUser('user/state', { account: target.account, state: accountMachine.label[state] }))
}

/**
 * Locks accounts with a reason and ends their sessions, at once or from a time on, for good or until a time. Refusals: those of
 * `targetsOf`, user/state.
 */
export const lockUsers = async (
  deps: OrganisationDeps,
  ctx: Ctx,
  db: TenantDb,
  input: {
    readonly userIds?: string
    readonly ids?: string
    readonly reason: string
    readonly lockBeginTime?: string
    readonly lockEndTime?: string
  },
): Promise<{ changed: number }> => {
  const { begin, end } = spanOf(deps, input)
  const targets = await targetsOf(ctx, db, idsOf(input.userIds, input.ids), true)
  for (const target of targets) {
    if (begin) {
      refuseUnless(target, [accountMachine.wire.normal])
      await planLock(db, target.id, { reason: input.reason, begin, end })
      await enqueue(db, lockTask, { userId: target.id, begin: begin.toISOString() }, { runAt: begin, jobKey: `lock-${target.id}` })
      await audit(db, ctx, {
        action: 'account.lock-planned',
        entity: 'account',
        entityId: target.id,
        after: { account: target.account, ...wire({ begin, end }) },
        reason: input.reason,
      })
      continue
    }
    await shut(deps, ctx, db, target, input.reason, end)
    if (end) await orderEnd(db, target.id, end)
  }
  return { changed: targets.length }
}

/** Ends the lock that somebody set or planned, and the one that wrong passwords set. */
export const unlockUsers = async (
  ctx: Ctx,
  db: TenantDb,
  input: { readonly userIds?: string; readonly ids?: string; readonly reason?: string },
): Promise<{ changed: number }> => {
  const reason = input.reason || ownReasons.notSaid.zh
  const targets = await targetsOf(ctx, db, idsOf(input.userIds, input.ids), true)
  const locked = accountMachine.wire.locked
  for (const target of targets) {
    if (!target.isShut && !target.isLockPlanned) refuseUnless(target, [locked])
    await openAgain(db, target.id, reason)
    await audit(db, ctx, {
      action: 'account.unlocked',
      entity: 'account',
      entityId: target.id,
      before: { status: target.status },
      after: { account: target.account, status: target.status === locked ? accountMachine.wire.normal : target.status },
      reason,
    })
  }
  return { changed: targets.length }
}

const elapsed = ownReasons.lockElapsed.zh

/** Begins and ends of locks at their times. An order that somebody has overtaken by then does nothing. */
export const lockTasks = (deps: OrganisationDeps): readonly Task[] => {
  const at = (name: string, run: (db: TenantDb, target: Target, payload: { begin?: string; end?: string }) => Promise<void>): Task => ({
    name,
    run: async ({
      tenantId,
      ...payload
    }: {
      readonly tenantId: string
      readonly userId?: string
      readonly begin?: string
      readonly end?: string
    }) => {
      await deps.services.scopes.tx(systemOf(tenantId), deps.auth.now(), async db => {
        const [target] = await lockTargets(db, [payload.userId ?? '0'])
        if (target) await run(db, target, payload)
      })
    },
  })
  return [
    at(lockTask, async (db, target, { begin }) => {
      if (target.status !== accountMachine.wire.normal || target.lockBegin?.toISOString() !== begin) return
      const end = target.lockEnd ?? undefined
      await shut(deps, undefined, db, target, target.lockReason ?? '', end)
      if (end) await orderEnd(db, target.id, end)
    }),
    at(unlockTask, async (db, target, { end }) => {
      if (target.status !== accountMachine.wire.locked || target.lockEnd?.toISOString() !== end) return
      await openAgain(db, target.id, elapsed)
      await audit(db, undefined, {
        action: 'account.unlocked',
        entity: 'account',
        entityId: target.id,
        before: { status: target.status },
        after: { account: target.account, status: accountMachine.wire.normal },
        reason: elapsed,
      })
    }),
  ]
}
