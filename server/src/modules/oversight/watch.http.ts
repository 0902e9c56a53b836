import { refuse } from '#contract/kernel/errors.ts'
import { stateOfWire } from '#contract/kernel/machine.ts'
import { sliceOf, toPage } from '#contract/kernel/page.ts'
import { isRefusal } from '#contract/kernel/refusal.ts'
import { fromWireTime, toWireTime } from '#contract/kernel/when.ts'
import { alertMachine } from '#contract/oversight/alert.state.ts'
import { type AlertDetail, type AlertView, type RuleView, watch } from '#contract/oversight/watch.routes.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type Ctx, type Handler, handle } from '#kernel/http/context.ts'
import { isOwnRole, moveAlert } from './commands/handle.ts'
import { addRule, changeOffice, changeRule, officeView, removeRule, switchRule } from './commands/rules.ts'
import { type AlertRow, findAlert, pageAlerts, stepsOf } from './data/alert.repo.ts'
import { listRoles, listRules, type RuleRow } from './data/rule.repo.ts'
import { readOffice, volumesOfPeople, volumesOfRoles, volumesOfTenant } from './data/tally.repo.ts'
import { isOffHours, startOfDay, type Volume } from './domain/volume.ts'

const dayMs = 86_400_000
const hourMs = 3_600_000
/** Days that are drawn: what the habit is made of, and the day itself. */
const drawnDays = 21

const view = (ctx: Ctx, row: AlertRow): AlertView => ({
  id: row.id,
  ruleId: row.ruleId,
  ruleName: ctx.say({ zh: row.nameZh, en: row.nameEn }),
  measure: row.measure,
  span: row.span,
  subject: row.subject,
  userId: row.subject === 'person' ? row.userId : '',
  account: row.account ?? '',
  realName: row.realName ?? '',
  roleAlias: row.roleAlias,
  roleName: ctx.say({ zh: row.roleZh ?? row.roleAlias, en: row.roleEn || (row.roleZh ?? row.roleAlias) }),
  isOffHours: row.isOffHours,
  windowStart: toWireTime(row.windowStart),
  windowEnd: toWireTime(row.windowEnd),
  amount: row.amount,
  limit: row.limit,
  usual: row.usual,
  state: alertMachine.wire[row.state],
  raisedTime: toWireTime(row.createdAt),
  lastTime: toWireTime(row.lastAt),
  stoppedTime: row.stoppedAt && toWireTime(row.stoppedAt),
  handler: row.handler,
  handledTime: row.handledAt && toWireTime(row.handledAt),
})

const volumesOf = (db: TenantDb, row: AlertRow, since: Date): Promise<readonly Volume[]> => {
  if (row.subject === 'person') return volumesOfPeople(db, [row.measure], [row.userId], since)
  return row.subject === 'role' ? volumesOfRoles(db, [row.measure], [row.roleAlias], since) : volumesOfTenant(db, [row.measure], since)
}

/** The hours of the day for an alert about an hour, the days up to it for one about a day. */
const seriesOf = async (db: TenantDb, row: AlertRow): Promise<AlertDetail['series']> => {
  const office = await readOffice(db)
  const today = startOfDay(row.windowStart)
  const [since, stepMs, count] =
    row.span === 'hour' ? [today, hourMs, 24] : [new Date(today.getTime() - (drawnDays - 1) * dayMs), dayMs, drawnDays]
  const volumes = (await volumesOf(db, row, since)).filter(({ hour }) => !row.isOffHours || isOffHours(hour, office))
  return Array.from({ length: count }, (_, index) => {
    const at = new Date(since.getTime() + index * stepMs)
    const end = at.getTime() + stepMs
    const amount = volumes.reduce((sum, { hour, amount: more }) => (hour >= at && hour.getTime() < end ? sum + more : sum), 0)
    // At noon a day is off where the tenant does not work on it.
    return {
      at: toWireTime(at),
      amount,
      isOff: isOffHours(row.span === 'hour' ? at : new Date(at.getTime() + office.from * hourMs), office),
    }
  })
}

const ruleView = (ctx: Ctx, row: RuleRow): RuleView => {
  const { code: _, updatedAt, roles, ...rest } = row
  return { ...rest, name: ctx.say({ zh: row.nameZh, en: row.nameEn }), roles: [...roles], updateTime: toWireTime(updatedAt) }
}

export const watchHandlers = (): Handler[] => [
  handle(watch.alerts, async ({ ctx, db, input }) => {
    const { current, size, offset, state, open, from, to, ...rest } = sliceOf(input)
    const named = state === undefined ? undefined : stateOfWire(alertMachine, state)
    const { rows, total } = await pageAlerts(
      db,
      {
        ...rest,
        ...(named === undefined ? {} : { state: named }),
        isOpen: open === 1,
        from: from === undefined ? undefined : fromWireTime(from),
        to: to === undefined ? undefined : fromWireTime(to),
      },
      size,
      offset,
    )
    return toPage(
      rows.map(row => view(ctx, row)),
      total,
      current,
      size,
    )
  }),
  handle(watch.alertDetail, async ({ ctx, db, input }) => {
    const row = await findAlert(db, input.id)
    if (!row) return refuse('kernel/not-found', {})
    const steps = await stepsOf(db, row.id)
    return {
      ...view(ctx, row),
      threshold: row.threshold,
      factor: row.factor,
      floor: row.floor,
      version: row.version,
      steps: steps.map(({ createdAt, ...step }) => ({ ...step, time: toWireTime(createdAt) })),
      series: await seriesOf(db, row),
      mayHandle: ctx.session?.permissions.has('alert_handle') === true && !isOwnRole(ctx, row),
    }
  }),
  handle(watch.takeAlert, ({ ctx, db, input }) => moveAlert(ctx, db, input, 'take')),
  handle(watch.closeAlert, ({ ctx, db, input: { outcome, ...wanted } }) =>
    moveAlert(ctx, db, wanted, outcome === 'finding' ? 'find' : 'dismiss'),
  ),
  handle(watch.rules, async ({ ctx, db }) => ({
    rules: (await listRules(db)).map(row => ruleView(ctx, row)),
    office: officeView(await readOffice(db)),
    roles: (await listRoles(db)).map(({ alias, ...name }) => ({ alias, name: ctx.say(name) })),
  })),
  handle(watch.saveRule, ({ ctx, db, input: { id, ...input } }) => (id ? changeRule(ctx, db, { ...input, id }) : addRule(ctx, db, input))),
  handle(watch.removeRule, ({ ctx, db, input }) => removeRule(ctx, db, input)),
  handle(watch.switchRule, ({ ctx, db, input }) => switchRule(ctx, db, input)),
  handle(watch.saveOffice, async ({ ctx, db, input }) => {
    const saved = await changeOffice(ctx, db, input)
    return isRefusal(saved) ? saved : officeView(saved)
  }),
]
