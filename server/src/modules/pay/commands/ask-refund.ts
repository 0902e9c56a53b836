import type { RefundReason } from '#contract/pay/order.state.ts'
import { makeRefundNo } from '#contract/pay/order-no.ts'
import { refusePay } from '#contract/pay/pay.errors.ts'
import { audit } from '#kernel/audit.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type Ctx, Refused } from '#kernel/http/context.ts'
import { enqueue } from '#kernel/queue/outbox.ts'
import type { DueRow } from '../data/due.repo.ts'
import { lockOrder, type OrderRow } from '../data/order.repo.ts'
import { countWaitingRefunds, findRefund, insertRefund, listHandRefunds, listRefunds, type RefundRow } from '../data/refund.repo.ts'
import type { PayKit } from '../deps.ts'
import { decideRefundRequest, handOrder, type OrderOfRefund, type RefundOfOrder, type RefundProblem } from '../domain/refund.ts'
import { payTexts } from '../templates/notices.ts'
import { tellOwner } from './news.ts'

const refusals: Readonly<Record<RefundProblem, Parameters<typeof refusePay>[0]>> = {
  notRefundable: 'pay/not-refundable',
  notAllowed: 'pay/refund-not-allowed',
  wholeOnly: 'pay/refund-whole',
  exceedsRefundable: 'pay/exceeds-refundable',
  tooOld: 'pay/refund-too-old',
  tooMany: 'pay/refund-too-old',
  invoiceIssued: 'pay/invoice-issued',
  approverIsApplicant: 'pay/approver-is-applicant',
  changedMeanwhile: 'pay/changed-meanwhile',
}
export const refused = (problem: RefundProblem): Refused => new Refused(refusePay(refusals[problem], {} as never))

/** What was paid, which is not what was asked for when the amounts differ. */
export const paidOf = (order: OrderRow): number => order.paidFen ?? order.amountFen

export const orderOfRefund = (due: DueRow, order: OrderRow): OrderOfRefund => ({
  state: order.state,
  amountFen: paidOf(order),
  isPosted: due.orderId === order.id,
  successTime: order.successTime ?? order.createdAt,
})
export const refundOfOrder = (refund: RefundRow): RefundOfOrder => ({
  amountFen: refund.amountFen,
  state: refund.state,
  ...(refund.submittedAt ? { submittedAt: refund.submittedAt } : {}),
})

export interface RefundWish {
  readonly due: DueRow
  readonly orderId: string
  readonly by: 'candidate' | 'staff' | 'rule'
  readonly reason: RefundReason
  readonly amountFen?: number
  readonly remark?: string
  readonly applicantId: string
}

/** The provider takes a hundred refunds a second of one merchant (domain 8.5); half of it leaves room for those of people. */
const perSecond = 50

/** What is left to give back is not known while the provider has given some back and has not said how much. */
export const refuseUnknown = (order: OrderRow, refunds: readonly RefundRow[]): void => {
  if (order.exception === 'refundedOutside' && !refunds.some(one => one.reason === 'outside'))
    throw new Refused(refusePay('pay/refund-unknown', {}))
}

/** Writes a request for a refund; one by rule needs no approval and is ordered behind those that wait. Call with the due locked. */
export const requestRefund = async (kit: PayKit, db: TenantDb, wish: RefundWish, ctx?: Ctx): Promise<RefundRow> => {
  const { due } = wish
  const order = await lockOrder(db, wish.orderId)
  const known = await listRefunds(db, order.id)
  // What a rule gives back is asked for all the same: the provider takes no more than there is.
  if (wish.by !== 'rule') refuseUnknown(order, known)
  const decision = decideRefundRequest({
    request: { by: wish.by, reason: wish.reason, ...(wish.amountFen === undefined ? {} : { amountFen: wish.amountFen }) },
    order: orderOfRefund(due, order),
    refunds: known.map(refundOfOrder),
    givesOwnWish: due.refundPolicy === 1,
    payEnd: due.deadline,
    now: db.now,
  })
  if (!decision.ok) throw refused(decision.problem)
  const { sequence, amountFen, reason, isApprovedByRule } = decision.refund
  const refundNo = makeRefundNo(order.orderNo, sequence)
  const waiting = isApprovedByRule ? await countWaitingRefunds(db) : 0
  const id = await insertRefund(db, {
    refundNo,
    orderId: order.id,
    payId: due.id,
    userId: due.userId,
    amountFen,
    reason,
    remark: wish.remark ?? null,
    applyBy: wish.applicantId,
    approvedByRule: isApprovedByRule,
  })
  await audit(db, ctx, { action: 'refund.requested', entity: 'refund', entityId: id, after: { refundNo, amountFen, reason, by: wish.by } })
  if (isApprovedByRule) await orderRefund(db, id, new Date(db.now.getTime() + Math.floor(waiting / perSecond) * 1_000))
  else
    await tellOwner(
      kit,
      db,
      due,
      payTexts.refundRequested(due.examName, amountFen, wish.applicantId === due.userId),
      `refundRequested:${id}`,
    )
  const row = await findRefund(db, id)
  if (!row) throw new Error('the refund just written is gone')
  return row
}

/** Orders the next step of a refund; an order that has not run yet is replaced. */
export const orderRefund = (db: TenantDb, refundId: string, runAt: Date): Promise<void> =>
  enqueue(db, 'pay.refund', { refundId }, { runAt, jobKey: `refund-${refundId}` })

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
