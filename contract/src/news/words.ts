import type { Tone } from '../kernel/field.ts'
import type { Label } from '../kernel/label.ts'
import { noticeMachine } from './notice.state.ts'

/** Words of the states, by their numbers. */
export const stateWords: Readonly<Record<string, Label>> = Object.fromEntries(
  Object.entries(noticeMachine.wire).map(([state, wire]) => [wire, noticeMachine.label[state as keyof typeof noticeMachine.wire]]),
)
export const stateTones = { 0: 'draft', 1: 'passed', 2: 'closed' } as const satisfies Readonly<Record<number, Tone>>

/** Whom a notice is for (domain 3.15). */
export const noticeScope = { everybody: 1, loggedIn: 2, signedUp: 3, staff: 4 } as const
export const scopeWords: Readonly<Record<string, Label>> = {
  [noticeScope.everybody]: { zh: '公开', en: 'Public' },
  [noticeScope.loggedIn]: { zh: '登录用户', en: 'Who is logged in' },
  [noticeScope.signedUp]: { zh: '报名考生', en: 'Who signed up' },
  [noticeScope.staff]: { zh: '工作人员', en: 'Staff' },
}

export const noticeType = { recruitment: 1, notice: 2, publicity: 3, policy: 4, questions: 5 } as const
