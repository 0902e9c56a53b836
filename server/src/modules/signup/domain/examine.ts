import { step } from '#contract/kernel/machine.ts'
import type { Refusal } from '#contract/kernel/refusal.ts'
import { toWireEnd } from '#contract/kernel/when.ts'
import type { Advisement } from '#contract/signup/content-diff.ts'
import { refuseSignup } from '#contract/signup/signup.errors.ts'
import { type SignupState, signupMachine } from '#contract/signup/signup.state.ts'
import { correctionsEnd } from './windows.ts'

/** 1 pass, 2 return for correction, 3 refuse (domain 3.8). */
export type ExamineResult = 1 | 2 | 3

export interface ExamineFacts {
  readonly now: Date
  readonly exam: {
    readonly state: string
    readonly examineLevels: 1 | 2
    readonly signEnd: Date | null
    readonly modifyEnd: Date | null
    readonly allowSameReviewer: boolean
  }
  readonly signup: {
    readonly state: SignupState
    readonly signVersion: number
    readonly reviewer1Id: string | null
    readonly extendUntil: Date | null
  }
  readonly reviewerId: string
  /** The live lock: who holds it, undefined when nobody does. */
  readonly lock: { readonly reviewerId: string; readonly reviewerName: string } | undefined
  /** This reviewer took the lock once, or it is not their turn: without a live one it has ended. */
  readonly hasOpened: boolean
  readonly isRecused: boolean
  readonly result: ExamineResult
  readonly remark: string
  readonly advisements: readonly Advisement[]
  /** The version the reviewer looked at. */
  readonly signVersion: number
  /** Hours by which an exam administrator extends the time for corrections, for this person only. */
  readonly extendHours: number | undefined
}

export interface ExamineDecision {
  readonly to: SignupState
  readonly level: 1 | 2
  readonly extendUntil: Date | null
}

/** Whose turn a sign-up is. */
export const levelOf = (state: SignupState): 1 | 2 | undefined => (state === 'waiting' ? 1 : state === 'second' ? 2 : undefined)

const eventOf = ({ result, exam, advisements }: ExamineFacts, level: 1 | 2) => {
  if (result === 1) return level === 1 && exam.examineLevels === 2 ? 'passOn' : 'pass'
  if (result === 3) return 'refuse'
  // The second reviewer may give it back to the first instead of to the candidate.
  return level === 2 && advisements.some(advice => advice.kind === 'other' && advice.key === 'reviewer') ? 'sendBack' : 'return'
}

/** What a reviewer's decision makes of a sign-up (domain 4.2). */
export const decideExamine = (facts: ExamineFacts): ExamineDecision | Refusal => {
  const { now, exam, signup, reviewerId, lock, result } = facts
  if (exam.state !== 'released') return refuseSignup('signup/exam-not-open', {})
  const level = levelOf(signup.state)
  if (level === undefined) return refuseSignup('examine/wrong-state', { state: signupMachine.label[signup.state] })
  // First, because it says why the lock is gone: what changes under a review ends it.
  if (signup.signVersion !== facts.signVersion) return refuseSignup('examine/stale', {})
  // Clients of the framework only look by GET, which takes no lock: they decide where nobody holds one, on the version that they have seen.
  if (!lock && facts.hasOpened) return refuseSignup('examine/lock-ended', {})
  if (lock && lock.reviewerId !== reviewerId) return refuseSignup('examine/no-lock', { holder: lock.reviewerName })
  if (facts.isRecused) return refuseSignup('examine/recused', {})
  if (level === 2 && signup.reviewer1Id === reviewerId && !exam.allowSameReviewer) return refuseSignup('examine/same-reviewer', {})
  if (result !== 1 && facts.remark.trim() === '') return refuseSignup('examine/remark-required', {})
  if (result === 2 && facts.advisements.length === 0) return refuseSignup('examine/advice-required', {})

  const event = eventOf(facts, level)
  const extendUntil = facts.extendHours === undefined ? signup.extendUntil : new Date(now.getTime() + facts.extendHours * 3_600_000)
  if (event === 'return') {
    const until = correctionsEnd(exam, extendUntil)
    if (until !== null && now >= until) return refuseSignup('examine/too-late-to-return', { until: toWireEnd(until) })
  }
  const to = step(signupMachine, signup.state, event)
  return to === undefined ? refuseSignup('signup/changed', {}) : { to, level, extendUntil }
}
