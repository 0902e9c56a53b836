import { refuse } from '#contract/kernel/errors.ts'
import { formatFen } from '#contract/pay/fee.ts'
import { refusePay } from '#contract/pay/pay.errors.ts'
import { audit } from '#kernel/audit.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { transition } from '#kernel/db/transition.ts'
import { type Ctx, Refused } from '#kernel/http/context.ts'
import { addLedger, lockDue } from '../data/due.repo.ts'
import { findOrder, lockOrder } from '../data/order.repo.ts'
import { listRefunds } from '../data/refund.repo.ts'
import type { PayKit } from '../deps.ts'
import { decideLateAcceptance, type LateAcceptance } from '../domain/settlement.ts'
import { payTexts } from '../templates/notices.ts'
import { mirror, tellOwner } from './news.ts'
import type { PostingAnswer } from './post-offline.ts'

const refusals: Readonly<Record<(LateAcceptance & { readonly ok: false })['problem'], Parameters<typeof refusePay>[0]>> = {
  notSuspended: 'pay/not-payable',
  notPayable: 'pay/not-payable',
  refundUnderway: 'pay/changed-meanwhile',
  tooLate: 'pay/outside-window',
}

/**
 * Posts a late payment after all (domain 8.4): where the automatic refund is off, within 24 hours, while the examination takes
 * payments again. The money leaves the suspense and counts as paid.
 *
 * @param orderNo - the order that holds the money
 */
export const acceptLate = async (
  kit: PayKit,
  db: TenantDb,
  ctx: Ctx,
  wish: { readonly payId: string; readonly orderNo: string; readonly amountFen: number },
): Promise<PostingAnswer> => {
  const due = await lockDue(db, wish.payId)
  const found = due && (await findOrder(db, wish.orderNo))
  if (!due || !found || found.payId !== due.id) throw new Refused(refuse('kernel/not-found', {}))
  const order = await lockOrder(db, found.id)
  if (wish.amountFen !== (order.paidFen ?? order.amountFen) || wish.amountFen !== due.amountFen)
    throw new Refused(refusePay('pay/amount-differs', { amount: formatFen(due.amountFen) }))
  const refunds = await listRefunds(db, order.id)
  const decision = decideLateAcceptance({
    order: {
      state: order.state,
      ...(order.exception === null ? {} : { exception: order.exception }),
      amountFen: wish.amountFen,
      successTime: order.successTime ?? order.createdAt,
    },
    due,
    hasOpenRefund: refunds.some(refund => refund.state !== 'closed' && refund.state !== 'rejected'),
    isPayOpen: due.examState === 'released' && db.now < due.deadline,
    now: db.now,
  })
  if (!decision.ok) throw new Refused(refusePay(refusals[decision.problem], {} as never))
  const set = {
    paid_fen: decision.due.paidFen,
    paid_time: order.successTime,
    pay_way: order.channel,
    order_id: order.id,
    posted_by: db.actor.userId,
  }
  const isMoved =
    (await transition(db, 'exam_pay', due.id, { from: due.state, to: decision.due.to }, set)) &&
    (await transition(db, 'pay_order', order.id, { from: order.state, to: decision.order.to }))
  if (!isMoved) throw new Error(`due ${due.id} moved under its lock`)
  for (const line of decision.ledger) {
    const written = await addLedger(db, { payId: due.id, orderId: order.id, ...line, evidence: order.transactionId ?? order.orderNo })
    if (written === 0) throw new Error(`order ${order.orderNo} is in the ledger already`)
  }
  await mirror(kit, db, due.signupId)
  await tellOwner(kit, db, due, payTexts.payReceived(due.examName, wish.amountFen), `payReceived:${order.id}`)
  await audit(db, ctx, {
    action: 'exampay.late-accepted',
    entity: 'exampay',
    entityId: due.id,
    before: { state: due.state, orderState: order.state },
    after: { state: decision.due.to, orderNo: order.orderNo, amountFen: wish.amountFen },
  })
  return { payId: due.id, state: 2, waitsForSecondPerson: false }
}
