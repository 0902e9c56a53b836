import { step } from '#contract/kernel/machine.ts'
import {
  type DueState,
  type OrderState,
  type PayState,
  type RefundReason,
  type RefundState,
  refundMachine,
} from '#contract/pay/order.state.ts'
import type { LedgerEntry } from './ledger.ts'

/** @see https://pay.weixin.qq.com/doc/v3/merchant/4012791883 */
const REFUND_LIFE_MS = 365 * 24 * 60 * 60 * 1000
const MAX_REFUNDS = 50
const PAUSE_MS = 60 * 1000

export type RefundOfOrder = { readonly amountFen: number; readonly state: RefundState; readonly submittedAt?: Date }

export type OrderOfRefund = {
  readonly state: OrderState
  readonly amountFen: number
  /** Whether the due counts this payment; false for money in suspense, whose refund leaves the due alone. */
  readonly isPosted: boolean
  readonly successTime: Date
}
export type DueOfRefund = { readonly state: DueState; readonly paidFen: number; readonly refundedFen: number }

export type RefundProblem =
  /** The order holds no money that could go back. */
  | 'notRefundable'
  /** The examination's rules give nothing back for this reason (now). */
  | 'notAllowed'
  /** Whoever paid gives up the whole; a part is the office's to grant, because a due of which a fen is left counts as paid. */
  | 'wholeOnly'
  /** 2607 */
  | 'exceedsRefundable'
  /** Older than a year: finance pays by bank transfer. */
  | 'tooOld'
  | 'tooMany'
  /** The receipt has to be reversed (冲红) first. */
  | 'invoiceIssued'
  /** 2608 */
  | 'approverIsApplicant'
  /** 2201 */
  | 'changedMeanwhile'

type Refused = { readonly ok: false; readonly problem: RefundProblem }
const refused = (problem: RefundProblem): Refused => ({ ok: false, problem })

/** Refunds that hold their share of the order: all but those the provider closed or finance rejected. */
const isOpenOrDone = (refund: RefundOfOrder): boolean => refund.state !== 'closed' && refund.state !== 'rejected'
const sumOf = (refunds: readonly RefundOfOrder[]): number => refunds.reduce((sum, refund) => sum + refund.amountFen, 0)

/** What of an order can still be asked back, in fen. */
export const refundableFen = (order: Pick<OrderOfRefund, 'amountFen'>, refunds: readonly RefundOfOrder[]): number =>
  order.amountFen - sumOf(refunds.filter(isOpenOrDone))

/** The provider takes the next refund of one order a minute after the one before. */
export const earliestSubmission = (refunds: readonly RefundOfOrder[], now: Date): Date => {
  const last = Math.max(0, ...refunds.map(refund => refund.submittedAt?.getTime() ?? 0))
  return new Date(Math.max(now.getTime(), last + PAUSE_MS))
}

export type RefundRequest = {
  readonly by: 'candidate' | 'staff' | 'rule'
  readonly reason: RefundReason
  /** All that is left when absent. */
  readonly amountFen?: number
}

export type RefundRequestDecision =
  | Refused
  | {
      readonly ok: true
      readonly refund: {
        readonly sequence: number
        readonly amountFen: number
        readonly reason: RefundReason
        readonly isApprovedByRule: boolean
      }
    }

const HOLDS_MONEY: readonly OrderState[] = ['paid', 'partlyRefunded', 'refunding', 'abnormal']
/** All but 误缴: whether somebody paid by mistake is for a person to judge. */
const APPROVED_BY_RULE: readonly RefundReason[] = ['postCancelled', 'duplicate', 'late', 'other', 'waived']

/**
 * Whether a refund may be asked for, and how much (domain 8.5). Only a rule's own refund needs no second person: a reason
 * that somebody has typed proves nothing, however good it sounds.
 *
 * @param givesOwnWish - the examination also gives back on the candidate's own wish, until `payEnd` (`refundPolicy` 1)
 */
export const decideRefundRequest = (facts: {
  readonly request: RefundRequest
  readonly order: OrderOfRefund
  readonly refunds: readonly RefundOfOrder[]
  readonly givesOwnWish: boolean
  readonly payEnd: Date
  readonly now: Date
}): RefundRequestDecision => {
  const { request, order, refunds, now } = facts
  if (!HOLDS_MONEY.includes(order.state)) return refused('notRefundable')
  const isOwnWish = request.by === 'candidate' && (request.reason === 'mistake' || request.reason === 'other')
  if (isOwnWish && !(facts.givesOwnWish && now.getTime() < facts.payEnd.getTime())) return refused('notAllowed')
  if (now.getTime() - order.successTime.getTime() > REFUND_LIFE_MS) return refused('tooOld')
  if (refunds.length >= MAX_REFUNDS) return refused('tooMany')
  const leftFen = refundableFen(order, refunds)
  const amountFen = request.amountFen ?? leftFen
  if (request.by === 'candidate' && amountFen !== leftFen) return refused('wholeOnly')
  if (!Number.isSafeInteger(amountFen) || amountFen < 1 || amountFen > leftFen) return refused('exceedsRefundable')
  const isApprovedByRule = request.by === 'rule' && APPROVED_BY_RULE.includes(request.reason)
  return { ok: true, refund: { sequence: refunds.length + 1, amountFen, reason: request.reason, isApprovedByRule } }
}

/**
 * Where a request goes that its applicant takes back; undefined when it is not theirs, was made by a rule, or somebody has decided already.
 */
export const decideTakeBack = (
  refund: { readonly state: RefundState; readonly applicantId: string; readonly isApprovedByRule: boolean },
  by: string,
): RefundState | undefined =>
  refund.applicantId === by && !refund.isApprovedByRule ? step(refundMachine, refund.state, 'takeBack') : undefined

export type RefundApprovalDecision =
  | Refused
  | {
      readonly ok: true
      readonly refund: { readonly to: RefundState }
      readonly order?: { readonly to: OrderState }
      readonly due?: { readonly to: DueState }
      readonly payState?: PayState
      /** When the provider may be asked; absent after a rejection. */
      readonly submitAt?: Date
    }

/**
 * The second person's word on a refund. Approval takes the money out of what counts as paid only when nothing is left of it:
 * a part refund keeps the due paid.
 *
 * @param approverId - absent for a refund approved by rule
 * @param invoice - `reversed`: finance has confirmed the reversal
 */
export const decideRefundApproval = (facts: {
  readonly verdict: 'approve' | 'reject'
  readonly refund: {
    readonly state: RefundState
    readonly amountFen: number
    readonly applicantId: string
    readonly isApprovedByRule: boolean
  }
  readonly approverId?: string
  readonly order: OrderOfRefund
  readonly due: DueOfRefund
  /** All refunds of the order, this one included. */
  readonly refunds: readonly RefundOfOrder[]
  readonly invoice: 'none' | 'issued' | 'reversed'
  readonly now: Date
}): RefundApprovalDecision => {
  const { refund, order, due } = facts
  const to = step(refundMachine, refund.state, facts.verdict)
  if (to === undefined || !HOLDS_MONEY.includes(order.state)) return refused('changedMeanwhile')
  if (!refund.isApprovedByRule && (facts.approverId === undefined || facts.approverId === refund.applicantId))
    return refused('approverIsApplicant')
  if (facts.verdict === 'reject') return { ok: true, refund: { to } }
  if (order.isPosted && facts.invoice === 'issued') return refused('invoiceIssued')
  if (refundableFen(order, facts.refunds) < 0) return refused('exceedsRefundable')
  const underway = sumOf(facts.refunds.filter(other => other.state === 'submitted' || other.state === 'abnormal'))
  const takesAll = order.isPosted && due.state === 'paid' && due.refundedFen + underway + refund.amountFen >= due.paidFen
  return {
    ok: true,
    refund: { to },
    order: { to: 'refunding' },
    ...(takesAll ? { due: { to: 'refunding' }, payState: 'refunding' } : {}),
    submitAt: earliestSubmission(facts.refunds, facts.now),
  }
}

/** Money that came by hand, as the order it never had. */
export const handOrder = (due: DueOfRefund, now: Date): OrderOfRefund => ({
  state: due.state === 'paid' ? 'paid' : 'refunded',
  amountFen: due.paidFen,
  isPosted: true,
  successTime: now,
})

export type HandRefundDecision =
  | Refused
  | {
      readonly ok: true
      readonly refund: { readonly to: RefundState }
      /** Absent after a rejection. */
      readonly due?: { readonly to: DueState; readonly refundedFen: number }
    }

/** The second person's word on a refund of money that came by hand: a yes means that the transfer has been made (domain 8.1, 8.5). */
export const decideHandRefund = (facts: {
  readonly verdict: 'approve' | 'reject'
  readonly refund: { readonly state: RefundState; readonly amountFen: number; readonly applicantId: string }
  readonly approverId: string
  readonly due: DueOfRefund
  readonly invoice: 'none' | 'issued' | 'reversed'
}): HandRefundDecision => {
  const { refund, due } = facts
  const to = step(refundMachine, refund.state, facts.verdict === 'approve' ? 'payOut' : 'reject')
  if (to === undefined) return refused('changedMeanwhile')
  if (facts.approverId === refund.applicantId) return refused('approverIsApplicant')
  if (facts.verdict === 'reject') return { ok: true, refund: { to } }
  if (due.state !== 'paid') return refused('changedMeanwhile')
  if (facts.invoice === 'issued') return refused('invoiceIssued')
  const refundedFen = due.refundedFen + refund.amountFen
  if (refundedFen > due.paidFen) return refused('exceedsRefundable')
  return { ok: true, refund: { to }, due: { to: refundedFen === due.paidFen ? 'refunded' : 'paid', refundedFen } }
}

export type OutsideRefundDecision =
  | { readonly ok: false; readonly problem: 'notPaid' | 'exceeds' }
  | {
      readonly ok: true
      readonly order: { readonly to: OrderState }
      readonly due?: { readonly to: DueState }
      readonly payState?: PayState
    }

/**
 * A refund that the office has made in the provider's own console: it has happened, so nobody is asked. It is entered as one under way, and
 * its result then moves order, due and ledger like that of any other.
 *
 * @param refunds - those of the order that we know
 */
export const decideOutsideRefund = (facts: {
  readonly order: OrderOfRefund
  readonly due: DueOfRefund
  readonly refunds: readonly RefundOfOrder[]
  readonly amountFen: number
}): OutsideRefundDecision => {
  const { order, due, refunds, amountFen } = facts
  if (!HOLDS_MONEY.includes(order.state)) return { ok: false, problem: order.state === 'refunded' ? 'exceeds' : 'notPaid' }
  if (sumOf(refunds.filter(one => one.state === 'succeeded')) + amountFen > order.amountFen) return { ok: false, problem: 'exceeds' }
  const takesAll = order.isPosted && due.state === 'paid' && due.refundedFen + amountFen >= due.paidFen
  return { ok: true, order: { to: 'refunding' }, ...(takesAll ? { due: { to: 'refunding' }, payState: 'refunding' } : {}) }
}

/** What the provider says, or `byHand` when finance has transferred the money after an abnormal refund. */
export type RefundResult = { readonly status: 'PROCESSING' | 'SUCCESS' | 'CLOSED' | 'ABNORMAL' | 'byHand'; readonly refundFen: number }

export type RefundOutcome = {
  readonly kind: 'none' | 'repeat' | 'succeeded' | 'closed' | 'abnormal' | 'amountMismatch' | 'conflict'
  readonly refund?: { readonly to: RefundState }
  readonly order?: { readonly to: OrderState }
  readonly due?: { readonly to: DueState; readonly refundedFen: number }
  readonly payState?: PayState
  readonly ledger?: LedgerEntry
  /** A task for finance, with a voucher to record when the card is dead. */
  readonly alarm?: 'refundClosed' | 'refundAbnormal' | 'refundAmountMismatch' | 'refundConflict'
  readonly notify?: 'refundDone' | 'refundDelayed'
}

const EVENT = { SUCCESS: 'succeed', CLOSED: 'close', ABNORMAL: 'fail', byHand: 'settleByHand' } as const

/** Where an order stands when none of its refunds is under way any more. */
const orderAfter = (order: OrderOfRefund, doneFen: number, stillUnderway: boolean): OrderState => {
  if (stillUnderway) return 'refunding'
  if (doneFen >= order.amountFen) return 'refunded'
  if (doneFen > 0) return 'partlyRefunded'
  return order.isPosted ? 'paid' : 'abnormal'
}

/**
 * What a result of the provider does to refund, order and due (domain 8.5). Applied to a settled refund it changes nothing.
 *
 * @param others - the order's other refunds
 */
export const decideRefundOutcome = (facts: {
  readonly result: RefundResult
  readonly refund: { readonly state: RefundState; readonly amountFen: number }
  readonly order: OrderOfRefund
  readonly due: DueOfRefund
  readonly others: readonly RefundOfOrder[]
}): RefundOutcome => {
  const { result, refund, order, due, others } = facts
  if (result.refundFen !== refund.amountFen) return { kind: 'amountMismatch', alarm: 'refundAmountMismatch' }
  if (result.status === 'PROCESSING') return { kind: 'none' }
  const event = EVENT[result.status]
  const to = step(refundMachine, refund.state, event)
  const settled: Readonly<Record<typeof event, RefundState>> = {
    succeed: 'succeeded',
    close: 'closed',
    fail: 'abnormal',
    settleByHand: 'succeeded',
  }
  if (to === undefined) return refund.state === settled[event] ? { kind: 'repeat' } : { kind: 'conflict', alarm: 'refundConflict' }
  if (to === 'abnormal') return { kind: 'abnormal', refund: { to }, alarm: 'refundAbnormal', notify: 'refundDelayed' }

  const stillUnderway = others.some(other => other.state === 'submitted' || other.state === 'abnormal')
  const doneFen = sumOf(others.filter(other => other.state === 'succeeded')) + (to === 'succeeded' ? refund.amountFen : 0)
  const orderTo = { to: orderAfter(order, doneFen, stillUnderway) }
  if (to === 'closed') {
    const back = order.isPosted && due.state === 'refunding'
    return {
      kind: 'closed',
      refund: { to },
      order: orderTo,
      ...(back ? { due: { to: 'paid', refundedFen: due.refundedFen }, payState: 'paid' } : {}),
      alarm: 'refundClosed',
    }
  }
  const head = { kind: 'succeeded', refund: { to }, order: orderTo, notify: 'refundDone' } as const
  if (!order.isPosted) return { ...head, ledger: { kind: 'suspenseRefund', amountFen: -refund.amountFen } }
  const refundedFen = due.refundedFen + refund.amountFen
  const dueTo: DueState = refundedFen >= due.paidFen ? 'refunded' : due.state
  return {
    ...head,
    due: { to: dueTo, refundedFen },
    ...(dueTo === 'refunded' ? { payState: 'refunded' } : {}),
    ledger: { kind: 'refund', amountFen: -refund.amountFen },
  }
}
