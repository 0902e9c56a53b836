import { formatFen } from '#contract/pay/fee.ts'
import { type RefundReason, refundReasonLabel } from '#contract/pay/order.state.ts'
import { audit } from '#kernel/audit.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { transition } from '#kernel/db/transition.ts'
import type { Ctx } from '#kernel/http/context.ts'
import { insistOnGate } from '#kernel/two-persons.ts'
import { addLedger, lockDue, writeRefunded } from '../data/due.repo.ts'
import { findOrder, lockOrder, markRefundedOutside, type OrderRow } from '../data/order.repo.ts'
import { findRefund, findRefundByNo, insertOutsideRefund, listRefunds, writeProviderId } from '../data/refund.repo.ts'
import type { PayKit } from '../deps.ts'
import {
  decideOutsideRefund,
  decideRefundApproval,
  decideRefundOutcome,
  type RefundOutcome,
  type RefundResult,
  refundableFen,
} from '../domain/refund.ts'
import type { RefundFact } from '../providers/provider.ts'
import { payTexts } from '../templates/notices.ts'
import { orderOfRefund, orderRefund, refundOfOrder, refused, refuseUnknown, requestRefund } from './ask-refund.ts'
import { mirror, raiseAlarm, tellOwner } from './news.ts'
import { settleSum } from './refund-sum.ts'

/** Due, order and refund of a refund, locked in this order. */
export const lockRefund = async (db: TenantDb, refundId: string) => {
  const seen = await findRefund(db, refundId)
  const due = seen && (await lockDue(db, seen.payId))
  if (!seen || !due || seen.orderId === null) return undefined
  const order = await lockOrder(db, seen.orderId)
  const refunds = await listRefunds(db, order.id)
  const refund = refunds.find(one => one.id === refundId)
  return refund && { due, order, refund, refunds }
}

const move = async (
  db: TenantDb,
  table: string,
  id: string,
  from: string,
  to: string,
  set: Record<string, unknown> = {},
): Promise<void> => {
  if (!(await transition(db, table, id, { from, to }, set))) throw new Error(`${table} ${id} moved under its lock`)
}

/** The second person's word, or the rule's own. */
export const approveRefund = async (
  kit: PayKit,
  db: TenantDb,
  facts: {
    readonly refundId: string
    readonly verdict: 'approve' | 'reject'
    readonly approverId?: string
    readonly invoiceReversed?: boolean
    /** Why, as the approver wrote it; a rejection tells it to the payer. */
    readonly remark?: string
  },
  ctx?: Ctx,
): Promise<void> => {
  insistOnGate(db, 'refund', 'refundAtDue')
  const rows = await lockRefund(db, facts.refundId)
  if (!rows) throw refused('changedMeanwhile')
  const { due, order, refund, refunds } = rows
  if (facts.verdict === 'approve' && !refund.approvedByRule) refuseUnknown(order, refunds)
  const decision = decideRefundApproval({
    verdict: facts.verdict,
    refund: { state: refund.state, amountFen: refund.amountFen, applicantId: refund.applyBy, isApprovedByRule: refund.approvedByRule },
    ...(facts.approverId === undefined ? {} : { approverId: facts.approverId }),
    order: orderOfRefund(due, order),
    due,
    refunds: refunds.map(refundOfOrder),
    // The platform that has made a receipt out reverses it with the refund.
    invoice: due.isInvoice !== 1 || order.channel === 'nontax' ? 'none' : facts.invoiceReversed ? 'reversed' : 'issued',
    now: db.now,
  })
  if (!decision.ok) throw refused(decision.problem)
  await move(db, 'pay_refund', refund.id, refund.state, decision.refund.to, {
    approve_by: facts.approverId ?? null,
    approve_time: db.now,
    decision_remark: facts.remark || null,
    submitted_at: decision.submitAt ?? null,
  })
  if (decision.order && decision.order.to !== order.state) await move(db, 'pay_order', order.id, order.state, decision.order.to)
  if (decision.due) await move(db, 'exam_pay', due.id, due.state, decision.due.to)
  if (decision.payState) await mirror(kit, db, due.signupId)
  if (decision.submitAt) await orderRefund(db, refund.id, decision.submitAt)
  else {
    await settleSum(kit, db, due.id, { orderId: order.id, gives: refund.reason !== 'waived' }, ctx)
    await tellOwner(
      kit,
      db,
      due,
      payTexts.refundRejected(due.examName, refund.amountFen, facts.remark ?? ''),
      `refundRejected:${refund.id}`,
    )
  }
  await audit(db, ctx, {
    action: facts.verdict === 'approve' ? 'refund.approved' : 'refund.rejected',
    entity: 'refund',
    entityId: refund.id,
    before: { state: refund.state },
    after: { state: decision.refund.to, amountFen: refund.amountFen, ...(facts.remark ? { remark: facts.remark } : {}) },
  })
}

/** Applies a result of a refund in the caller's transaction; a settled refund stays as it is. */
export const applyRefundResult = async (
  kit: PayKit,
  db: TenantDb,
  refundId: string,
  result: RefundResult,
  more: { readonly providerRefundId?: string; readonly successTime?: Date; readonly voucherNo?: string } = {},
  ctx?: Ctx,
): Promise<RefundOutcome> => {
  const rows = await lockRefund(db, refundId)
  if (!rows) throw new Error(`refund ${refundId} is unknown`)
  const { due, order, refund, refunds } = rows
  const outcome = decideRefundOutcome({
    result,
    refund,
    order: orderOfRefund(due, order),
    due,
    others: refunds.filter(other => other.id !== refund.id).map(refundOfOrder),
  })
  if (more.providerRefundId !== undefined && refund.providerRefundId === null) await writeProviderId(db, refund.id, more.providerRefundId)
  if (outcome.refund)
    await move(db, 'pay_refund', refund.id, refund.state, outcome.refund.to, {
      ...(outcome.refund.to === 'succeeded' ? { success_time: more.successTime ?? db.now } : {}),
      ...(more.voucherNo === undefined ? {} : { voucher_no: more.voucherNo }),
    })
  if (outcome.order && outcome.order.to !== order.state) await move(db, 'pay_order', order.id, order.state, outcome.order.to)
  if (outcome.due) {
    await writeRefunded(db, due.id, outcome.due.refundedFen)
    if (outcome.due.to !== due.state) await move(db, 'exam_pay', due.id, due.state, outcome.due.to)
  }
  if (outcome.ledger) {
    const line = { payId: due.id, orderId: order.id, refundId: refund.id, ...outcome.ledger, evidence: refund.refundNo }
    if ((await addLedger(db, line)) === 0) throw new Error(`refund ${refund.refundNo} is in the ledger already`)
  }
  if (outcome.payState) await mirror(kit, db, due.signupId)
  if (outcome.alarm)
    await raiseAlarm(kit, db, { orderId: order.id, kind: outcome.alarm, detail: `${refund.refundNo} ${result.status} ${result.refundFen}` })
  if (outcome.notify) {
    await tellOwner(kit, db, due, payTexts[outcome.notify](due.examName, refund.amountFen), `${outcome.notify}:${refund.id}`)
    if (outcome.notify === 'refundDone')
      await kit.deps.message.sendSmsTo(db, due, 'refund-done', { exam: due.examName, amount: formatFen(refund.amountFen) })
  }
  if (outcome.refund?.to === 'closed') await settleSum(kit, db, due.id, { orderId: order.id, gives: refund.reason !== 'waived' }, ctx)
  if (outcome.refund)
    await audit(db, ctx, {
      action: `refund.${outcome.kind}`,
      entity: 'refund',
      entityId: refund.id,
      before: { state: refund.state },
      after: { state: outcome.refund.to, amountFen: refund.amountFen },
    })
  return outcome
}

/** Enters a refund that was made in the provider's own console, and tells finance. @returns its id; undefined when it cannot be one of ours */
const enterOutsideRefund = async (kit: PayKit, db: TenantDb, fact: RefundFact): Promise<string | undefined> => {
  const detail = `${fact.refundNo} ${fact.orderNo} ${formatFen(fact.refundFen)}`
  const found = await findOrder(db, fact.orderNo)
  const due = found && (await lockDue(db, found.payId))
  if (!found || !due || found.transactionId !== fact.transactionId) {
    await raiseAlarm(kit, db, { orderId: found?.id ?? null, kind: 'unknownRefund', detail })
    return undefined
  }
  const order = await lockOrder(db, found.id)
  const known = await findRefundByNo(db, fact.refundNo)
  // Two notices at once: the other one held the lock first. A closed refund has moved no money.
  if (known || fact.status === 'CLOSED') return known?.id
  const refunds = await listRefunds(db, order.id)
  const decision = decideOutsideRefund({
    order: orderOfRefund(due, order),
    due,
    refunds: refunds.map(refundOfOrder),
    amountFen: fact.refundFen,
  })
  if (!decision.ok) {
    await raiseAlarm(kit, db, { orderId: order.id, kind: decision.problem === 'exceeds' ? 'refundExceeds' : 'unknownRefund', detail })
    return undefined
  }
  const id = await insertOutsideRefund(db, {
    refundNo: fact.refundNo,
    orderId: order.id,
    payId: due.id,
    userId: due.userId,
    amountFen: fact.refundFen,
    providerRefundId: fact.providerRefundId,
  })
  await markRefundedOutside(db, order.id)
  if (decision.order.to !== order.state) await move(db, 'pay_order', order.id, order.state, decision.order.to)
  if (decision.due) await move(db, 'exam_pay', due.id, due.state, decision.due.to)
  if (decision.payState) await mirror(kit, db, due.signupId)
  await settleSum(kit, db, due.id, { orderId: order.id, gives: true })
  // One of ours that the provider has not taken yet may be too much now: it is asked at once.
  for (const other of refunds) if (other.state === 'submitted' && other.providerRefundId === null) await orderRefund(db, other.id, db.now)
  await raiseAlarm(kit, db, { orderId: order.id, kind: 'refundedOutside', detail })
  await audit(db, undefined, {
    action: 'refund.outside',
    entity: 'refund',
    entityId: id,
    after: { refundNo: fact.refundNo, orderNo: order.orderNo, amountFen: fact.refundFen },
  })
  if (fact.status === 'PROCESSING') await orderRefund(db, id, new Date(db.now.getTime() + 60_000))
  return id
}

/**
 * The provider says that a recorded payment has gone back, and no refund of ours tells why. It does not say how much: that comes with the notice
 * of the refund or the day's bill, and moves due and ledger then. Until then the order shows it, and finance is told. Call with due and order locked.
 */
export const noteRefundedOutside = async (kit: PayKit, db: TenantDb, order: OrderRow): Promise<void> => {
  if (order.exception === 'refundedOutside') return
  const refunds = await listRefunds(db, order.id)
  if (refunds.some(one => one.state === 'submitted' || one.state === 'succeeded' || one.state === 'abnormal')) return
  await markRefundedOutside(db, order.id)
  await raiseAlarm(kit, db, { orderId: order.id, kind: 'refundedOutside', detail: order.orderNo })
  await audit(db, undefined, {
    action: 'payorder.refundedOutside',
    entity: 'payorder',
    entityId: order.id,
    before: { state: order.state, exception: order.exception },
    after: { state: order.state, exception: 'refundedOutside' },
  })
}

/**
 * The provider has declined a refund of ours that it had not taken before. Where the order has given money back otherwise, ours asks for more than there is:
 * it is closed, and what is left is asked for anew where that is known. @returns whether it is closed
 */
export const closeDeclined = async (kit: PayKit, db: TenantDb, refundId: string, hasGoneBack: boolean): Promise<boolean> => {
  const rows = await lockRefund(db, refundId)
  if (rows?.refund.state !== 'submitted' || rows.refund.providerRefundId !== null) return false
  const { due, order, refund, refunds } = rows
  const others = refunds.filter(one => one.id !== refund.id)
  const isTooMuch = refundableFen(orderOfRefund(due, order), refunds.map(refundOfOrder)) < 0
  const isKnown = others.some(one => one.providerRefundId !== null)
  if (!isTooMuch && (isKnown || !hasGoneBack)) return false
  await applyRefundResult(kit, db, refund.id, { status: 'CLOSED', refundFen: refund.amountFen })
  const left = await lockRefund(db, refund.id)
  if (!left) return true
  if (!isTooMuch) {
    await noteRefundedOutside(kit, db, left.order)
    return true
  }
  const leftFen = Math.min(refund.amountFen, refundableFen(orderOfRefund(left.due, left.order), left.refunds.map(refundOfOrder)))
  if (leftFen > 0)
    await requestRefund(kit, db, {
      ...{ due: left.due, orderId: order.id, by: refund.approvedByRule ? 'rule' : 'staff', reason: refund.reason, amountFen: leftFen },
      applicantId: refund.applyBy,
    })
  await tellOwner(kit, db, due, payTexts.refundFitted(due.examName, refund.amountFen, leftFen), `refundFitted:${refund.id}:${leftFen}`)
  return true
}

/** Applies what the provider says about a refund, by notice, query or bill. @returns undefined when the refund is not ours */
export const applyRefundFact = async (kit: PayKit, db: TenantDb, fact: RefundFact): Promise<RefundOutcome | undefined> => {
  const refundId = (await findRefundByNo(db, fact.refundNo))?.id ?? (await enterOutsideRefund(kit, db, fact))
  if (refundId === undefined) return undefined
  return applyRefundResult(kit, db, refundId, fact, {
    providerRefundId: fact.providerRefundId,
    ...(fact.successTime ? { successTime: fact.successTime } : {}),
  })
}

/** The reason as the payer reads it at the provider. */
export const reasonText = (reason: RefundReason): string => refundReasonLabel[reason].zh

/** A reason as people type or choose it; undefined for free text. */
export const reasonOf = (text: string): RefundReason | undefined =>
  (Object.keys(refundReasonLabel) as RefundReason[]).find(
    reason => reason !== 'outside' && (reason === text || refundReasonLabel[reason].zh === text || refundReasonLabel[reason].en === text),
  )
