import type { Label } from '../kernel/label.ts'
import { stateField } from '../kernel/state-field.ts'
import { noticeMachine } from './notice.state.ts'

/** Words and tones of the states, by their numbers. */
export const { words: stateWords, tones: stateTones } = stateField(noticeMachine)

/** Whom a notice is for (domain 3.15). */
export const noticeScope = { everybody: 1, loggedIn: 2, signedUp: 3, staff: 4 } as const
export const scopeWords: Readonly<Record<string, Label>> = {
  [noticeScope.everybody]: { zh: '公开', en: 'Public' },
  [noticeScope.loggedIn]: { zh: '登录用户', en: 'Who is logged in' },
  [noticeScope.signedUp]: { zh: '报名考生', en: 'Who signed up' },
  [noticeScope.staff]: { zh: '工作人员', en: 'Staff' },
}

export const noticeType = { recruitment: 1, notice: 2, publicity: 3, policy: 4, questions: 5 } as const
