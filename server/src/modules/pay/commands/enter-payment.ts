import { refuse } from '#contract/kernel/errors.ts'
import type { InputOf } from '#contract/kernel/route.ts'
import { fromWireTime } from '#contract/kernel/when.ts'
import { payWayWire } from '#contract/pay/order.state.ts'
import { handleUp } from '#contract/pay/pay.routes.ts'
import type { Ctx } from '#kernel/http/context.ts'
import { keyedCall } from '#kernel/http/keyed.ts'
import type { PayKit } from '../deps.ts'
import { acceptLate } from './accept-late.ts'
import { reachesDues } from './pay-scope.ts'
import { offlineWayOf, type PostingAnswer, postOffline } from './post-offline.ts'

/** A payment that finance enters (handleUp): one that came offline, or one of the provider's that came too late and is accepted. */
export const enterPayment = async (kit: PayKit, ctx: Ctx, input: InputOf<typeof handleUp>) => {
  const isLate = input.payWay === payWayWire.wechat
  const payWay = offlineWayOf(input.payWay)
  const paidTime = fromWireTime(input.paidTime)
  if ((!payWay && !isLate) || !paidTime) return refuse('kernel/invalid-input', {})
  if (!(await ctx.tx(db => reachesDues(ctx, db, [input.payId])))) return refuse('kernel/not-found', {})
  const { recalled, once } = keyedCall<PostingAnswer>(kit.services.cipher, ctx, handleUp.path, input)
  const known = await recalled()
  if (known) return known.value
  const { payId, amount: amountFen, voucherNo } = input
  if (!payWay) return once(db => acceptLate(kit, db, ctx, { payId, orderNo: voucherNo, amountFen }))
  return postOffline(kit, ctx, { payId, payWay, amountFen, paidTime, voucherNo, remark: input.remark ?? null, sure: input.sure }, once)
}
