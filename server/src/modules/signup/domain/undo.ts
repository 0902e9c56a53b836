import { step } from '#contract/kernel/machine.ts'
import type { Refusal } from '#contract/kernel/refusal.ts'
import type { PayState } from '#contract/pay/order.state.ts'
import { reductionStates } from '#contract/signup/reduction-state.ts'
import { refuseSignup } from '#contract/signup/signup.errors.ts'
import { type SignupState, signupMachine } from '#contract/signup/signup.state.ts'

export interface UndoFacts {
  readonly now: Date
  readonly exam: { readonly state: string }
  readonly signup: {
    readonly state: SignupState
    readonly signVersion: number
    readonly payState: PayState
    readonly reductionState: number
  }
  /** The version the caller looked at. */
  readonly signVersion: number
  readonly decision:
    | {
        readonly level: 1 | 2 | 4
        readonly before: SignupState
        readonly after: SignupState
        readonly signVersion: number
        readonly examinerId: string
        readonly createdAt: Date
        /** False for decisions of a time when what they overwrote was not kept. */
        readonly canBePutBack: boolean
      }
    | undefined
  readonly actorId: string
  readonly isExamAdmin: boolean
  /** `role.isBack` of the caller's reviewer roles. */
  readonly mayPullBack: boolean
  /** `examine.undoMinutes`. */
  readonly undoMinutes: number
  /** Somebody else has it open for review. */
  readonly isOpenAtAnother: boolean
  readonly hasTicket: boolean
  readonly reason: string
}

export interface UndoDecision {
  readonly to: SignupState
  readonly level: 1 | 2 | 4
}

const events = { 1: 'undoFirst', 2: 'undoSecond', 4: 'undoCorrection' } as const
const unpaid: ReadonlySet<PayState> = new Set(['none', 'due', 'overdue'])

/**
 * Whether a decision is taken back (domain 4.2, last row): by its author within the minutes of the parameter, later or for others by
 * an examination administrator with a reason, and only while the next step has not begun.
 */
export const decideUndo = (facts: UndoFacts): UndoDecision | Refusal => {
  const { now, exam, signup, decision, actorId, isExamAdmin } = facts
  if (exam.state !== 'released') return refuseSignup('signup/exam-not-open', {})
  if (!decision) return refuseSignup('examine/wrong-state', { state: signupMachine.label[signup.state] })
  const isAuthor = decision.examinerId === actorId
  if (!isExamAdmin) {
    if (!isAuthor) return refuseSignup('examine/undo-not-yours', {})
    if (!facts.mayPullBack) return refuseSignup('examine/undo-off', {})
  }
  if (facts.signVersion !== signup.signVersion) return refuseSignup('examine/stale', {})
  const isSame = signup.state === decision.after && signup.signVersion === decision.signVersion && decision.canBePutBack
  // What a decision about another post has brought about, a choice or money, is not called back with it.
  const hasBegun =
    facts.isOpenAtAnother ||
    (signup.reductionState !== reductionStates.none && signup.reductionState !== reductionStates.inReview) ||
    (signup.state === 'passed' && (facts.hasTicket || !unpaid.has(signup.payState)))
  const to = step(signupMachine, signup.state, events[decision.level])
  if (!isSame || hasBegun || to === undefined || to !== decision.before) return refuseSignup('examine/undo-moved-on', {})
  if (!isExamAdmin && now.getTime() - decision.createdAt.getTime() >= facts.undoMinutes * 60_000)
    return refuseSignup('examine/undo-too-late', { minutes: facts.undoMinutes })
  if (!isAuthor && facts.reason.trim() === '') return refuseSignup('examine/undo-reason', {})
  return { to, level: decision.level }
}
