import { type Label, label } from '#contract/kernel/label.ts'
import type { DueState, PayState } from '#contract/pay/order.state.ts'
import { payStateOfDue } from '#contract/pay/order.state.ts'
import { type PostEvent, postEffects } from '#contract/signup/post-event.ts'
import type { SignupState } from '#contract/signup/signup.state.ts'

/** Facts about a due, its examination and its sign-up that decide whether it can be paid now (domain 4.12). */
export interface PayableFacts {
  readonly dueState: DueState
  /** Until when it may be paid. */
  readonly deadline: Date
  readonly examState: string
  readonly payBegin: Date | null
  /** 1 after the examine passed, 2 on submit, 3 by import only. */
  readonly payWhen: number
  /** State of the sign-up in the words of the sign-up context. */
  readonly examine: string
  readonly reductionState: number
}

export type Payable =
  | { readonly ok: true; readonly until: Date }
  | {
      readonly ok: false
      /** `notOwed` 2601, `outsideWindow` 2602 */
      readonly problem: 'notOwed' | 'outsideWindow'
    }

const live: readonly string[] = ['waiting', 'second', 'returned', 'refused', 'passed']

export const isSignupLive = (examine: string): boolean => examine !== 'withdrawn' && examine !== 'disqualified'

/** Why no fee can be asked for, whoever asks; undefined where one can. */
export const dueBar = ({ examine, postEvent }: { readonly examine: SignupState; readonly postEvent: PostEvent }): Label | undefined => {
  if (postEffects[examine][postEvent].due) return undefined
  return isSignupLive(examine)
    ? label('所报岗位已取消，不再收费', 'The post of this sign-up was cancelled, so nothing is owed any more')
    : label('报名已撤回或已取消资格', 'The sign-up was withdrawn or disqualified')
}

export const decidePayable = (facts: PayableFacts, now: Date): Payable => {
  const mayOwe = facts.payWhen === 1 ? facts.examine === 'passed' : live.includes(facts.examine)
  // Whoever still has to choose after a post was cut does not pay for the old one.
  const chooses = facts.reductionState === 1 || facts.reductionState === 2
  if (facts.dueState === 'overdue') return { ok: false, problem: 'outsideWindow' }
  if (facts.dueState !== 'due' || !mayOwe || chooses) return { ok: false, problem: 'notOwed' }
  const until = facts.deadline
  const isOpen = facts.examState === 'released' && (facts.payBegin === null || now >= facts.payBegin) && now < until
  return isOpen ? { ok: true, until } : { ok: false, problem: 'outsideWindow' }
}

/** An order younger than this many milliseconds from its end is not shown again: nobody could still pay it in peace. */
const REUSE_MS = 2 * 60_000

/**
 * Whether a live order can be shown again. One that ends with the window is shown to the last second, because no other order
 * could live longer.
 */
export const isReusable = (expireTime: Date, until: Date, now: Date): boolean =>
  expireTime > now && (expireTime.getTime() - now.getTime() > REUSE_MS || expireTime.getTime() >= until.getTime())

const order: readonly PayState[] = ['due', 'overdue', 'refunding', 'paid', 'refunded']

/** The mirror of several dues on their sign-up: what is still open comes first. */
export const mirrorOf = (dues: readonly DueState[]): PayState => {
  const states = dues.map(due => payStateOfDue[due])
  return order.find(state => states.includes(state)) ?? 'none'
}

/** Kind of a due that no rule of the examination makes: the fee of the sign-up itself where dues come by hand alone, else one beside it. */
export const feeKindOf = (payWhen: number): 1 | 3 => (payWhen === 3 ? 1 : 3)
