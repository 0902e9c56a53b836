import type { NextAction } from './wire.ts'

/** What only the candidate can do, the most pressing first; the rest is to wait for or to know. */
export const tasks = ['choosePost', 'selection', 'fix', 'pay', 'sendEdits', 'downloadTicket', 'submit', 'fill', 'repost'] as const
export const isTask = (code: string): boolean => (tasks as readonly string[]).includes(code)
/** Bad news: a deadline that was missed, a fee that was not paid, money going back. It stands before all that is only waited for. */
const isNews = (code: string): boolean => code === 'missed' || code === 'refund'

/** Where a step is taken, when the server names no place. */
const placeOf = (code: string, examId: string): string =>
  /^(fill|submit|fix|sendEdits|repost)$/.test(code)
    ? `/signup/form/${examId}`
    : code.endsWith('Ticket')
      ? `/signup/ticket?examId=${examId}`
      : code.endsWith('Score')
        ? `/signup/score?examId=${examId}`
        : `/signup/${code === 'pay' ? 'examPay' : code === 'choosePost' ? 'adjust' : 'myExam'}`

/** Pages that show one exam of several are told which. */
const withExam = (link: string, examId: string): string => (/^\/signup\/(ticket|score)$/.test(link) ? `${link}?examId=${examId}` : link)

/** Only a place of the portal itself is followed. */
export const actionLink = (action: NextAction, examId: string): string =>
  action.link && /^\/(?![/\\])/.test(action.link) ? withExam(action.link, examId) : placeOf(action.code, examId)

/** The most pressing of several: tasks first, the nearest deadline before, then bad news, then what is waited for; else as they are given. */
export const mostPressing = <T extends { readonly nextAction: NextAction }>(rows: readonly T[]): T | undefined => {
  const rankOf = ({ code }: NextAction) => (isTask(code) ? 0 : isNews(code) ? 1 : 2)
  const end = ({ code, deadline }: NextAction) => (isTask(code) && deadline) || '9'
  return rows
    .filter(row => row.nextAction.code !== 'none')
    .toSorted(
      ({ nextAction: x }, { nextAction: y }) =>
        rankOf(x) - rankOf(y) ||
        end(x).localeCompare(end(y)) ||
        (isTask(x.code) ? tasks.indexOf(x.code as never) - tasks.indexOf(y.code as never) : 0),
    )[0]
}
