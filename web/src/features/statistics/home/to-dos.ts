import { refundMachine } from '#contract/pay/order.state.ts'
import { callMachine, recheckMachine } from '#contract/selection/selection.state.ts'
import { signupMachine } from '#contract/signup/signup.state.ts'
import type { ApiOutput } from '../../../kernel/api.ts'
import { epochOf } from '../../../kernel/format.ts'

type Home = ApiOutput<'GET /me/home'>
export type ToDo = Home['todos'][number]
export type Deadline = Home['deadlines'][number]

/** What narrows the list of a menu to the work that waits. */
const conditions: Partial<Record<ToDo['key'], Readonly<Record<string, string>>>> = {
  drafts: { state: '0' },
  reviewFirst: { examine: String(signupMachine.wire.waiting), mayTake: '1' },
  reviewSecond: { examine: String(signupMachine.wire.second), mayTake: '1' },
  returned: { examine: String(signupMachine.wire.returned) },
  refunds: { state: String(refundMachine.wire.requested) },
  postings: { waitsFor: '2' },
  unreconciled: { state: '0' },
  invoices: { isInvoice: '2' },
  corrections: { correctionWaits: '1' },
  rechecks: { reviewState: String(recheckMachine.wire.waiting) },
  calls: { callState: String(callMachine.wire.waiting) },
  proposals: { proposed: '1' },
  groupOpen: { open: '1' },
  alerts: { open: '1' },
  exports: { measure: 'exports' },
}

/** Whether the list a to-do leads to is of one examination, while its number is over all of them. */
export const isOfOneExam = ({ key, count, path, examId }: ToDo): boolean =>
  path !== null && examId !== null && key !== 'drafts' && count > 0

/** The way to where the work begins: the examination of what has waited longest. Null for who has no menu for it. */
export const placeOf = ({ key, path, examId }: ToDo): string | null => {
  if (path === null) return null
  const search = new URLSearchParams({ ...(examId === null || key === 'drafts' ? {} : { examId }), ...conditions[key] }).toString()
  return search === '' ? path : `${path}?${search}`
}

const idleShown = 4
/** Kinds of work that are the role's own and wait for nothing; tasks of processes may come to anybody. */
export const idleOf = (toDos: readonly ToDo[]): readonly ToDo[] =>
  toDos.filter(({ key, count, path }) => count === 0 && path !== null && key !== 'tasks' && key !== 'claims').slice(0, idleShown)

/** The way to where one works towards an end, at its examination. */
export const placeOfDeadline = ({ path, examId }: Deadline): string | null => (path === null ? null : `${path}?examId=${examId}`)

/** Names of papers that a line has room for; of more the number is said. */
export const namedPapers = 2

/** The lists of what made up a sum of today. */
export const moneyPaths = (since: string): Readonly<Record<'received' | 'refunded', string>> => {
  const from = (field: string) => new URLSearchParams({ [`${field}_ge`]: since }).toString()
  return { received: `/pay/examPay?${from('paidTime')}`, refunded: `/pay/payRefund?${from('successTime')}` }
}

const dayMs = 86_400_000
/** What is further away than this is no matter of today. */
const aheadDays = 30
/** China keeps one time, eight hours ahead of UTC, all year. */
const chinaMs = 8 * 3_600_000
const most = 6

/** Days of the calendar of China until a time, 0: today. An end tomorrow morning is not today, though it is less than 24 hours away. */
export const daysUntil = (time: string, nowMs: number): number => dayOf(epochOf(time)) - dayOf(nowMs)
const dayOf = (epochMs: number): number => Math.floor((epochMs + chinaMs) / dayMs)

/** The ends that are near, as the server orders them. */
export const nearOf = (deadlines: readonly Deadline[], nowMs: number): readonly Deadline[] =>
  deadlines.filter(({ time }) => daysUntil(time, nowMs) < aheadDays).slice(0, most)

interface Message {
  readonly isUnread: boolean
  readonly createTime: string
}
const messagesShown = 5
/** Some messages: what is unread before what was read, the newest first. */
export const newestOf = <M extends Message>(messages: readonly M[]): readonly M[] =>
  messages.toSorted((a, b) => Number(b.isUnread) - Number(a.isUnread) || b.createTime.localeCompare(a.createTime)).slice(0, messagesShown)
