import { step } from '#contract/kernel/machine.ts'
import type { Refusal } from '#contract/kernel/refusal.ts'
import { refuseSelection } from '#contract/selection/selection.errors.ts'
import { type RecheckEvent, type RecheckState, recheckMachine } from '#contract/selection/selection.state.ts'

/** What proves that somebody was told of a call (amendment A13). */
export interface Proof {
  /** The person read or confirmed the message in the system. */
  readonly hasReceipt: boolean
  /** Of the text message: 2 arrived. */
  readonly sms: number | null
  /** Outcomes of telephone calls: 1 reached, 2 no answer, 3 wrong number, 4 said that they give up. */
  readonly contacts: readonly number[]
}

/**
 * Whether a right may be lost by silence: the person read it, was reached by telephone, had the text message and was called, or was called as often as
 * the examination demands.
 */
export const isProven = ({ hasReceipt, sms, contacts }: Proof, enough: number): boolean =>
  hasReceipt || contacts.some(outcome => outcome === 1 || outcome === 4) || (sms === 2 && contacts.length > 0) || contacts.length >= enough

/** 1 passed, 2 more papers, 3 not passed, 4 gave up. */
export type RecheckResult = 1 | 2 | 3 | 4
export const eventOf: Readonly<Record<RecheckResult, RecheckEvent>> = { 1: 'pass', 2: 'askMore', 3: 'refuse', 4: 'giveUp' }
const eventNames: Readonly<Record<RecheckResult, { zh: string; en: string }>> = {
  1: { zh: '通过', en: 'pass' },
  2: { zh: '要求补充材料', en: 'ask for more papers' },
  3: { zh: '判为不通过', en: 'refuse' },
  4: { zh: '登记放弃', en: 'note giving up' },
}

export interface RecheckFacts {
  readonly name: string
  readonly state: RecheckState
  readonly result: RecheckResult
  readonly remark: string
  readonly advices: number
  /** The reviewer decided on this sign-up at an earlier level. */
  readonly didReview: boolean
  readonly allowSameReviewer: boolean
  /** Of the call that nobody answered yet; undefined where none waits. */
  readonly proof: Proof | undefined
  readonly contacts: number
  /** Required papers that were not handed in, by their names. */
  readonly missing: readonly { readonly zh: string; readonly en: string }[]
  readonly say: (label: { readonly zh: string; readonly en: string }) => string
}

/** Where the decision leads, or why it is not taken. */
export const decideRecheck = (facts: RecheckFacts): RecheckState | Refusal => {
  const { state, result } = facts
  if (facts.didReview && !facts.allowSameReviewer) return refuseSelection('selection/same-reviewer', {})
  const to = step(recheckMachine, state, eventOf[result])
  if (to === undefined)
    return refuseSelection('selection/state', {
      name: facts.name,
      state: facts.say(recheckMachine.label[state]),
      event: facts.say(eventNames[result]),
    })
  if (result === 2 && facts.advices === 0) return refuseSelection('selection/advice-required', {})
  if (result === 1 && facts.missing.length > 0 && facts.remark === '')
    return refuseSelection('selection/papers-missing', {
      files: { zh: facts.missing.map(({ zh }) => zh).join('、'), en: facts.missing.map(({ en }) => en).join(', ') },
    })
  if ((result === 3 || result === 4) && facts.remark === '') return refuseSelection('selection/remark-required', {})
  // Silence is no giving up: somebody who did not answer must have been told, provably.
  if (result === 4 && facts.proof && !isProven(facts.proof, facts.contacts))
    return refuseSelection('selection/not-proven', { contacts: facts.contacts })
  return to
}
