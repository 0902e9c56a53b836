import { refuse } from '#contract/kernel/errors.ts'
import { orderMachine } from '#contract/pay/order.state.ts'
import { refusePay } from '#contract/pay/pay.errors.ts'
import { type Ctx, sessionOf } from '#kernel/http/context.ts'
import type { PayKit } from '../deps.ts'
import { ownOrder } from './ask-order.ts'
import { closeOrder } from './close-order.ts'

/** Closes an order at the provider (closePayOrder); one that turns out to be paid stays. */
export const closeByHand = async (kit: PayKit, ctx: Ctx, orderNo: string) => {
  if (!(await ownOrder(ctx, orderNo))) return refuse('kernel/not-found', {})
  const outcome = await closeOrder(kit, ctx.tenantId, orderNo, { userId: sessionOf(ctx).userId, reason: 'closePayOrder', ctx })
  if (!outcome) return refuse('kernel/not-found', {})
  if (outcome.kind === 'paid') return refusePay('pay/order-paid', {})
  if (outcome.kind === 'unknown') return refusePay('pay/gateway-busy', {}, { retryAfterSeconds: 5 })
  return { orderNo: outcome.order.orderNo, state: orderMachine.wire[outcome.order.state] }
}
