import type { SignupState } from './signup.state.ts'

/**
 * What was decided about the post of a sign-up: `cancelled` also where it is merged into another one; `kept` where the post is cancelled and the office has taken
 * this sign-up off the list of those who have to choose. `post_event` tells it in SQL; fewer places, more people and a pause change nothing for those who are there.
 */
export const postEvents = ['none', 'cancelled', 'kept'] as const
export type PostEvent = (typeof postEvents)[number]

/**
 * Whom a cancelled post concerns, and how. `chooses`: another post or the money back, until the time to choose is over; the others are only told:
 * `review` while it is under review, which comes first; `draft` before it is sent in; `refused` after a refusal.
 */
export type PostConcern = 'chooses' | 'review' | 'draft' | 'refused'

export interface PostEffect {
  /** A fee can be asked for, by rule, by hand or by a list. */
  readonly due: boolean
  /** A seat can be given, a ticket shown, a place in the re-review filled: as far as nothing else bars it. */
  readonly seat: boolean
  /** How the decision concerns the person; undefined where nobody is told. */
  readonly concern?: PostConcern
}

const nothing: PostEffect = { due: false, seat: false }
const owes: PostEffect = { due: true, seat: false }
const takesPart: PostEffect = { due: true, seat: true }

/** State of the sign-up × what was decided about its post: what becomes possible by it. */
export const postEffects: Readonly<Record<SignupState, Readonly<Record<PostEvent, PostEffect>>>> = {
  draft: { none: owes, cancelled: { ...nothing, concern: 'draft' }, kept: nothing },
  waiting: { none: owes, cancelled: { ...nothing, concern: 'review' }, kept: owes },
  second: { none: owes, cancelled: { ...nothing, concern: 'review' }, kept: owes },
  returned: { none: owes, cancelled: { ...nothing, concern: 'review' }, kept: owes },
  refused: { none: owes, cancelled: { ...nothing, concern: 'refused' }, kept: owes },
  passed: { none: takesPart, cancelled: { ...nothing, concern: 'chooses' }, kept: takesPart },
  withdrawn: { none: nothing, cancelled: nothing, kept: nothing },
  disqualified: { none: nothing, cancelled: nothing, kept: nothing },
}
