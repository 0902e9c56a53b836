import type { Reductions } from './calls.ts'

/** Number of domain 3.1 `examination.state`. */
const released = 1

/** While people still pay, few have paid for any post: advice from such numbers would be to cancel nearly all of them. */
export const isTooEarly = ({ examState, canDecide }: Pick<Reductions, 'examState' | 'canDecide'>): boolean =>
  examState === released && !canDecide
