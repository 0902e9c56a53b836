import { refuse } from '#contract/kernel/errors.ts'
import { refundMachine } from '#contract/pay/order.state.ts'
import { refusePay } from '#contract/pay/pay.errors.ts'
import { audit } from '#kernel/audit.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { transition } from '#kernel/db/transition.ts'
import { type Ctx, Refused } from '#kernel/http/context.ts'
import { refuseSamePerson } from '#kernel/two-persons.ts'
import { type DueRow, lockDue } from '../data/due.repo.ts'
import { findOrder, findOrderById, type OrderRow } from '../data/order.repo.ts'
import { findOpenRefund, findRefund, type RefundRow } from '../data/refund.repo.ts'
import type { PayKit } from '../deps.ts'
import { decideTakeBack } from '../domain/refund.ts'
import { payTexts } from '../templates/notices.ts'
import { requestHandRefund, requestRefund } from './ask-refund.ts'
import { decideByHand } from './hand-refund.ts'
import { tellOwner } from './news.ts'
import { applyRefundResult, approveRefund, reasonOf } from './refund.ts'
import { settleSum } from './refund-sum.ts'

export interface BackPay {
  readonly payId: string
  readonly orderNo?: string
  readonly amountFen?: number
  readonly reason: string
  readonly approve?: 1 | 2
  readonly takeBack?: boolean
  readonly invoiceReversed: boolean
  readonly voucherNo?: string
}
export interface BackPayAnswer {
  readonly refundNo: string
  readonly state: number
  readonly amount: number
}

const answerOf = (refund: RefundRow | undefined): BackPayAnswer => {
  if (!refund) throw new Error('the refund just written is gone')
  return { refundNo: refund.refundNo, state: refundMachine.wire[refund.state], amount: refund.amountFen }
}

/** @returns undefined for what was paid by hand: there is no order it could go back by */
const orderOf = async (db: TenantDb, due: DueRow, wish: BackPay): Promise<OrderRow | undefined> => {
  const order = wish.orderNo === undefined ? due.orderId && (await findOrderById(db, due.orderId)) : await findOrder(db, wish.orderNo)
  if (wish.orderNo !== undefined && (!order || order.payId !== due.id)) throw new Refused(refuse('kernel/not-found', {}))
  return order || undefined
}

const decide = async (kit: PayKit, db: TenantDb, ctx: Ctx, due: DueRow, wish: BackPay, userId: string): Promise<BackPayAnswer> => {
  const voucherNo = wish.voucherNo?.trim() ?? ''
  const open = await findOpenRefund(db, wish, 'requested')
  const waiting = open && (await findRefund(db, open.id))
  // Whoever asked is refused by the decision, with words of its own.
  const gate = (applyBy: string | null) => refuseSamePerson(db, 'refundAtDue', userId, [applyBy === userId ? null : applyBy])
  if (waiting) await gate(waiting.applyBy)
  if (waiting?.orderId === null) {
    const verdict = wish.approve === 1 ? 'approve' : 'reject'
    await decideByHand(kit, db, ctx, due, waiting, {
      verdict,
      voucherNo,
      invoiceReversed: wish.invoiceReversed,
      approverId: userId,
      remark: wish.reason,
    })
    return answerOf(await findRefund(db, waiting.id))
  }
  if (voucherNo !== '' && wish.approve === 1) {
    const failed = await findOpenRefund(db, wish, 'abnormal')
    const row = failed && (await findRefund(db, failed.id))
    if (!row) throw new Refused(refusePay('pay/changed-meanwhile', {}))
    if (row.applyBy === userId) throw new Refused(refusePay('pay/approver-is-applicant', {}))
    await gate(row.applyBy)
    await applyRefundResult(kit, db, row.id, { status: 'byHand', refundFen: row.amountFen }, { voucherNo }, ctx)
    return answerOf(await findRefund(db, row.id))
  }
  if (!waiting) throw new Refused(refusePay('pay/changed-meanwhile', {}))
  await approveRefund(
    kit,
    db,
    {
      refundId: waiting.id,
      verdict: wish.approve === 1 ? 'approve' : 'reject',
      approverId: userId,
      invoiceReversed: wish.invoiceReversed,
      remark: wish.reason,
    },
    ctx,
  )
  return answerOf(await findRefund(db, waiting.id))
}

/** Takes one's own request back: the place in the examination stays. Call with the due locked. */
const takeBack = async (kit: PayKit, db: TenantDb, ctx: Ctx, due: DueRow, wish: BackPay, userId: string): Promise<BackPayAnswer> => {
  const open = await findOpenRefund(db, wish, 'requested')
  const refund = open && (await findRefund(db, open.id))
  const to = refund && decideTakeBack({ state: refund.state, applicantId: refund.applyBy, isApprovedByRule: refund.approvedByRule }, userId)
  if (!refund || !to) throw new Refused(refusePay('pay/refund-decided', {}))
  if (!(await transition(db, 'pay_refund', refund.id, { from: refund.state, to }))) throw new Refused(refusePay('pay/refund-decided', {}))
  await audit(db, ctx, {
    action: 'refund.taken-back',
    entity: 'refund',
    entityId: refund.id,
    before: { state: refund.state },
    after: { state: to, amountFen: refund.amountFen },
  })
  await settleSum(kit, db, due.id, { orderId: refund.orderId, gives: true }, ctx)
  await tellOwner(kit, db, due, payTexts.refundTakenBack(due.examName, refund.amountFen), `refundTakenBack:${refund.id}`)
  return answerOf(await findRefund(db, refund.id))
}

/**
 * A refund asked for, taken back, approved or rejected (domain 8.5), in the caller's transaction, which must be one of staff or of the system.
 *
 * @param by - the session's person; candidates may only ask, for what is theirs
 */
export const backPay = async (
  kit: PayKit,
  db: TenantDb,
  ctx: Ctx,
  wish: BackPay,
  by: { readonly userId: string; readonly isCandidate: boolean },
): Promise<BackPayAnswer> => {
  const due = await lockDue(db, wish.payId)
  if (!due || (by.isCandidate && due.userId !== by.userId)) throw new Refused(refuse('kernel/not-found', {}))
  if (wish.takeBack === true) return takeBack(kit, db, ctx, due, wish, by.userId)
  if (wish.approve !== undefined) return decide(kit, db, ctx, due, wish, by.userId)
  const order = await orderOf(db, due, wish)
  const known = reasonOf(wish.reason)
  const reason = known ?? 'other'
  // The reason says it in both languages; only somebody's own words are kept beside it.
  const remark = known === undefined ? wish.reason : ''
  if (!order) {
    const asked = {
      by: by.isCandidate ? ('candidate' as const) : ('staff' as const),
      reason,
      ...(wish.amountFen === undefined ? {} : { amountFen: wish.amountFen }),
      remark,
    }
    return answerOf(await findRefund(db, await requestHandRefund(kit, db, ctx, due, asked, by.userId)))
  }
  const refund = await requestRefund(
    kit,
    db,
    {
      due,
      orderId: order.id,
      by: by.isCandidate ? 'candidate' : 'staff',
      reason,
      ...(wish.amountFen === undefined ? {} : { amountFen: wish.amountFen }),
      ...(remark === '' ? {} : { remark }),
      applicantId: by.userId,
    },
    ctx,
  )
  return answerOf(refund)
}
