import type { Tone } from './kit/ui.tsx'
import type { NextAction } from './wire.ts'

/** Steps of domain 5.13, and those the server adds. */
type Code =
  | 'fill'
  | 'submit'
  | 'fix'
  | 'repost'
  | 'wait'
  | 'pay'
  | 'choosePost'
  | 'readNotice'
  | 'uploadHealth'
  | 'downloadTicket'
  | 'waitTicket'
  | 'attend'
  | 'waitScore'
  | 'viewScore'
  | 'review'
  | 'interview'
  | 'none'

/** Where a step is taken, when the server names no place. */
const places: Readonly<Record<Code, (examId: string) => string>> = {
  fill: examId => `/signup/form/${examId}`,
  submit: examId => `/signup/form/${examId}`,
  fix: examId => `/signup/form/${examId}`,
  repost: examId => `/signup/form/${examId}`,
  wait: () => '/signup/myExam',
  pay: () => '/signup/examPay',
  choosePost: () => '/signup/myExam',
  readNotice: examId => `/signup/ticket?examId=${examId}`,
  uploadHealth: examId => `/signup/ticket?examId=${examId}`,
  downloadTicket: examId => `/signup/ticket?examId=${examId}`,
  attend: examId => `/signup/ticket?examId=${examId}`,
  waitTicket: examId => `/signup/ticket?examId=${examId}`,
  viewScore: examId => `/signup/score?examId=${examId}`,
  waitScore: examId => `/signup/score?examId=${examId}`,
  review: () => '/signup/myExam',
  interview: examId => `/signup/ticket?examId=${examId}`,
  none: () => '/signup/myExam',
}

/** Pages that show one exam of several are told which. */
const withExam = (link: string, examId: string): string => (/^\/signup\/(ticket|score)$/.test(link) ? `${link}?examId=${examId}` : link)

/** Only a place of the portal itself is followed. */
export const actionLink = (action: NextAction, examId: string): string =>
  action.link && /^\/(?![/\\])/.test(action.link) ? withExam(action.link, examId) : (places[action.code as Code] ?? places.none)(examId)

/** What the candidate has to do now comes before what they wait for. */
const order: readonly string[] = [
  'fix',
  'pay',
  'choosePost',
  'readNotice',
  'uploadHealth',
  'downloadTicket',
  'submit',
  'fill',
  'repost',
  'review',
  'interview',
  'viewScore',
  'attend',
  'waitTicket',
  'wait',
  'waitScore',
  'none',
]

/** Something only the candidate can do, as opposed to waiting. */
export const isTask = (code: string): boolean => !['wait', 'waitTicket', 'waitScore', 'viewScore', 'none', 'attend'].includes(code)

/** The most pressing of several: tasks first, among equals the nearest deadline. */
export const mostPressing = <T extends { readonly nextAction: NextAction }>(rows: readonly T[]): T | undefined =>
  rows
    .filter(row => row.nextAction.code !== 'none')
    .toSorted((a, b) => {
      const [x, y] = [a.nextAction, b.nextAction]
      if (isTask(x.code) !== isTask(y.code)) return isTask(x.code) ? -1 : 1
      if (x.deadline && y.deadline && x.deadline !== y.deadline) return x.deadline < y.deadline ? -1 : 1
      if (Boolean(x.deadline) !== Boolean(y.deadline)) return x.deadline ? -1 : 1
      return order.indexOf(x.code) - order.indexOf(y.code)
    })[0]

export const examineTone = (examine: number): Tone =>
  (['neutral', 'active', 'active', 'warning', 'danger', 'success', 'neutral', 'danger'] as const)[examine] ?? 'neutral'

export const payTone = (state: number): Tone =>
  (['neutral', 'warning', 'success', 'active', 'neutral', 'danger', 'neutral'] as const)[state] ?? 'neutral'

export const phaseTone = (phase: string): Tone =>
  phase === 'signing' ? 'success' : phase === 'notStarted' ? 'active' : ['finished', 'closed'].includes(phase) ? 'neutral' : 'warning'
