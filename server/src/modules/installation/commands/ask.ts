import { refuseInstallation } from '#contract/installation/installation.errors.ts'
import type { InvariantFinding, InvariantLine, InvariantRun } from '#contract/installation/invariant.routes.ts'
import { refuse } from '#contract/kernel/errors.ts'
import { type Page, sliceOf, toPage } from '#contract/kernel/page.ts'
import { toWireTime } from '#contract/kernel/when.ts'
import { audit } from '#kernel/audit.ts'
import { type PlatformDb, systemOf, type TenantDb } from '#kernel/db/scope.ts'
import { type Ctx, Refused, sessionOf } from '#kernel/http/context.ts'
import type { Invariant } from '#kernel/invariant.ts'
import { enqueue } from '#kernel/queue/outbox.ts'
import {
  type FindingRow,
  findLastRun,
  giveUpDead,
  insertRun,
  listStates,
  listToHeal,
  pageFindings,
  type RunRow,
  wantStop,
} from '../data/invariant.repo.ts'
import type { InstallationKit } from '../deps.ts'
import { checkOne } from './check.ts'

export const checkTask = 'installation.check'
const because = 'who looks after the installation sees the checks of all tenants'

/** Reads what concerns the caller: all tenants, or their own. */
const reading = <T>(kit: InstallationKit, ctx: Ctx, work: (db: TenantDb | PlatformDb) => Promise<T>): Promise<T> =>
  ctx.actsForPlatform() ? kit.services.scopes.asPlatform(because, ctx.arrivedAt, work) : ctx.tx(work)

const runView = (row: RunRow): InvariantRun => ({
  id: row.id,
  state: row.state,
  total: row.total,
  done: row.done,
  found: row.found,
  startedBy: row.startedBy,
  startTime: toWireTime(row.startedAt),
  endTime: row.endedAt && toWireTime(row.endedAt),
  problem: row.problem,
})

/** Checks that the caller has to do with: walks are of the installation. */
const shown = (kit: InstallationKit, ctx: Ctx): readonly Invariant[] =>
  kit.invariants().filter(({ by }) => by !== 'installation' || ctx.actsForPlatform())

export const listChecks = async (kit: InstallationKit, ctx: Ctx) => {
  const states = new Map((await reading(kit, ctx, listStates)).map(row => [row.name, row]))
  const own = await ctx.tx(findLastRun)
  const lines = shown(kit, ctx).map(({ name, label, means, healer }): InvariantLine => {
    const state = states.get(name)
    return {
      name,
      label: ctx.say(label),
      means: ctx.say(means),
      found: state?.found ?? 0,
      isMore: state?.isMore ?? false,
      checkTime: state ? toWireTime(state.checkedAt) : '',
      tookMs: state?.tookMs ?? 0,
      problem: state ? ctx.say({ zh: state.problemZh, en: state.problemEn }) : '',
      healer: healer ? ctx.say(healer.label) : '',
    }
  })
  return { lines, run: own ? runView(own) : null, isAll: ctx.actsForPlatform() }
}

const known = (kit: InstallationKit, ctx: Ctx, name: string): Invariant => {
  const invariant = shown(kit, ctx).find(one => one.name === name)
  if (!invariant) throw new Refused(refuse('kernel/not-found', {}))
  return invariant
}

const pageOf = (invariant: Invariant | undefined, rowId: string): string =>
  typeof invariant?.page === 'function' ? invariant.page(rowId) : (invariant?.page ?? '')

const findingView = (invariant: Invariant | undefined, ctx: Ctx, row: FindingRow): InvariantFinding => ({
  id: row.id,
  name: row.name,
  tenantId: row.tenantId,
  tenantName: row.tenantName,
  rowId: row.rowId,
  rowName: row.rowName,
  found: row.found,
  expected: row.expected,
  // Pages of another tenant do not open here.
  link:
    row.tenantId === ctx.tenantId
      ? pageOf(invariant, row.rowId)
          .replace('{id}', row.rowId)
          .replace('{exam}', row.examId ?? '')
      : '',
  firstTime: toWireTime(row.firstAt),
  lastTime: toWireTime(row.lastAt),
})

export const listFindings = async (
  kit: InstallationKit,
  ctx: Ctx,
  input: { readonly name?: string; readonly current?: number; readonly size?: number },
): Promise<Page<InvariantFinding>> => {
  const asked = input.name === undefined ? shown(kit, ctx) : [known(kit, ctx, input.name)]
  const byName = new Map(asked.map(one => [one.name, one]))
  const { current, size, offset } = sliceOf(input)
  const { total, rows } = await reading(kit, ctx, db => pageFindings(db, [...byName.keys()], size, offset))
  return toPage(
    rows.map(row => findingView(byName.get(row.name), ctx, row)),
    total,
    current,
    size,
  )
}

/** Orders a run: of all tenants where the caller is of the platform's own, whose data stand among them; of the caller's own tenant otherwise. */
export const startCheck = (ctx: Ctx): Promise<{ id: string }> =>
  ctx.tx(async db => {
    await giveUpDead(db)
    const id = await insertRun(db, sessionOf(ctx).userId)
    if (id === undefined) throw new Refused(refuseInstallation('invariant/running', {}))
    await enqueue(db, checkTask, { id })
    await audit(db, ctx, { action: 'invariant.ordered', entity: 'invariant', entityId: id })
    return { id }
  })

export const stopCheck = (ctx: Ctx): Promise<{ id: string }> =>
  ctx.tx(async db => {
    const id = await wantStop(db)
    if (id === undefined) throw new Refused(refuseInstallation('invariant/not-running', {}))
    await audit(db, ctx, { action: 'invariant.stopped', entity: 'invariant', entityId: id })
    return { id }
  })

/** Sets rows right, each in a transaction with its line in the trail of its tenant, and looks again. */
export const healRows = async (
  kit: InstallationKit,
  ctx: Ctx,
  input: { readonly name: string; readonly id?: string },
): Promise<{ healed: number; left: number }> => {
  const invariant = known(kit, ctx, input.name)
  const { healer } = invariant
  if (healer === undefined || invariant.by === 'installation')
    throw new Refused(refuseInstallation('invariant/no-healer', { what: invariant.label }))
  const rows = await reading(kit, ctx, db => listToHeal(db, invariant.name, input.id))
  const { services } = kit
  let healed = 0
  for (const { tenantId, rowId } of rows)
    try {
      await services.scopes.tx(systemOf(tenantId), ctx.arrivedAt, async db => {
        await healer.heal(db, rowId)
        await audit(db, tenantId === ctx.tenantId ? ctx : undefined, {
          action: 'invariant.healed',
          entity: 'invariant',
          entityId: /^\d{1,19}$/.test(rowId) ? rowId : null,
          after: { check: invariant.name, row: rowId, by: `${ctx.tenantId} ${sessionOf(ctx).account}` },
        })
      })
      healed += 1
    } catch (error) {
      // The others are set right all the same; this one stays in the list.
      services.log.error({ err: error, tenant: tenantId, invariant: invariant.name, row: rowId }, 'a row was not set right')
    }
  const never = new AbortController().signal
  let left = 0
  for (const tenantId of new Set(rows.map(row => row.tenantId))) left += await checkOne(kit, tenantId, invariant, never)
  return { healed, left }
}
