import { label } from '#contract/kernel/label.ts'
import { can } from '#contract/kernel/machine.ts'
import { isRefusal, type Refusal } from '#contract/kernel/refusal.ts'
import { toWireEnd, toWireTime } from '#contract/kernel/when.ts'
import type { PayState } from '#contract/pay/order.state.ts'
import { refuseSignup } from '#contract/signup/signup.errors.ts'
import { type SignupState, signupMachine } from '#contract/signup/signup.state.ts'

export interface WithdrawFacts {
  readonly now: Date
  readonly exam: { readonly state: string; readonly signBegin: Date | null; readonly signEnd: Date | null; readonly payEnd: Date | null }
  readonly state: SignupState
  readonly payState: PayState
  readonly isOpenAtReviewer: boolean
}

const withdrawal = label('撤回', 'withdrawal')

/** Whether the owner may take a sign-up back (domain 4.2, 4.12): waiting until signEnd and unlocked, passed while unpaid. */
export const decideWithdraw = ({ now, exam, state, payState, isOpenAtReviewer }: WithdrawFacts): 'withdrawn' | Refusal => {
  if (exam.state !== 'released') return refuseSignup('signup/exam-not-open', {})
  if (!can(signupMachine, state, 'withdraw')) return refuseSignup('signup/changed', {})
  if (state === 'waiting') {
    if (isOpenAtReviewer) return refuseSignup('signup/under-review', {})
    if (exam.signEnd && now >= exam.signEnd)
      return refuseSignup('signup/outside-window', {
        what: withdrawal,
        from: exam.signBegin ? toWireTime(exam.signBegin) : '-',
        to: toWireEnd(exam.signEnd),
      })
  }
  if (state === 'passed') {
    if (payState !== 'none' && payState !== 'due' && payState !== 'overdue') return refuseSignup('signup/paid', {})
    if (exam.payEnd && now >= exam.payEnd)
      return refuseSignup('signup/outside-window', { what: withdrawal, from: '-', to: toWireEnd(exam.payEnd) })
  }
  return 'withdrawn'
}

/** Whether the button is offered. A draft is none of it: nothing was handed in that could be taken back. */
export const offersWithdraw = (facts: WithdrawFacts): boolean => facts.state !== 'draft' && !isRefusal(decideWithdraw(facts))
