import { refuse, refuseField } from '#contract/kernel/errors.ts'
import { idsOf } from '#contract/kernel/ids.ts'
import type { Refusal } from '#contract/kernel/refusal.ts'
import type { InputOf } from '#contract/kernel/route.ts'
import { refusePay } from '#contract/pay/pay.errors.ts'
import type { approveRefunds } from '#contract/pay/refund.routes.ts'
import { type Ctx, Refused, sessionOf } from '#kernel/http/context.ts'
import { refuseSamePerson } from '#kernel/two-persons.ts'
import { findRefund } from '../data/refund.repo.ts'
import type { PayKit } from '../deps.ts'
import { reachesDues } from './pay-scope.ts'
import { approveRefund } from './refund.ts'

/**
 * A second person's word on several refunds, each in a transaction of its own: one that cannot be decided, as the reader's own, holds up no other. What is approved
 * goes to the provider by the queue. Safe to repeat: what is decided is named as such.
 */
export const decideRefunds = async (
  kit: PayKit,
  ctx: Ctx,
  input: InputOf<typeof approveRefunds>,
): Promise<{ done: number; failed: { refundNo: string; reason: string }[] } | Refusal> => {
  const { userId } = sessionOf(ctx)
  const remark = input.reason?.trim() ?? ''
  if (input.approve === 2 && remark === '')
    return refuseField('reason', { zh: '请填写驳回原因，申请人会看到', en: 'Please say why; whoever asked reads it' })
  const ids = [...new Set(idsOf(input.ids))]
  const refunds = await ctx.tx(async db => {
    const rows = []
    for (const id of ids) rows.push(await findRefund(db, id))
    const found = rows.filter(row => row !== undefined)
    return found.length === ids.length &&
      (await reachesDues(
        ctx,
        db,
        found.map(row => row.payId),
      ))
      ? found
      : undefined
  })
  if (!refunds) return refuse('kernel/not-found', {})
  const failed: { refundNo: string; reason: string }[] = []
  for (const refund of refunds)
    try {
      await ctx.tx(async db => {
        // Who approves money that came by hand has transferred it, and writes the voucher down for that one.
        if (refund.orderId === null) throw new Refused(refusePay('pay/voucher-needed', {}))
        // Whoever asked is refused by the decision, with words of its own.
        await refuseSamePerson(db, 'refund', userId, [refund.applyBy === userId ? null : refund.applyBy])
        const verdict = input.approve === 1 ? 'approve' : 'reject'
        await approveRefund(kit, db, { refundId: refund.id, verdict, approverId: userId, remark }, ctx)
      })
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      failed.push({ refundNo: refund.refundNo, reason: ctx.say(error.refusal.text) })
    }
  return { done: refunds.length - failed.length, failed }
}
