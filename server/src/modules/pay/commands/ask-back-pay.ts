import { refuse } from '#contract/kernel/errors.ts'
import type { InputOf } from '#contract/kernel/route.ts'
import * as routes from '#contract/pay/pay.routes.ts'
import { type Ctx, sessionOf } from '#kernel/http/context.ts'
import { keyedCall } from '#kernel/http/keyed.ts'
import type { PayKit } from '../deps.ts'
import { type BackPay, type BackPayAnswer, backPay } from './back-pay.ts'
import { reachesDues } from './pay-scope.ts'

type Input = InputOf<typeof routes.backPay>

const wishOf = (input: Input): BackPay => ({
  payId: input.payId,
  reason: input.reason ?? '',
  invoiceReversed: input.invoiceReversed === 1,
  ...(input.orderNo === undefined ? {} : { orderNo: input.orderNo }),
  ...(input.amount === undefined ? {} : { amountFen: input.amount }),
  ...(input.approve === undefined ? {} : { approve: input.approve === 1 ? (1 as const) : (2 as const) }),
  ...(input.takeBack === 1 ? { takeBack: true } : {}),
  ...(input.voucherNo === undefined ? {} : { voucherNo: input.voucherNo }),
})

/** A refund is asked for by its owner or by finance, and decided by whoever holds the right to approve. */
export const askBackPay = async (kit: PayKit, ctx: Ctx, input: Input) => {
  const { userId, userType, permissions } = sessionOf(ctx)
  const isCandidate = userType === 2
  const isDecision = input.approve !== undefined
  if (isDecision && (isCandidate || !permissions.has('exampay_approve'))) return refuse('kernel/forbidden', {})
  if (!isDecision && !isCandidate && !permissions.has('exampay_refund')) return refuse('kernel/forbidden', {})
  if (!(await ctx.tx(db => reachesDues(ctx, db, [input.payId])))) return refuse('kernel/not-found', {})
  const { once } = keyedCall<BackPayAnswer>(kit.services.cipher, ctx, routes.backPay.path, input, work =>
    ctx.asSystem('a candidate may ask for a refund but not write one', work),
  )
  return once(db => backPay(kit, db, ctx, wishOf(input), { userId, isCandidate }))
}
