import { dateFacts, dateProblem } from '#contract/kernel/date-facts.ts'
import { refuse, refuseField } from '#contract/kernel/errors.ts'
import type { Refusal } from '#contract/kernel/refusal.ts'
import type { InputOf } from '#contract/kernel/route.ts'
import { fromWireTime } from '#contract/kernel/when.ts'
import type { PayChannel } from '#contract/pay/channel.ts'
import { payErrors, refusePay } from '#contract/pay/pay.errors.ts'
import { payDifference, reconciliation } from '#contract/pay/reconciliation.resource.ts'
import type { submitReconciliation } from '#contract/pay/reconciliation.routes.ts'
import { audit } from '#kernel/audit.ts'
import { toWire } from '#kernel/crud/rows.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type Ctx, Refused } from '#kernel/http/context.ts'
import { rowScopeOf } from '#kernel/http/row-scope.ts'
import { type DayStanding, findDay, listMissingDays, lockDifference, settleDay, sumMonth, writeHandled } from '../data/bill.repo.ts'
import type { PayKit } from '../deps.ts'
import { differenceRows } from '../present.ts'
import { reconcileDay } from './reconcile.ts'

/** A day has few differences; whoever has more looks for them in their list. */
const mostShown = 1_000

/** A day with its differences, the open ones first. */
export const readDay = async (ctx: Ctx, db: TenantDb, id: string) => {
  const { day, differences: rows } = await findDay(db, id, {
    days: rowScopeOf(ctx.session, reconciliation),
    differences: rowScopeOf(ctx.session, payDifference),
  })
  if (!day) return refuse('kernel/not-found', {})
  const open = [...rows].sort((a, b) => Number(a['handle']) - Number(b['handle'])).slice(0, mostShown)
  const { present = (_: Ctx, row) => row } = differenceRows
  return { day: toWire(reconciliation, day), differences: open.map(row => present(ctx, toWire(payDifference, row))) } as never
}

export const readMonth = async (db: TenantDb, month: string) => {
  const unread = await listMissingDays(db, month)
  return { month, missing: [...new Set(unread.map(day => day.billDate))], unread, channels: await sumMonth(db, month) }
}

type Input = InputOf<typeof submitReconciliation>

const compareAgain = async (kit: PayKit, ctx: Ctx, date: string, channel: PayChannel): Promise<DayStanding | Refusal> => {
  const end = fromWireTime(`${date} 23:59:59`)
  const wrong = end && dateProblem('billDate', end, { now: ctx.arrivedAt })
  if (!end || wrong) return refuseField('billDate', wrong ?? dateFacts.billDate.notAfter[0].says)
  const merchant = await kit.providers.of(ctx.tenantId, channel)
  if (!merchant) return refusePay('pay/no-merchant', {})
  const done = await reconcileDay(kit, ctx.tenantId, merchant, date)
  if (done.kind === 'notReady') return refusePay('pay/bill-not-ready', { date }, { retryAfterSeconds: 60 })
  if (done.kind === 'unread') return refusePay('pay/bill-unread', { date, problem: done.problem })
  const { id, state, diffCount, openCount } = done
  await ctx.tx(db =>
    audit(db, ctx, {
      action: 'reconciliation.compared',
      entity: 'reconciliation',
      entityId: id,
      after: { billDate: date, channel, state, diffCount, openCount },
    }),
  )
  return { id, state, diffCount, openCount }
}

const settle = (ctx: Ctx, id: string, input: Input): Promise<DayStanding> =>
  ctx.tx(async db => {
    const of = await lockDifference(db, id)
    if (!of) throw new Refused(refuse('kernel/not-found', {}))
    const opens = input.handle === 0
    const { handleWay, handleRemark = '' } = input
    if (opens && of.handled && of.handleBy === null) throw new Refused(refusePay('pay/difference-kept', {}))
    if (of.handled !== opens) throw new Refused(refusePay('pay/difference-settled', {}))
    if (!handleRemark.trim()) throw new Refused(refuseField('handleRemark', payErrors['pay/remark-needed']))
    if (!opens && handleWay === undefined)
      throw new Refused(refuseField('handleWay', { zh: '请选择处理方式', en: 'Please choose how it was settled' }))
    await writeHandled(db, id, opens || handleWay === undefined ? null : { way: handleWay, remark: handleRemark, userId: db.actor.userId })
    const standing = await settleDay(db, of.billId)
    await audit(db, ctx, {
      action: opens ? 'paydifference.opened' : 'paydifference.settled',
      entity: 'paydifference',
      entityId: id,
      before: { handle: of.handled ? 1 : 0, handleWay: of.handleWay },
      after: { handle: opens ? 0 : 1, handleWay: opens ? null : (handleWay ?? null), dayState: standing.state },
      reason: handleRemark,
    })
    return standing
  })

/** Reads and compares a day again, or takes a person's word on one difference (domain 5.11). */
export const submitDay = async (kit: PayKit, ctx: Ctx, input: Input): Promise<DayStanding | Refusal> => {
  if (input.id !== undefined) return settle(ctx, input.id, input)
  if (input.billDate === undefined) return refusePay('pay/day-or-difference', {})
  return compareAgain(kit, ctx, input.billDate, input.channel ?? 'wechat')
}
