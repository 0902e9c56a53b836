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

/** The pages that show one exam, by the steps that are taken there. */
const pages: Readonly<Record<string, readonly Code[]>> = {
  'form/': ['fill', 'submit', 'fix', 'repost'],
  'ticket?examId=': ['readNotice', 'uploadHealth', 'downloadTicket', 'attend', 'waitTicket', 'interview'],
  'score?examId=': ['viewScore', 'waitScore'],
}

/** Where a step is taken, when the server names no place. */
const placeOf = (code: string, examId: string): string => {
  for (const [page, codes] of Object.entries(pages)) if (codes.includes(code as Code)) return `/signup/${page}${examId}`
  return code === 'pay' ? '/signup/examPay' : '/signup/myExam'
}

/** Pages that show one exam of several are told which. */
const withExam = (link: string, examId: string): string => (/^\/signup\/(ticket|score)$/.test(link) ? `${link}?examId=${examId}` : link)

/** Only a place of the portal itself is followed. */
export const actionLink = (action: NextAction, examId: string): string =>
  action.link && /^\/(?![/\\])/.test(action.link) ? withExam(action.link, examId) : placeOf(action.code, examId)

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
