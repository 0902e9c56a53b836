import type { Label } from '../kernel/label.ts'
import type { SignupState } from './signup.state.ts'

/**
 * What a number of sign-ups means, once: lists, dashboard, statistics, reports, workbooks and the home page count by these states and call the
 * number by this name. A draft is in none of them.
 */
export interface SignupFigure {
  readonly label: Label
  readonly states: readonly SignupState[]
}

const handedIn = ['waiting', 'second', 'returned', 'refused', 'passed', 'disqualified'] as const
export const signupFigures = {
  signedUp: { label: { zh: '报名人数', en: 'Sign-ups' }, states: handedIn },
  everSignedUp: { label: { zh: '报名人数（含已撤回）', en: 'Sign-ups (withdrawn too)' }, states: [...handedIn, 'withdrawn'] },
  unexamined: { label: { zh: '待审核', en: 'Waiting' }, states: ['waiting', 'second'] },
  returned: { label: { zh: '退回修改', en: 'Returned' }, states: ['returned'] },
  passed: { label: { zh: '审核通过', en: 'Passed' }, states: ['passed'] },
  refused: { label: { zh: '不通过', en: 'Refused' }, states: ['refused'] },
  left: { label: { zh: '已撤回、取消资格', en: 'Withdrawn or disqualified' }, states: ['withdrawn', 'disqualified'] },
} as const satisfies Readonly<Record<string, SignupFigure>>
