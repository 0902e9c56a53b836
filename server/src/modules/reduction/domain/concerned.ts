import type { PayState } from '#contract/pay/order.state.ts'
import { type PostConcern, postEffects } from '#contract/signup/post-event.ts'
import type { SignupState } from '#contract/signup/signup.state.ts'

/** What a cancelled post means for a sign-up of it; `lapsed` where the place was given up already. */
export type Concern = PostConcern | 'lapsed'

const keepsPlace: Readonly<Record<PayState, boolean>> = {
  none: true,
  due: true,
  paid: true,
  overdue: false,
  refunding: false,
  refunded: false,
}

/** State of the sign-up × the post is cancelled: nobody whom it concerns goes without a word. @returns undefined for whoever takes no part any more */
export const concernOf = (signup: {
  readonly examine: SignupState
  readonly payState: PayState
  readonly isMoving: boolean
}): Concern | undefined => {
  const { concern } = postEffects[signup.examine].cancelled
  if (concern !== 'chooses') return concern
  if (signup.isMoving) return undefined
  return keepsPlace[signup.payState] ? 'chooses' : 'lapsed'
}
/** Whose place has not been given up: told of fewer places too. */
export const isStaying = (signup: Parameters<typeof concernOf>[0]): boolean => concernOf(signup) === 'chooses'
