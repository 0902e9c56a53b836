import type { Label } from '../kernel/label.ts'
import type { PayState } from '../pay/order.state.ts'
import type { SignupState } from './signup.state.ts'

/**
 * What a number of sign-ups means, once: lists, posts, dashboard, statistics, reports, workbooks, public pages and the home page count by these
 * states and call the number by this name. A draft is in none of them.
 */
export interface SignupFigure {
  readonly label: Label
  /** Which sign-ups are counted, as a hint beside the number says it. */
  readonly means: Label
  readonly states: readonly SignupState[]
  /** Of these, those whose dues as a whole are in one of these states; left out: whatever they owe. */
  readonly payStates?: readonly PayState[]
}

const handedIn = ['waiting', 'second', 'returned', 'refused', 'passed', 'disqualified'] as const
export const signupFigures = {
  signedUp: {
    label: { zh: '报名人数', en: 'Sign-ups' },
    means: { zh: '已提交（不含撤回）', en: 'Submitted (without withdrawn)' },
    states: handedIn,
  },
  everSignedUp: {
    label: { zh: '报名人数（含已撤回）', en: 'Sign-ups (withdrawn too)' },
    means: { zh: '提交过（含已撤回）', en: 'Ever submitted (withdrawn too)' },
    states: [...handedIn, 'withdrawn'],
  },
  unexamined: {
    label: { zh: '待审核', en: 'Waiting' },
    means: { zh: '等待初审或复核', en: 'Waiting for the first or second review' },
    states: ['waiting', 'second'],
  },
  returned: {
    label: { zh: '退回修改', en: 'Returned' },
    means: { zh: '退回后尚未重新提交', en: 'Sent back and not submitted again' },
    states: ['returned'],
  },
  passed: { label: { zh: '审核通过', en: 'Passed' }, means: { zh: '现为审核通过', en: 'Passed as of now' }, states: ['passed'] },
  refused: { label: { zh: '不通过', en: 'Refused' }, means: { zh: '现为审核不通过', en: 'Refused as of now' }, states: ['refused'] },
  left: {
    label: { zh: '已撤回、取消资格', en: 'Withdrawn or disqualified' },
    means: { zh: '已撤回或被取消资格', en: 'Withdrawn or disqualified' },
    states: ['withdrawn', 'disqualified'],
  },
  paid: {
    label: { zh: '已缴清人数', en: 'Paid in full' },
    means: { zh: '已提交（不含撤回），应缴费用全部缴清、未退费', en: 'Submitted (without withdrawn), every due paid, nothing refunded' },
    states: handedIn,
    payStates: ['paid'],
  },
} as const satisfies Readonly<Record<string, SignupFigure>>

/** Stages of a sign-up that the dashboard counts by one of the figures. */
export const figureOfStage = {
  submitted: signupFigures.signedUp,
  waiting: signupFigures.unexamined,
  passed: signupFigures.passed,
  paid: signupFigures.paid,
} as const satisfies Readonly<Record<string, SignupFigure>>
