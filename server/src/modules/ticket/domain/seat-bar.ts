import type { Refusal } from '#contract/kernel/refusal.ts'
import type { PayState, RefundWaits } from '#contract/pay/order.state.ts'
import { type PostEvent, postEffects } from '#contract/signup/post-event.ts'
import { refuseTicket } from '#contract/ticket/ticket.errors.ts'

/** What decides whether somebody has a seat in an examination (domain 7.4). */
export interface SeatFacts {
  /** State of the sign-up in the words of the sign-up context. */
  readonly examine: string
  readonly payState: PayState
  readonly refundWaits: RefundWaits
  readonly reductionState: number
  /** A fee of the examination was deleted by hand, and nothing stands in its place: it is not paid. */
  readonly isFeeDeleted?: boolean
  /** What was decided about the post. */
  readonly postEvent?: PostEvent
}

/** Fees that went back or are on their way: the place went with them. */
const goneFees: readonly PayState[] = ['refunding', 'refunded']
/** Post cut and not chosen anew, or given up. */
const outByReduction: readonly number[] = [1, 2, 4, 5]

/** Why somebody has no seat and no ticket, in words that say what they can do about it; undefined = entitled. */
export const seatBar = ({
  examine,
  payState,
  refundWaits,
  reductionState,
  isFeeDeleted,
  postEvent = 'none',
}: SeatFacts): Refusal | undefined => {
  if (examine === 'disqualified') return refuseTicket('ticket/disqualified', {})
  if (examine !== 'passed') return refuseTicket('ticket/not-passed', {})
  if (payState === 'due') return refuseTicket('ticket/unpaid', {})
  if (payState === 'overdue') return refuseTicket('ticket/overdue', {})
  if (payState === 'refunded') return refuseTicket('ticket/refunded', {})
  if (payState === 'refunding') return refuseTicket('ticket/refunding', {})
  if (refundWaits !== 'none') return refuseTicket(refundWaits === 'own' ? 'ticket/refund-waits' : 'ticket/refund-others', {})
  if (isFeeDeleted) return refuseTicket('ticket/fee-deleted', {})
  if (!postEffects.passed[postEvent].seat) return refuseTicket('ticket/post-cancelled', {})
  return outByReduction.includes(reductionState) ? refuseTicket('ticket/not-eligible', {}) : undefined
}

/** Whether the fee is on its way back: the person is told that this is why the place is gone. */
export const lostByRefund = ({ payState }: Pick<SeatFacts, 'payState'>): boolean => goneFees.includes(payState)

/**
 * Why somebody does not take the examination any more: no seat, no rank, no shortlist. Undefined also for whoever is only barred for now (owes a
 * fee, waits for a refund): that keeps the seat until it is decided. `takes_part` says the same in SQL.
 */
export const lostPlace = (facts: SeatFacts): Refusal | undefined =>
  facts.examine !== 'passed' ||
  goneFees.includes(facts.payState) ||
  outByReduction.includes(facts.reductionState) ||
  !postEffects.passed[facts.postEvent ?? 'none'].seat
    ? seatBar({ ...facts, refundWaits: 'none' })
    : undefined
