import { refuse } from '#contract/kernel/errors.ts'
import { refundMachine } from '#contract/pay/order.state.ts'
import { refusePay } from '#contract/pay/pay.errors.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'
import { type Ctx, Refused } from '#kernel/http/context.ts'
import { type DueRow, lockDue } from '../data/due.repo.ts'
import { findOrder, findOrderById, findRefund, type OrderRow, type RefundRow } from '../data/order.repo.ts'
import type { PayKit } from '../deps.ts'
import { applyRefundResult, approveRefund, reasonOf, requestRefund } from './refund.ts'

export interface BackPay {
  readonly payId: string
  readonly orderNo?: string
  readonly amountFen?: number
  readonly reason: string
  readonly approve?: 1 | 2
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

const orderOf = async (db: TenantDb, due: DueRow, wish: BackPay): Promise<OrderRow> => {
  const order = wish.orderNo === undefined ? due.orderId && (await findOrderById(db, due.orderId)) : await findOrder(db, wish.orderNo)
  if (wish.orderNo !== undefined && (!order || order.payId !== due.id)) throw new Refused(refuse('kernel/not-found', {}))
  if (!order) throw new Refused(refusePay(due.state === 'paid' ? 'pay/paid-offline' : 'pay/not-refundable', {}))
  return order
}

/** The request that waits for a second person, or the refund that failed at the bank and is settled by transfer. */
const findOpen = (db: TenantDb, payId: string, state: 'requested' | 'abnormal'): Promise<{ id: string } | undefined> =>
  db.maybe(sql<{ id: string }>`
    select id::text as id from pay_refund where pay_id = ${payId} and state = ${state} and not (state = 'requested' and approved_by_rule) order by id limit 1`)

const decide = async (kit: PayKit, db: TenantDb, ctx: Ctx, wish: BackPay, userId: string): Promise<BackPayAnswer> => {
  if (wish.voucherNo !== undefined && wish.voucherNo !== '' && wish.approve === 1) {
    const failed = await findOpen(db, wish.payId, 'abnormal')
    const row = failed && (await findRefund(db, failed.id))
    if (!row) throw new Refused(refusePay('pay/changed-meanwhile', {}))
    if (row.applyBy === userId) throw new Refused(refusePay('pay/approver-is-applicant', {}))
    await applyRefundResult(kit, db, row.id, { status: 'byHand', refundFen: row.amountFen }, { voucherNo: wish.voucherNo }, ctx)
    return answerOf(await findRefund(db, row.id))
  }
  const waiting = await findOpen(db, wish.payId, 'requested')
  if (!waiting) throw new Refused(refusePay('pay/changed-meanwhile', {}))
  await approveRefund(
    kit,
    db,
    {
      refundId: waiting.id,
      verdict: wish.approve === 1 ? 'approve' : 'reject',
      approverId: userId,
      invoiceReversed: wish.invoiceReversed,
    },
    ctx,
  )
  return answerOf(await findRefund(db, waiting.id))
}

/**
 * A refund asked for, approved or rejected (domain 8.5), in the caller's transaction, which must be one of staff or of the system.
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
  if (wish.approve !== undefined) return decide(kit, db, ctx, wish, by.userId)
  const order = await orderOf(db, due, wish)
  const reason = reasonOf(wish.reason) ?? 'other'
  const refund = await requestRefund(
    kit,
    db,
    {
      due,
      orderId: order.id,
      by: by.isCandidate ? 'candidate' : 'staff',
      reason,
      ...(wish.amountFen === undefined ? {} : { amountFen: wish.amountFen }),
      ...(wish.reason === '' ? {} : { remark: wish.reason }),
      applicantId: by.userId,
    },
    ctx,
  )
  return answerOf(refund)
}
