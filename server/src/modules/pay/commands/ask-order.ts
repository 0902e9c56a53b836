import { refuse } from '#contract/kernel/errors.ts'
import { toWireTime } from '#contract/kernel/when.ts'
import { orderMachine } from '#contract/pay/order.state.ts'
import type { Ctx } from '#kernel/http/context.ts'
import { findOrder, isLive, type OrderRow, takeQueryTurn } from '../data/order.repo.ts'
import type { PayKit } from '../deps.ts'
import { lookAtOrder } from './close-order.ts'
import { reachesOrder } from './pay-scope.ts'

/** A code that was just made needs no question about it (domain 5.4 checkOrder). */
const youngMs = 5_000

/** The order that the caller reaches. */
export const ownOrder = (ctx: Ctx, orderNo: string): Promise<OrderRow | undefined> =>
  ctx.tx(async db => ((await reachesOrder(ctx, db, orderNo)) ? findOrder(db, orderNo) : undefined))

/** Asks the provider when it is this caller's turn; the order as it is otherwise. */
const refreshed = async (kit: PayKit, ctx: Ctx, order: OrderRow): Promise<OrderRow> => {
  const isTurn = await ctx.asSystem('the turn to ask the provider belongs to all readers of an order', db =>
    takeQueryTurn(db, order.orderNo),
  )
  const merchant = isTurn ? await kit.providers.of(ctx.tenantId, order.channel) : undefined
  const look = merchant && (await lookAtOrder(kit, ctx.tenantId, merchant.provider, order))
  return look?.ok ? look.order : order
}

/** Whether the money has come, for the page that shows the code. */
export const checkOrder = async (kit: PayKit, ctx: Ctx, orderNo: string) => {
  const order = await ownOrder(ctx, orderNo)
  if (!order) return refuse('kernel/not-found', {})
  const isAsked = isLive(order.state) && ctx.arrivedAt.getTime() - order.createdAt.getTime() >= youngMs
  const { state, successTime } = isAsked ? await refreshed(kit, ctx, order) : order
  return { state: orderMachine.wire[state], paidTime: state === 'paid' && successTime ? toWireTime(successTime) : null }
}

/** The last word about an order: what the provider said, or what follows from our state. */
const tradeStateOf = (order: OrderRow): string =>
  order.tradeState ?? (order.state === 'closed' ? 'CLOSED' : order.successTime ? 'SUCCESS' : 'NOTPAY')

/** What the provider says of an order. */
export const queryOrder = async (kit: PayKit, ctx: Ctx, orderNo: string) => {
  const order = await ownOrder(ctx, orderNo)
  if (!order) return refuse('kernel/not-found', {})
  const after = await refreshed(kit, ctx, order)
  return {
    tradeState: tradeStateOf(after),
    state: orderMachine.wire[after.state],
    transactionId: after.transactionId,
    successTime: after.successTime && toWireTime(after.successTime),
  }
}
