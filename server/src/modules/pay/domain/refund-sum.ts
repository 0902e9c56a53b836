import type { RefundReason, RefundState } from '#contract/pay/order.state.ts'

/** A refund as the sum of its due counts it. */
export interface CountedRefund {
  readonly id: string
  readonly amountFen: number
  readonly state: RefundState
  readonly reason: RefundReason
  readonly isByRule: boolean
}

/** What was paid for a due by one payment, what of it is let off, and what was asked back and went back. */
export interface MoneyOfDue {
  readonly paidFen: number
  readonly waivedFen: number
  readonly refunds: readonly CountedRefund[]
}

export interface RefundSum {
  /** What nobody has asked back and is not let off. */
  readonly leftFen: number
  /** Of what is let off: still to be asked back. */
  readonly giveFen: number
  /** Requests that nobody has decided and that ask for more than there is: what is left of each, nothing closes it. */
  readonly fitted: readonly { readonly id: string; readonly toFen: number }[]
}

const holds = ({ state }: CountedRefund): boolean => state !== 'closed' && state !== 'rejected'
/** A person's wish that waits for a second person. */
const isUndecided = ({ state, reason, isByRule }: CountedRefund): boolean => state === 'requested' && !isByRule && reason !== 'waived'
const sum = (refunds: readonly CountedRefund[]): number => refunds.reduce((fen, refund) => fen + refund.amountFen, 0)

/**
 * The one sum of a payment: what is let off comes before what is only asked for, and what is decided before both. Worked out whenever one of them changes, it comes to
 * the same in whichever order they come.
 */
export const sumUp = ({ paidFen, waivedFen, refunds }: MoneyOfDue): RefundSum => {
  const held = refunds.filter(holds)
  const waived = held.filter(refund => refund.reason === 'waived')
  const decided = held.filter(refund => refund.reason !== 'waived' && !isUndecided(refund))
  let free = Math.max(0, paidFen - sum(decided) - sum(waived))
  const giveFen = Math.max(0, Math.min(waivedFen - sum(waived), free))
  free -= giveFen
  const fitted: { id: string; toFen: number }[] = []
  for (const { id, amountFen } of held.filter(isUndecided)) {
    const toFen = Math.min(amountFen, free)
    free -= toFen
    if (toFen < amountFen) fitted.push({ id, toFen })
  }
  return { leftFen: free, giveFen, fitted }
}
