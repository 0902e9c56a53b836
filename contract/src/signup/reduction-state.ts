/** Where a sign-up stands whose post was cancelled (`signup.reduction_state`, domain 3.7). */
export const reductionStates = {
  none: 0,
  /** Has to choose another post or the money back. */
  choosing: 1,
  /** Another post is under review. */
  inReview: 2,
  moved: 3,
  refunded: 4,
  /** Chose nothing in time; the money goes back. */
  late: 5,
} as const
