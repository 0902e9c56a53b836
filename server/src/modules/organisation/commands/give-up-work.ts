import { refuse } from '#contract/kernel/errors.ts'
import { idsOf } from '#contract/kernel/ids.ts'
import type { InputOf, OutputOf } from '#contract/kernel/route.ts'
import { refuseUser } from '#contract/organisation/user.errors.ts'
import type { user } from '#contract/organisation/user.routes.ts'
import { audit } from '#kernel/audit.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import type { Holding, Worker } from '#kernel/holding.ts'
import { type Ctx, Refused, sessionOf } from '#kernel/http/context.ts'
import { userScope } from '#modules/access/index.ts'
import { findStead, findWorker, type HeldRow, listHeld, type Standing, standingOf } from '../data/holding.repo.ts'
import type { OrganisationDeps } from '../deps.ts'

/** What ends the work of somebody; roles and departments are those they have afterwards. */
export type Leaving = { readonly act: 'disable' | 'remove' } | { readonly act: 'roles' | 'move' | 'both' }

/** What work a person has may lie in departments that the caller does not reach: the whole tenant is seen, in the caller's name. */
export const inWholeTenant = <T>(deps: OrganisationDeps, ctx: Ctx, run: (db: TenantDb) => Promise<T>): Promise<T> =>
  deps.services.scopes.tx({ kind: 'system', tenantId: ctx.tenantId, userId: sessionOf(ctx).userId }, ctx.arrivedAt, run)

/** The person who is named to take work over. Refusal: user/no-successor. */
export const successorOf = async (
  ctx: Ctx,
  db: TenantDb,
  handTo: string | undefined,
  leaving: readonly string[],
): Promise<Worker | undefined> => {
  if (handTo === undefined || handTo === '') return undefined
  const found = leaving.includes(handTo) ? undefined : await findWorker(db, handTo, userScope(ctx.session))
  if (!found?.isActive) throw new Refused(refuseUser('user/no-successor', {}))
  return { id: found.id, name: found.name }
}

const endsBy = (holding: Holding, row: HeldRow, { act }: Leaving): boolean => {
  if (act === 'remove') return true
  if (holding.onlyRemoved) return false
  if (act === 'disable') return true
  return ((act === 'roles' || act === 'both') && row.lacksRight) || ((act === 'move' || act === 'both') && row.isAway)
}
const goesOn = (holding: Holding, row: HeldRow, to: Worker | undefined): boolean =>
  to !== undefined && holding.isPersonal !== true && !row.isBeyondNext

export interface GivenUp {
  readonly handedOver: number
  readonly returned: number
}
export const nothingGivenUp: GivenUp = { handedOver: 0, returned: 0 }
export const addUp = (a: GivenUp, b: GivenUp): GivenUp => ({ handedOver: a.handedOver + b.handedOver, returned: a.returned + b.returned })

const sumOf = (rows: readonly HeldRow[]): number => rows.reduce((sum, row) => sum + row.count, 0)

/**
 * Takes from a person what they can do no longer, after the account was changed and in the same transaction: it goes to whoever is named, as far as
 * they may do it, and else to where it came from. The trail says what went where.
 *
 * @param ctx - undefined: the program acts
 */
export const giveUpWork = async (
  holdings: readonly Holding[],
  db: TenantDb,
  ctx: Ctx | undefined,
  of: { readonly userId: string; readonly leaving: Leaving; readonly to: Worker | undefined },
): Promise<GivenUp> => {
  const from = await findWorker(db, of.userId)
  if (!from) return nothingGivenUp
  const next = of.to && (await standingOf(db, of.to.id))
  const rows = await listHeld(db, holdings, of.userId, await standingOf(db, of.userId), next)
  const ending = Map.groupBy(rows, row => row.kind)
  const actor = ctx?.session && ctx.session.userId !== from.id ? await findWorker(db, ctx.session.userId) : undefined
  const stead = (await findStead(db, from.id)) ?? actor
  const given: Record<string, { to?: readonly string[]; back?: readonly string[] }> = {}
  let done = nothingGivenUp
  for (const holding of holdings) {
    const ends = (ending.get(holding.name) ?? []).filter(row => endsBy(holding, row, of.leaving))
    if (ends.length === 0) continue
    const over = ends.filter(row => goesOn(holding, row, of.to))
    const back = ends.filter(row => !over.includes(row))
    for (const [part, to] of [
      [over, of.to],
      [back, undefined],
    ] as const)
      if (part.length > 0)
        await holding.letGo({ db, ctx, from, ids: part.map(({ id }) => id), to, stead: stead ?? { id: db.actor.userId, name: '' } })
    given[holding.name] = {
      ...(over.length > 0 ? { to: over.map(({ id }) => id) } : {}),
      ...(back.length > 0 ? { back: back.map(({ id }) => id) } : {}),
    }
    done = addUp(done, { handedOver: sumOf(over), returned: sumOf(back) })
  }
  if (done.handedOver + done.returned > 0)
    await audit(db, ctx, {
      action: 'account.work-given-up',
      entity: 'account',
      entityId: from.id,
      after: { account: from.account, because: of.leaving.act, to: of.to?.id ?? null, ...done, work: given },
    })
  return done
}

const shownNames = 5
const everything: Leaving = { act: 'roles' }

/** What people hold, and what of it an act would end. Refusals: kernel/not-found, user/no-successor. */
export const showWork = (deps: OrganisationDeps, ctx: Ctx, input: InputOf<typeof user.holdings>): Promise<OutputOf<typeof user.holdings>> =>
  inWholeTenant(deps, ctx, async db => {
    const userIds = idsOf(input.userIds)
    const to = await successorOf(ctx, db, input.handTo, userIds)
    const next = to && (await standingOf(db, to.id))
    const leaving: Leaving =
      input.act === undefined ? everything : { act: input.act === 'move' && input.roleIds !== undefined ? 'both' : input.act }
    const people = []
    for (const userId of userIds) {
      const worker = await findWorker(db, userId, userScope(ctx.session))
      if (!worker) throw new Refused(refuse('kernel/not-found', {}))
      const now = await standingOf(db, userId)
      const after: Standing = {
        roleIds: input.roleIds === undefined ? now.roleIds : idsOf(input.roleIds),
        deptIds: input.deptId === undefined ? now.deptIds : idsOf(input.deptId),
      }
      const rows = Map.groupBy(await listHeld(db, deps.holdings(), userId, after, next), row => row.kind)
      people.push({
        userId,
        account: worker.account,
        realName: worker.name,
        work: deps.holdings().flatMap(holding => {
          const held = rows.get(holding.name) ?? []
          if (held.length === 0) return []
          const ends = input.act === undefined ? [] : held.filter(row => endsBy(holding, row, leaving))
          return [
            {
              kind: holding.name,
              label: ctx.say(holding.label),
              count: sumOf(held),
              ends: sumOf(ends),
              handedOver: sumOf(ends.filter(row => goesOn(holding, row, to))),
              pool: ctx.say(holding.pool),
              names: [...new Set((ends.length > 0 ? ends : held).map(({ name }) => name))].slice(0, shownNames),
            },
          ]
        }),
      })
    }
    return { people }
  })
