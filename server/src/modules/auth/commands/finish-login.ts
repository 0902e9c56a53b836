import type { NextStep } from '#contract/auth/second-factor.routes.ts'
import { isRefusal, type Refusal } from '#contract/kernel/refusal.ts'
import { hashToken, newToken } from '#kernel/crypto/token.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import type { Ctx } from '#kernel/http/context.ts'
import type { Client } from '../clients.ts'
import { type AccountRow, findAccountById, type RoleRow, writeLoginLog } from '../data/account.repo.ts'
import { findTicket, insertTicket, type TicketRow, takeTicket } from '../data/second-factor.repo.ts'
import type { AuthDeps } from '../deps.ts'
import { accountKey } from '../domain/attempts.ts'
import { chooseFrom, type Held, wishOf } from '../domain/choice.ts'
import { codeTicketMs, enrolTicketMs, type FactorRule } from '../domain/second-factor.ts'
import { fingerprintOf, holdSessions, openSession } from './open-session.ts'
import { beginEnrolment, checkSecondFactor, confirmEnrolment, type Enrolment, isFactorRequired } from './second-factor.ts'
import { type Granted, lockedFor, no, oneTimeRefusal, statusRefusal, tenantRefusal, withStep } from './token-refusals.ts'

interface FirstStep {
  readonly grant: string
  readonly wish: Held
  readonly socialId?: string | null
  /** Roles that are held already, see `holdSessions`. */
  readonly held?: readonly RoleRow[]
  /** Whose second factor the tenant demands, where that was read already. */
  readonly factorRule?: FactorRule | undefined
  /** What is written with a session where that ends the transaction: the commit leaves with it. */
  readonly closing?: () => Promise<void>
}

const logEntry = (ctx: Ctx, account: AccountRow, grant: string, result: string) => ({
  userId: account.id,
  accountKey: accountKey(account.account),
  grant,
  result,
  ip: ctx.ip,
  userAgent: ctx.userAgent,
})

/**
 * Every door ends here once its own proof is right: a session, or the ticket for a second step. What is asked for beyond what is held refuses
 * the login (S6.07: a wish is never a fact).
 */
export const finishLogin = async (
  deps: AuthDeps,
  db: TenantDb,
  ctx: Ctx,
  account: AccountRow,
  client: Client,
  now: Date,
  { grant, wish, socialId = null, held: known, factorRule, closing }: FirstStep,
): Promise<Granted | Refusal> => {
  const refusal = statusRefusal(account)
  if (refusal) return refusal
  const all = known ?? (await holdSessions(db, account.id))
  const held: Held = { roleIds: all.map(role => role.id), deptIds: wishOf(account.deptId ?? '') }
  const choice = chooseFrom(held, held, wish)
  if (choice === 'foreign') return no('auth/foreign-choice')
  const isDue = !account.hasSecondFactor && (await isFactorRequired(deps, db, account, { rule: factorRule, roles: all }))
  const waiting = await ctx.claimPlace({ tenantId: ctx.tenantId, userId: account.id, userType: account.userType })
  if (waiting) return waiting
  if (!account.hasSecondFactor && !isDue) return openSession(deps, db, ctx, account, client, now, { all, choice, socialId, grant, closing })
  const kind = account.hasSecondFactor ? 'code' : 'enrol'
  const key = newToken()
  const lifeMs = kind === 'code' ? codeTicketMs : enrolTicketMs
  await insertTicket(db, {
    keyHash: hashToken(key),
    userId: account.id,
    clientId: client.id,
    fingerprint: fingerprintOf(ctx, client.id),
    kind,
    grant,
    roleIds: wish.roleIds,
    deptIds: wish.deptIds,
    socialId,
    until: new Date(now.getTime() + lifeMs),
    now,
  })
  const step: NextStep = { next: kind, ticket: key, expiresIn: lifeMs / 1000 }
  return withStep(step)
}

const heldTicket = async (
  ctx: Ctx,
  client: Client,
  ticket: string,
  now: Date,
): Promise<{ key: Parameters<typeof takeTicket>[1]; row: TicketRow; account: AccountRow } | undefined> => {
  const key = { keyHash: hashToken(ticket), fingerprint: fingerprintOf(ctx, client.id) }
  return ctx.asSystem('the second step of a login', async db => {
    const row = await findTicket(db, key, now)
    const account = row && (await findAccountById(db, row.userId))
    // What was to be set up may be on by now, and the other way round: then the login begins anew.
    return row && account && account.hasSecondFactor === (row.kind === 'code') ? { key, row, account } : undefined
  })
}

/** The secret that somebody must set up before there is a session. */
export const beginByTicket = async (deps: AuthDeps, ctx: Ctx, ticket: string, client: Client): Promise<Enrolment | Refusal> => {
  const now = deps.clock.now()
  const found = await heldTicket(ctx, client, ticket, now)
  if (found?.row.kind !== 'enrol') return no('auth/ticket-over')
  return statusRefusal(found.account) ?? beginEnrolment(deps, ctx, found.account, now)
}

/** The second step of a login: the ticket and a code that is right open the session which the first step asked for. */
export const completeLogin = async (
  deps: AuthDeps,
  ctx: Ctx,
  given: { readonly ticket: string; readonly code: string },
  client: Client,
): Promise<(Granted & { readonly recoveryCodes?: readonly string[] }) | Refusal> => {
  const now = deps.clock.now()
  const found = await heldTicket(ctx, client, given.ticket, now)
  if (!found) return no('auth/ticket-over')
  const { key, row, account } = found
  const check = row.kind === 'code' ? checkSecondFactor : confirmEnrolment
  const checked: Awaited<ReturnType<typeof confirmEnrolment>> = await check(deps, ctx, account, given.code, now, row.grant)
  const because = 'the second step of a login'
  if (checked.verdict !== 'right') {
    if (checked.verdict === 'locked') return lockedFor(checked.minutes)
    return no(checked.verdict === 'none' ? 'auth/ticket-over' : 'auth/wrong-code')
  }
  return ctx.asSystem(because, async db => {
    if (!(await takeTicket(db, key, now))) return no('auth/ticket-over')
    const all = await holdSessions(db, account.id)
    const held: Held = { roleIds: all.map(role => role.id), deptIds: wishOf(account.deptId ?? '') }
    const choice = chooseFrom(held, held, { roleIds: row.roleIds, deptIds: row.deptIds })
    const refusal =
      statusRefusal(account) ??
      oneTimeRefusal(account, now) ??
      (await tenantRefusal(db, account)) ??
      (choice === 'foreign' ? no('auth/foreign-choice') : undefined)
    await writeLoginLog(db, logEntry(ctx, account, row.grant, refusal?.reason ?? 'ok'))
    if (refusal || choice === 'foreign') return refusal ?? no('auth/foreign-choice')
    const waiting = await ctx.claimPlace({ tenantId: ctx.tenantId, userId: account.id, userType: account.userType })
    if (waiting) return waiting
    const opened = await openSession(deps, db, ctx, account, client, now, { all, choice, socialId: row.socialId, grant: row.grant })
    return { ...opened, ...(checked.recoveryCodes ? { recoveryCodes: checked.recoveryCodes } : {}) }
  })
}

/** What the login log says of the end of a step. */
export const resultOf = (end: Granted | Refusal): string => (isRefusal(end) ? end.reason : 'ok')
