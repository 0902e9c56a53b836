import { step } from '#contract/kernel/machine.ts'
import {
  type DueState,
  dueMachine,
  type OrderEvent,
  type OrderException,
  type OrderState,
  orderMachine,
  type PayState,
  type RefundReason,
} from '#contract/pay/order.state.ts'
import type { LedgerEntry } from './ledger.ts'

/** A payment that the provider has signed for, by a notice, a query or a bill. The client's word never becomes one. */
export type VerifiedPayment = {
  readonly orderNo: string
  readonly transactionId: string
  readonly successTime: Date
  readonly amountFen: number
  readonly currency: string
  readonly mchid: string
  readonly appid: string
  /** All of it or a part has gone back already (trade state REFUND). */
  readonly isRefunded: boolean
}

/** The rows a payment concerns, as locked: first the due, then the order. */
export type SettlementRows = {
  readonly order: {
    readonly state: OrderState
    readonly amountFen: number
    readonly mchid: string
    readonly appid: string
    /** Set as soon as any payment of the order was recorded, posted or not. */
    readonly transactionId?: string
  }
  readonly due: { readonly state: DueState; readonly deadline: Date }
  readonly signup: 'live' | 'withdrawn' | 'disqualified'
  /** Parameters `pay.autoRefundDuplicate` and `pay.autoRefundLate`. */
  readonly autoRefund: { readonly duplicate: boolean; readonly late: boolean }
}

export type SettlementKind =
  /** Counted as paid. */
  | 'posted'
  /** Paid in time, but the news came after our close. */
  | 'postedAfterClose'
  /** Already recorded; count the notice and answer success. */
  | 'repeat'
  | 'late'
  | 'duplicate'
  /** Nothing is owed any more: due void or exempt, or the sign-up is gone. */
  | 'notOwed'
  | 'amountMismatch'
  | 'merchantMismatch'
  /** Paid and given back before we knew of it: never a payment, whatever of it is left. */
  | 'refundedOutside'
  /** The order has another transaction already. */
  | 'conflict'
  | 'unknownOrder'

/** What to write, in one transaction. Absent keys mean: leave it. */
export type Settlement = {
  readonly kind: SettlementKind
  readonly order?: { readonly to: OrderState; readonly exception?: OrderException }
  readonly due?: { readonly to: DueState; readonly paidFen: number }
  readonly payState?: PayState
  readonly ledger?: LedgerEntry
  /** Of the whole payment, approved by rule. */
  readonly refund?: { readonly reason: RefundReason; readonly amountFen: number }
  /** A task for finance. */
  readonly alarm?: SettlementKind
  /** A message to the candidate, by template. */
  readonly notify?: 'payReceived' | 'payLateRefund' | 'payDuplicateRefund' | 'payNotOwedRefund' | 'payUnderReview' | 'payRefundedOutside'
}

const move = (from: OrderState, event: OrderEvent): OrderState => {
  const to = step(orderMachine, from, event)
  if (to === undefined) throw new Error(`order: no ${event} from ${from}`)
  return to
}

const hasPayment = (state: OrderState): boolean => state !== 'created' && state !== 'pending' && state !== 'closed'

/** Money that came but may not be posted: kept in suspense, given back by rule or looked at by finance. */
const suspended = (
  kind: 'late' | 'duplicate' | 'notOwed',
  payment: VerifiedPayment,
  rows: SettlementRows,
  facts: {
    readonly exception: OrderException
    readonly reason: RefundReason
    readonly notify: NonNullable<Settlement['notify']>
    readonly refunds: boolean
  },
): Settlement => ({
  kind,
  order: { to: move(rows.order.state, 'suspend'), exception: facts.exception },
  ledger: { kind: 'suspense', amountFen: payment.amountFen },
  ...(facts.refunds
    ? { refund: { reason: facts.reason, amountFen: payment.amountFen }, notify: facts.notify }
    : { alarm: kind, notify: 'payUnderReview' }),
})

/**
 * What becomes of a payment (the table of domain 8.4). Repeats come first, so that a notice sent for days changes nothing;
 * then what must never be posted; then the question whether the money is still owed and came in time.
 *
 * @param rows - undefined when no order has the number
 */
export const decideSettlement = (payment: VerifiedPayment, rows: SettlementRows | undefined): Settlement => {
  if (rows === undefined) return { kind: 'unknownOrder', alarm: 'unknownOrder' }
  const { order, due } = rows
  if (order.transactionId === payment.transactionId && hasPayment(order.state)) return { kind: 'repeat' }
  if (hasPayment(order.state)) return { kind: 'conflict', alarm: 'conflict', ledger: { kind: 'suspense', amountFen: payment.amountFen } }

  if (payment.mchid !== order.mchid || payment.appid !== order.appid)
    // Somebody else's account: the money is not with us, so no ledger line.
    return {
      kind: 'merchantMismatch',
      order: { to: move(order.state, 'suspend'), exception: 'merchantMismatch' },
      alarm: 'merchantMismatch',
    }
  if (payment.amountFen !== order.amountFen || payment.currency !== 'CNY')
    return {
      kind: 'amountMismatch',
      order: { to: move(order.state, 'suspend'), exception: 'amountMismatch' },
      // An amount in another currency cannot be added up; finance enters it by hand.
      ...(payment.currency === 'CNY' ? { ledger: { kind: 'suspense', amountFen: payment.amountFen } } : {}),
      alarm: 'amountMismatch',
    }

  if (payment.isRefunded)
    return {
      kind: 'refundedOutside',
      order: { to: move(order.state, 'suspend'), exception: 'refundedOutside' },
      ledger: { kind: 'suspense', amountFen: payment.amountFen },
      alarm: 'refundedOutside',
      notify: 'payRefundedOutside',
    }
  if (due.state === 'paid' || due.state === 'refunding' || due.state === 'refunded')
    return suspended('duplicate', payment, rows, {
      exception: 'duplicate',
      reason: 'duplicate',
      notify: 'payDuplicateRefund',
      refunds: rows.autoRefund.duplicate,
    })
  if (due.state === 'void' || due.state === 'exempt' || rows.signup !== 'live')
    return suspended('notOwed', payment, rows, { exception: 'paidAfterClose', reason: 'other', notify: 'payNotOwedRefund', refunds: true })

  const wasOver = order.state === 'closed' || due.state === 'overdue'
  if (wasOver && payment.successTime > due.deadline)
    return suspended('late', payment, rows, {
      exception: 'paidAfterClose',
      reason: 'late',
      notify: 'payLateRefund',
      refunds: rows.autoRefund.late,
    })

  const afterClose = order.state === 'closed'
  return {
    kind: afterClose ? 'postedAfterClose' : 'posted',
    order: { to: move(order.state, 'pay'), ...(afterClose ? { exception: 'paidAfterClose' } : {}) },
    due: { to: payDue(due.state), paidFen: payment.amountFen },
    payState: 'paid',
    ledger: { kind: 'pay', amountFen: payment.amountFen },
    notify: 'payReceived',
  }
}

const payDue = (from: DueState): DueState => {
  const to = step(dueMachine, from, 'pay')
  if (to === undefined) throw new Error(`due: no pay from ${from}`)
  return to
}

const ACCEPT_LATE_MS = 24 * 60 * 60 * 1000

export type LateAcceptance =
  | {
      readonly ok: true
      readonly order: { readonly to: OrderState }
      readonly due: { readonly to: DueState; readonly paidFen: number }
      readonly payState: PayState
      readonly ledger: readonly LedgerEntry[]
    }
  | { readonly ok: false; readonly problem: 'notSuspended' | 'refundUnderway' | 'tooLate' | 'notPayable' }

/**
 * Whether finance may post a late payment after all: within 24 hours, while the examination still takes payments and nothing
 * of it is on its way back.
 */
export const decideLateAcceptance = (facts: {
  readonly order: {
    readonly state: OrderState
    readonly exception?: OrderException
    readonly amountFen: number
    readonly successTime: Date
  }
  readonly due: { readonly state: DueState }
  readonly hasOpenRefund: boolean
  readonly isPayOpen: boolean
  readonly now: Date
}): LateAcceptance => {
  const { order, due } = facts
  if (order.state !== 'abnormal' || order.exception !== 'paidAfterClose') return { ok: false, problem: 'notSuspended' }
  if (facts.hasOpenRefund) return { ok: false, problem: 'refundUnderway' }
  if (!facts.isPayOpen || facts.now.getTime() > order.successTime.getTime() + ACCEPT_LATE_MS) return { ok: false, problem: 'tooLate' }
  if (due.state !== 'due' && due.state !== 'overdue') return { ok: false, problem: 'notPayable' }
  return {
    ok: true,
    order: { to: move(order.state, 'pay') },
    due: { to: payDue(due.state), paidFen: order.amountFen },
    payState: 'paid',
    ledger: [
      { kind: 'suspenseRelease', amountFen: -order.amountFen },
      { kind: 'pay', amountFen: order.amountFen },
    ],
  }
}
