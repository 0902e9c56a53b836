import { refuse } from '#contract/kernel/errors.ts'
import { idsOf } from '#contract/kernel/ids.ts'
import type { Label } from '#contract/kernel/label.ts'
import { stateOfWire, step } from '#contract/kernel/machine.ts'
import { subjectOf } from '#contract/kernel/proposals.ts'
import type { Refusal } from '#contract/kernel/refusal.ts'
import { toWireTime } from '#contract/kernel/when.ts'
import { type AccountEvent, accountMachine } from '#contract/organisation/account.state.ts'
import { refuseUser } from '#contract/organisation/user.errors.ts'
import { audit } from '#kernel/audit.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { transition } from '#kernel/db/transition.ts'
import { type Ctx, Refused, type Session, sessionOf } from '#kernel/http/context.ts'
import { isNarrowed } from '#kernel/http/row-scope.ts'
import { passAlone, twoPersonsOn } from '#kernel/two-persons.ts'
import {
  type Granter,
  isApart,
  isKeeper,
  isTorn,
  isWithin,
  keeperOf,
  menusOfRoles,
  mixedOf,
  ownRules,
  type RoleNames,
  type RoleRights,
  roleReachingMore,
  roleSeeingMore,
  rolesOfUsers,
  roleTitle,
  staffRoles,
  stayingOf,
  userScope,
} from '#modules/access/index.ts'
import { oneTimeHours, oneTimePassword } from '#modules/auth/index.ts'
import { readParameters } from '#modules/tenancy/index.ts'
import {
  findIsLeader,
  lockTargets,
  markRemoved,
  setOneTimePassword,
  setRoles,
  type Target,
  updateAccount,
} from '../data/user-admin.repo.ts'
import type { OrganisationDeps } from '../deps.ts'
import { addUp, type GivenUp, giveUpWork, nothingGivenUp, successorOf } from './give-up-work.ts'
import { changeWaitHours, tellOwner } from './tell-owner.ts'

/** What the caller may hand out. */
export const granterOf = async (db: TenantDb, ctx: Ctx): Promise<Granter> => {
  const { roleAliases, roleIds } = sessionOf(ctx)
  return { aliases: roleAliases, menuIds: await menusOfRoles(db, roleIds) }
}

/** Refuses what is kept apart from the caller's own roles, and what is more than they may do. Refusals: user/kept-apart, user/beyond-own. */
export const refuseBeyond = (granter: Granter, roles: readonly RoleRights[]): void => {
  const beyond = roles.find(role => !isWithin(granter, role))
  if (beyond) throw new Refused(refuseUser('user/beyond-own', { role: roleTitle(beyond) }))
  const apart = roles.find(role => isApart(granter, role))
  if (apart) throw new Refused(refuseUser('user/kept-apart', { role: roleTitle(apart) }))
}

/**
 * The accounts of a call, held: all of them or none. Nobody does this to themselves, or to somebody who may more than they do.
 *
 * @param candidates - whether the call is meant for candidates too
 */
export const targetsOf = async (ctx: Ctx, db: TenantDb, ids: readonly string[], candidates = false): Promise<readonly Target[]> => {
  if (ids.length === 0) throw new Refused(refuse('kernel/select-one', {}))
  const targets = await lockTargets(db, ids, userScope(ctx.session))
  if (targets.length !== ids.length) throw new Refused(refuse('kernel/not-found', {}))
  if (ids.includes(sessionOf(ctx).userId)) throw new Refused(refuseUser('user/self', {}))
  const candidate = targets.find(target => target.userType === 2)
  if (candidate && !candidates) throw new Refused(refuseUser('user/candidate', { account: candidate.account }))
  refuseBeyond(
    await granterOf(db, ctx),
    (await rolesOfUsers(db, ids)).filter(role => role.roleAlias !== 'candidate'),
  )
  return targets
}

/** Moves an account along its machine; what the state does not allow refuses the whole call. */
export const move = async (
  db: TenantDb,
  target: Target,
  event: AccountEvent,
  set: Readonly<Record<string, unknown>> = {},
): Promise<number> => {
  const from = stateOfWire(accountMachine, target.status) ?? 'closed'
  const to = step(accountMachine, from, event)
  const refused = () => new Refused(refuseUser('user/state', { account: target.account, state: accountMachine.label[from] }))
  if (!to) throw refused()
  const wire = accountMachine.wire[to]
  if (!(await transition(db, 'account', target.id, { from: String(target.status), to: String(wire), column: 'status' }, set)))
    throw refused()
  return wire
}

/** Who sees a noun in part, its rows or its fields, makes nobody see more of it: the first of these roles that does. */
const roleBeyondSight = async (db: TenantDb, session: Session, ids: readonly string[]): Promise<RoleNames | undefined> => {
  const { roleIds, rowRules } = session
  const narrowed = [...new Set(rowRules.map(rule => rule.resource))].filter(noun => isNarrowed(session, noun))
  return (await roleSeeingMore(db, ids, ownRules(session))) ?? (await roleReachingMore(db, ids, { roleIds, narrowed }))
}

/** Roles that the caller may give to staff of the tenant, together. */
export const checkedRoles = async (ctx: Ctx, db: TenantDb, ids: readonly string[]): Promise<readonly RoleRights[]> => {
  const roles = await staffRoles(db, ids)
  if (roles.length !== ids.length) throw new Refused(refuse('kernel/not-found', {}))
  if (isTorn(roles)) throw new Refused(refuseUser('user/apart', {}))
  const mixed = mixedOf(roles)
  if (mixed) throw new Refused(refuseUser('user/not-alone', { role: roleTitle(mixed) }))
  refuseBeyond(await granterOf(db, ctx), roles)
  const more = isKeeper(keeperOf(sessionOf(ctx))) ? undefined : await roleBeyondSight(db, sessionOf(ctx), ids)
  if (more !== undefined) throw new Refused(refuseUser('user/beyond-own', { role: roleTitle(more) }))
  return roles
}

/** Whoever gives rights or watches over others keeps their roles: a second account would give the first one what it may not give itself (ADR 0201). */
export const refuseRolesThatStay = (account: string, held: readonly RoleRights[]): void => {
  const kept = stayingOf(held)
  if (kept) throw new Refused(refuseUser('user/roles-stay', { account, role: roleTitle(kept) }))
}

/** Replaces the roles of staff; their open sessions follow at once, in every process. */
export const grantRoles = async (
  deps: OrganisationDeps,
  ctx: Ctx,
  db: TenantDb,
  input: { readonly userIds?: string; readonly roleIds?: string; readonly handTo?: string },
): Promise<{ changed: number } & GivenUp> => {
  const targets = await targetsOf(ctx, db, idsOf(input.userIds))
  const to = await successorOf(ctx, db, input.handTo, idsOf(input.userIds))
  const roles = await checkedRoles(ctx, db, idsOf(input.roleIds))
  for (const target of targets) {
    const held = await rolesOfUsers(db, [target.id])
    refuseRolesThatStay(target.account, held)
    const before = held.map(role => role.roleAlias)
    await audit(db, ctx, {
      action: 'account.roles-granted',
      entity: 'account',
      entityId: target.id,
      before: { roles: before },
      after: { account: target.account, roles: roles.map(role => role.roleAlias) },
    })
  }
  const ids = targets.map(target => target.id)
  await setRoles(
    db,
    ids,
    roles.map(role => role.id),
  )
  await deps.auth.regrantSessions(db, ids)
  let given = nothingGivenUp
  for (const userId of ids) given = addUp(given, await giveUpWork(deps.holdings(), db, ctx, { userId, leaving: { act: 'roles' }, to }))
  return { changed: targets.length, ...given }
}

/**
 * Gate of a change by others of what an account is opened with: two persons, the owner told with the first one's word, and the waiting time. An account that its
 * owner has never opened has nobody to be told.
 * @returns why it has to wait; undefined where it happens now
 */
const gate = async (
  deps: OrganisationDeps,
  ctx: Ctx,
  db: TenantDb,
  target: Target,
  {
    kind,
    of,
    what,
    ...rest
  }: {
    kind: 'passwordReset' | 'secondFactorReset'
    of: 'password' | 'factor'
    what: Label
    document?: string | undefined
    reason?: string
  },
): Promise<Label | undefined> => {
  if (!target.isOwned) {
    passAlone(db, kind, 'notOpened')
    return undefined
  }
  const subject = subjectOf(of, target.id)
  const told = await deps.message.toldAt(db, subject)
  const word = await twoPersonsOn(db, ctx, {
    kind,
    entityId: target.id,
    // Whoever has chosen a password or has another phone since has no need of what was begun.
    subject: { account: target.account, phone: target.phoneIndex, password: target.passwordChangedAt },
    args: {},
    toldAt: told,
    waitHours: await changeWaitHours(db),
    ...rest,
  })
  if (word.kind === 'go') return undefined
  if (word.kind === 'first') {
    await tellOwner(deps, db, { userId: target.id, of: subject, what, round: ctx.traceId })
    return { zh: '已发起，须由另一人再次办理', en: 'Begun: another person has to do the same' }
  }
  const time = toWireTime(word.applyAt).slice(0, 16)
  return { zh: `两人已同意，${time} 后再次办理即可完成`, en: `Two persons have agreed: do it once more after ${time}` }
}

/** For somebody whose app and recovery codes are lost. The password stays as it is, every session ends. */
export const resetSecondFactors = async (
  deps: OrganisationDeps,
  ctx: Ctx,
  db: TenantDb,
  input: { readonly userIds?: string; readonly ids?: string; readonly reason: string; readonly document?: string },
): Promise<{ changed: number; waiting: { userId: string; account: string; waiting: string }[] }> => {
  const targets = await targetsOf(ctx, db, idsOf(input.userIds, input.ids))
  const waiting: { userId: string; account: string; waiting: string }[] = []
  for (const target of targets) {
    if (!(await deps.auth.hasSecondFactor(db, target.id)))
      throw new Refused(refuseUser('user/no-second-factor', { account: target.account }))
    const what = { zh: '停用您账号的两步验证', en: 'taking the second factor of your account away' }
    const { document, reason } = input
    const why = await gate(deps, ctx, db, target, { kind: 'secondFactorReset', of: 'factor', what, document, reason })
    if (why) {
      waiting.push({ userId: target.id, account: target.account, waiting: ctx.say(why) })
      continue
    }
    if (!(await deps.auth.removeSecondFactor(db, target.id)))
      throw new Refused(refuseUser('user/no-second-factor', { account: target.account }))
    await deps.auth.endSessionsOf(db, target.id, 'second-factor-reset')
    await audit(db, ctx, {
      action: 'account.second-factor-reset',
      entity: 'account',
      entityId: target.id,
      after: { account: target.account },
      reason: input.reason,
    })
  }
  return { changed: targets.length - waiting.length, waiting }
}

/** Enables (1) or disables (2) an account; a disabled one has no session left. Refusals: those of `targetsOf`, user/state. */
export const changeUserStatus = async (
  deps: OrganisationDeps,
  ctx: Ctx,
  db: TenantDb,
  input: { readonly id: string; readonly status: 1 | 2; readonly reason?: string; readonly handTo?: string },
): Promise<{ changed: number } & GivenUp> => {
  const [target] = await targetsOf(ctx, db, [input.id], true)
  if (!target) throw new Refused(refuse('kernel/not-found', {}))
  const to = input.status === 2 ? await successorOf(ctx, db, input.handTo, [target.id]) : undefined
  const status = await move(db, target, input.status === 1 ? 'enable' : 'disable')
  if (input.status === 2) await deps.auth.endSessionsOf(db, target.id, 'disabled')
  await audit(db, ctx, {
    action: input.status === 1 ? 'account.enabled' : 'account.disabled',
    entity: 'account',
    entityId: target.id,
    before: { status: target.status },
    after: { account: target.account, status },
    ...(input.reason ? { reason: input.reason } : {}),
  })
  const given =
    input.status === 2 ? await giveUpWork(deps.holdings(), db, ctx, { userId: target.id, leaving: { act: 'disable' }, to }) : nothingGivenUp
  return { changed: 1, ...given }
}

/** Removes accounts with their sessions, ties to providers and roles; the rows stay for the trail. Refusals: those of `targetsOf`. */
export const removeUsers = async (
  deps: OrganisationDeps,
  ctx: Ctx,
  db: TenantDb,
  input: { readonly ids?: string; readonly handTo?: string },
): Promise<{ removed: number } & GivenUp> => {
  const targets = await targetsOf(ctx, db, idsOf(input.ids))
  const to = await successorOf(ctx, db, input.handTo, idsOf(input.ids))
  let given = nothingGivenUp
  for (const target of targets) {
    const roles = (await rolesOfUsers(db, [target.id])).map(role => role.roleAlias)
    await deps.auth.endSessionsOf(db, target.id, 'removed')
    await deps.auth.unbindSocialOf(db, target.id)
    await markRemoved(db, target.id)
    await audit(db, ctx, {
      action: 'account.removed',
      entity: 'account',
      entityId: target.id,
      before: { account: target.account, status: target.status, roles },
    })
  }
  // A later account of the same name is another one and begins without rights.
  await setRoles(
    db,
    targets.map(target => target.id),
    [],
  )
  for (const { id } of targets)
    given = addUp(given, await giveUpWork(deps.holdings(), db, ctx, { userId: id, leaving: { act: 'remove' }, to }))
  return { removed: targets.length, ...given }
}

export interface OneTime {
  readonly userId: string
  readonly account: string
  readonly password: string
  readonly until: string
}
/** A password that is made here and shown once, with the time it opens until. */
export const makeOneTime = async (deps: OrganisationDeps, ctx: Ctx): Promise<{ password: string; hash: string; until: Date }> => {
  const key = 'account.oneTimeHours'
  const hours = Number((await ctx.tx(db => readParameters(db, [key])))[key] ?? oneTimeHours)
  const password = oneTimePassword()
  const until = new Date(deps.auth.now().getTime() + (hours > 0 ? hours : oneTimeHours) * 3_600_000)
  return { password, hash: await deps.services.passwords.hash(password), until }
}

/** How many passwords one call makes: each costs a slow hash. */
const mostResets = 50

/** Gives staff new one-time passwords: their sessions end, and the password opens nothing but its own change. */
export const resetPasswords = async (
  deps: OrganisationDeps,
  ctx: Ctx,
  { userIds, document }: { readonly userIds?: string; readonly document?: string },
): Promise<readonly (OneTime & { readonly waiting?: string })[] | Refusal> => {
  const ids = idsOf(userIds)
  if (ids.length > mostResets) return refuse('kernel/too-many', { limit: mostResets })
  const resettable: readonly number[] = [accountMachine.wire.normal, accountMachine.wire.disabled, accountMachine.wire.locked]
  const check = async (db: TenantDb): Promise<readonly Target[]> => {
    const targets = await targetsOf(ctx, db, ids)
    const wrong = targets.find(target => !resettable.includes(target.status))
    if (wrong) {
      const state = stateOfWire(accountMachine, wrong.status) ?? 'closed'
      throw new Refused(refuseUser('user/state', { account: wrong.account, state: accountMachine.label[state] }))
    }
    return targets
  }
  // Nothing slow is computed for a call that is refused.
  await ctx.tx(check)
  const made = new Map<string, Awaited<ReturnType<typeof makeOneTime>>>()
  for (const id of ids) made.set(id, await makeOneTime(deps, ctx))
  return ctx.tx(async db => {
    const answers: (OneTime & { readonly waiting?: string })[] = []
    for (const target of await check(db)) {
      const oneTime = made.get(target.id)
      if (!oneTime) continue
      const what = { zh: '重置您账号的密码', en: 'a reset of the password of your account' }
      const why = await gate(deps, ctx, db, target, { kind: 'passwordReset', of: 'password', what, document })
      if (why) {
        answers.push({ userId: target.id, account: target.account, password: '', until: '', waiting: ctx.say(why) })
        continue
      }
      await setOneTimePassword(db, target.id, oneTime.hash, oneTime.until)
      await deps.auth.endSessionsOf(db, target.id, 'password-reset')
      await audit(db, ctx, {
        action: 'account.password-reset',
        entity: 'account',
        entityId: target.id,
        after: { account: target.account, until: toWireTime(oneTime.until) },
      })
      answers.push({ userId: target.id, account: target.account, password: oneTime.password, until: toWireTime(oneTime.until) })
    }
    return answers
  })
}

/** Turns the mark of a leader on, or off where it is on. */
export const switchLeader = async (ctx: Ctx, db: TenantDb, userId: string): Promise<{ isLeader: number }> => {
  const [target] = await targetsOf(ctx, db, idsOf(userId))
  const isLeader = await findIsLeader(db, userId)
  await updateAccount(db, userId, { is_leader: !isLeader })
  await audit(db, ctx, {
    action: 'account.leader-set',
    entity: 'account',
    entityId: userId,
    before: { isLeader: isLeader ? 1 : 0 },
    after: { account: target?.account, isLeader: isLeader ? 0 : 1 },
  })
  return { isLeader: isLeader ? 0 : 1 }
}
