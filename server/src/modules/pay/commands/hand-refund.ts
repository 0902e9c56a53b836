import { refusePay } from '#contract/pay/pay.errors.ts'
import { audit } from '#kernel/audit.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { transition } from '#kernel/db/transition.ts'
import { type Ctx, Refused } from '#kernel/http/context.ts'
import { insistOnGate } from '#kernel/two-persons.ts'
import { addLedger, type DueRow } from '../data/due.repo.ts'
import type { RefundRow } from '../data/refund.repo.ts'
import type { PayKit } from '../deps.ts'
import { decideHandRefund } from '../domain/refund.ts'
import { payTexts } from '../templates/notices.ts'
import { refused } from './ask-refund.ts'
import { mirror, tellOwner } from './news.ts'
import { settleSum } from './refund-sum.ts'

/** Money that came by hand goes back by hand: no provider is asked, and what a second person writes down has happened. */

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
  insistOnGate(db, 'refundAtDue')
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
  } else {
    await settleSum(kit, db, due.id, { orderId: null, gives: refund.reason !== 'waived' }, ctx)
    await tellOwner(kit, db, due, payTexts.refundRejected(due.examName, refund.amountFen, word.remark), `refundRejected:${refund.id}`)
  }
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
