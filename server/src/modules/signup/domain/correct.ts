import { step } from '#contract/kernel/machine.ts'
import type { Refusal } from '#contract/kernel/refusal.ts'
import { toWireEnd } from '#contract/kernel/when.ts'
import type { PayState } from '#contract/pay/order.state.ts'
import { reductionStates } from '#contract/signup/reduction-state.ts'
import { refuseSignup } from '#contract/signup/signup.errors.ts'
import { type SignupState, signupMachine } from '#contract/signup/signup.state.ts'
import { correctionsEnd } from './windows.ts'

export interface CorrectFacts {
  readonly now: Date
  readonly exam: { readonly state: string; readonly signEnd: Date | null; readonly modifyEnd: Date | null }
  readonly signup: {
    readonly state: SignupState
    readonly signVersion: number
    readonly payState: PayState
    readonly reductionState: number
    readonly extendUntil: Date | null
  }
  /** The version the caller looked at. */
  readonly signVersion: number
  /** 2 return for correction, 3 propose to disqualify. */
  readonly result: number
  readonly remark: string
  readonly adviceCount: number
  readonly extendHours: number | undefined
  readonly hasTicket: boolean
}

export type CorrectDecision =
  | { readonly kind: 'return'; readonly to: SignupState; readonly extendUntil: Date | null }
  | { readonly kind: 'propose' }

const unpaid: ReadonlySet<PayState> = new Set(['none', 'due', 'overdue'])

/**
 * What an administrator of the examination may do with a sign-up that has passed (domain 4.2, level 4): give it back while nothing is paid and no
 * seat is given, else only propose to disqualify, which takes a hearing and a second person (amendment A8).
 */
export const decideCorrection = (facts: CorrectFacts): CorrectDecision | Refusal => {
  const { now, exam, signup } = facts
  if (exam.state !== 'released') return refuseSignup('signup/exam-not-open', {})
  if (signup.state !== 'passed') return refuseSignup('examine/wrong-state', { state: signupMachine.label[signup.state] })
  if (signup.signVersion !== facts.signVersion) return refuseSignup('examine/stale', {})
  if (signup.reductionState === reductionStates.choosing || signup.reductionState === reductionStates.inReview)
    return refuseSignup('examine/correct-moving', {})
  if (facts.result !== 2 && facts.result !== 3) return refuseSignup('examine/correct-result', {})
  if (facts.remark.trim() === '') return refuseSignup('examine/remark-required', {})
  if (facts.result === 3) return { kind: 'propose' }
  if (facts.adviceCount === 0) return refuseSignup('examine/advice-required', {})
  const to = step(signupMachine, signup.state, 'return')
  if (!unpaid.has(signup.payState) || facts.hasTicket || to === undefined) return refuseSignup('examine/correct-begun', {})
  const extendUntil = facts.extendHours === undefined ? signup.extendUntil : new Date(now.getTime() + facts.extendHours * 3_600_000)
  const until = correctionsEnd(exam, extendUntil)
  if (until !== null && now >= until) return refuseSignup('examine/too-late-to-return', { until: toWireEnd(until) })
  return { kind: 'return', to, extendUntil }
}
