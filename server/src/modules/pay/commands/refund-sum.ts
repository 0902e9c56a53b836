import { audit } from '#kernel/audit.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { transition } from '#kernel/db/transition.ts'
import type { Ctx } from '#kernel/http/context.ts'
import { type DueRow, lockDue } from '../data/due.repo.ts'
import { lockOrder } from '../data/order.repo.ts'
import { listHandRefunds, listRefunds, type RefundRow, writeRefundAmount } from '../data/refund.repo.ts'
import type { PayKit } from '../deps.ts'
import { type CountedRefund, sumUp } from '../domain/refund-sum.ts'
import { payTexts } from '../templates/notices.ts'
import { paidOf, requestHandRefund, requestRefund } from './ask-refund.ts'
import { tellOwner } from './news.ts'

/** Whoever asks when the program itself does. */
export const nobody = '0'

/**
 * Asks for money of a due to go back because somebody has decided so already. What came by a provider goes back by rule; money that came by hand, and a fee
 * whose receipt is issued, need finance's word. Call with the due locked.
 */
export const giveBackOf = async (
  kit: PayKit,
  db: TenantDb,
  due: DueRow,
  wish: { readonly reason: 'postCancelled' | 'waived'; readonly amountFen: number; readonly remark: string },
): Promise<void> => {
  if (due.orderId === null) await requestHandRefund(kit, db, undefined, due, { ...wish, by: 'staff' }, nobody)
  else {
    const by = due.isInvoice === 1 && due.payWay !== 'nontax' ? 'staff' : 'rule'
    await requestRefund(kit, db, { ...wish, due, orderId: due.orderId, by, applicantId: nobody })
  }
}

const counted = ({ id, amountFen, state, reason, approvedByRule }: RefundRow): CountedRefund => ({
  ...{ id, amountFen, state, reason },
  isByRule: approvedByRule,
})

/** A request asks for more than there is: it asks for what is left, or is closed; whoever paid is told. */
const fitRequest = async (
  kit: PayKit,
  db: TenantDb,
  due: DueRow,
  request: RefundRow,
  toFen: number,
  ctx: Ctx | undefined,
): Promise<void> => {
  if (toFen > 0) await writeRefundAmount(db, request.id, toFen)
  else if (!(await transition(db, 'pay_refund', request.id, { from: request.state, to: 'closed' })))
    throw new Error(`refund ${request.id} moved under its lock`)
  await audit(db, ctx, {
    action: toFen > 0 ? 'refund.fitted' : 'refund.closed',
    entity: 'refund',
    entityId: request.id,
    before: { state: request.state, amountFen: request.amountFen },
    after: { state: toFen > 0 ? request.state : 'closed', amountFen: toFen > 0 ? toFen : request.amountFen },
  })
  const text = payTexts.refundFitted(due.examName, request.amountFen, toFen)
  await tellOwner(kit, db, due, text, `refundFitted:${request.id}:${toFen}`)
}

/**
 * Works the sum of one payment of a due out anew. Call after anything of it has changed: what is let off, asked back, taken back, decided, or went back or did not.
 * @param of - the order that was paid, null for money that came by hand; `gives`: not after a refund of what is let off has itself failed, which is for finance to mend
 */
export const settleSum = async (
  kit: PayKit,
  db: TenantDb,
  payId: string,
  of: { readonly orderId: string | null; readonly gives: boolean },
  ctx?: Ctx,
): Promise<void> => {
  const due = await lockDue(db, payId)
  if (!due) return
  const { orderId } = of
  const paidFen = orderId === null ? due.paidFen : paidOf(await lockOrder(db, orderId))
  const refunds = orderId === null ? await listHandRefunds(db, payId) : await listRefunds(db, orderId)
  const waivedFen = due.orderId === orderId ? due.waivedFen : 0
  const sum = sumUp({ paidFen, waivedFen, refunds: refunds.map(counted) })
  for (const { id, toFen } of sum.fitted) {
    const request = refunds.find(one => one.id === id)
    if (request) await fitRequest(kit, db, due, request, toFen, ctx)
  }
  if (of.gives && sum.giveFen > 0) await giveBackOf(kit, db, due, { reason: 'waived', amountFen: sum.giveFen, remark: '' })
}
