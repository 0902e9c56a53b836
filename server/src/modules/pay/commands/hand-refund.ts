import type { RefundReason } from '#contract/pay/order.state.ts'
import { refusePay } from '#contract/pay/pay.errors.ts'
import { audit } from '#kernel/audit.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { transition } from '#kernel/db/transition.ts'
import { type Ctx, Refused } from '#kernel/http/context.ts'
import { addLedger, type DueRow } from '../data/due.repo.ts'
import { insertRefund, listHandRefunds, type RefundRow } from '../data/refund.repo.ts'
import type { PayKit } from '../deps.ts'
import { decideHandRefund, decideRefundRequest, handOrder } from '../domain/refund.ts'
import { payTexts } from '../templates/notices.ts'
import { mirror, tellOwner } from './news.ts'
import { refundOfOrder, refused } from './refund.ts'

/** Money that came by hand goes back by hand: no provider is asked, and what a second person writes down has happened. */

/** Writes a request for a refund of a payment without an order. Call with the due locked. @returns its id */
export const requestHandRefund = async (
  kit: PayKit,
  db: TenantDb,
  ctx: Ctx | undefined,
  due: DueRow,
  wish: { readonly by: 'candidate' | 'staff'; readonly reason: RefundReason; readonly amountFen?: number; readonly remark: string },
  applicantId: string,
): Promise<string> => {
  const decision = decideRefundRequest({
    request: { by: wish.by, reason: wish.reason, ...(wish.amountFen === undefined ? {} : { amountFen: wish.amountFen }) },
    order: handOrder(due, db.now),
    refunds: (await listHandRefunds(db, due.id)).map(refundOfOrder),
    givesOwnWish: due.refundPolicy === 1,
    payEnd: due.deadline,
    now: db.now,
  })
  if (!decision.ok) throw refused(decision.problem)
  const { sequence, amountFen, reason } = decision.refund
  const refundNo = `RH${due.id}${String(sequence).padStart(2, '0')}`
  const id = await insertRefund(db, {
    refundNo,
    orderId: null,
    payId: due.id,
    userId: due.userId,
    amountFen,
    reason,
    remark: wish.remark === '' ? null : wish.remark,
    applyBy: applicantId,
    approvedByRule: false,
  })
  await audit(db, ctx, { action: 'refund.requested', entity: 'refund', entityId: id, after: { refundNo, amountFen, reason, by: wish.by } })
  await tellOwner(kit, db, due, payTexts.refundRequested(due.examName, amountFen, applicantId === due.userId), `refundRequested:${id}`)
  return id
}

/** The second person's word: no, or yes with the voucher of the transfer that has been made. Call with the due locked. */
export const decideByHand = async (
  kit: PayKit,
  db: TenantDb,
  ctx: Ctx,
  due: DueRow,
  refund: RefundRow,
  word: {
    readonly verdict: 'approve' | 'reject'
    readonly voucherNo: string
    readonly invoiceReversed: boolean
    readonly approverId: string
    readonly remark: string
  },
): Promise<void> => {
  const { verdict, voucherNo, approverId } = word
  const decision = decideHandRefund({
    verdict,
    refund: { state: refund.state, amountFen: refund.amountFen, applicantId: refund.applyBy },
    approverId,
    due,
    invoice: due.isInvoice !== 1 ? 'none' : word.invoiceReversed ? 'reversed' : 'issued',
  })
  if (!decision.ok) throw refused(decision.problem)
  if (verdict === 'approve' && voucherNo === '') {
    const refusal = refusePay('pay/voucher-needed', {})
    throw new Refused({ ...refusal, data: { fields: [{ field: 'voucherNo', msg: ctx.say(refusal.text) }] } })
  }
  const moved = await transition(
    db,
    'pay_refund',
    refund.id,
    { from: refund.state, to: decision.refund.to },
    {
      approve_by: approverId,
      approve_time: db.now,
      decision_remark: word.remark || null,
      ...(verdict === 'approve' ? { voucher_no: voucherNo, success_time: db.now } : {}),
    },
  )
  if (!moved) throw new Error(`refund ${refund.id} moved under its lock`)
  if (decision.due) {
    const paid = await transition(
      db,
      'exam_pay',
      due.id,
      { from: due.state, to: decision.due.to },
      { refunded_fen: decision.due.refundedFen },
    )
    if (!paid) throw new Error(`due ${due.id} moved under its lock`)
    await addLedger(db, { payId: due.id, refundId: refund.id, kind: 'refund', amountFen: -refund.amountFen, evidence: refund.refundNo })
    await mirror(kit, db, due.signupId)
    await tellOwner(kit, db, due, payTexts.refundPaidOut(due.examName, refund.amountFen), `refundDone:${refund.id}`)
  } else await tellOwner(kit, db, due, payTexts.refundRejected(due.examName, refund.amountFen, word.remark), `refundRejected:${refund.id}`)
  await audit(db, ctx, {
    action: verdict === 'approve' ? 'refund.paid-out' : 'refund.rejected',
    entity: 'refund',
    entityId: refund.id,
    before: { state: refund.state },
    after: {
      state: decision.refund.to,
      amountFen: refund.amountFen,
      ...(verdict === 'approve' ? { voucherNo } : {}),
      ...(word.remark ? { remark: word.remark } : {}),
    },
  })
}
