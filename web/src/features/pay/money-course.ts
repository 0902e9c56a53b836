import { refundMachine } from '#contract/pay/order.state.ts'
import type { Row } from '#web/resource/fields.ts'
import type { Tone } from '#web/ui/status-tag.tsx'
import { fenOfRow } from './due-rules.ts'

/** What may happen to money, in the order in which things of one second follow each other. */
export const moneyEvents = [
  'made',
  'ordered',
  'paid',
  'posted',
  'paidByHand',
  'closed',
  'asked',
  'approved',
  'refused',
  'sent',
  'returned',
] as const
export type MoneyEvent = (typeof moneyEvents)[number]
export const eventTones: Partial<Record<MoneyEvent, Tone>> = {
  paid: 'passed',
  paidByHand: 'passed',
  asked: 'waiting',
  posted: 'waiting',
  approved: 'active',
  refused: 'refused',
  returned: 'closed',
}

export interface MoneyLine {
  readonly key: string
  readonly event: MoneyEvent
  readonly time: string
  /** Fen. */
  readonly amount: number
  /** Who did it; empty where the program or the candidate did. */
  readonly who: string
  /** Number or remark. */
  readonly detail: string
}

const textOf = (row: Row, name: string): string => (typeof row[name] === 'string' ? row[name] : '')
const line = (
  row: Row,
  event: MoneyEvent,
  timeName: string,
  of: { amount: string; who?: string; detail?: string },
): readonly MoneyLine[] => {
  const time = textOf(row, timeName)
  if (time === '') return []
  const who = of.who === undefined ? '' : textOf(row, of.who)
  const detail = of.detail === undefined ? '' : textOf(row, of.detail)
  return [{ key: `${event} ${row.id}`, event, time, amount: fenOfRow(row, of.amount), who, detail }]
}

export const ofDue = (due: Row): readonly MoneyLine[] => [
  ...line(due, 'made', 'createTime', { amount: 'amount', detail: 'payName' }),
  ...line(due, 'posted', 'postedTime', { amount: 'postedAmount', who: 'postedName' }),
]
export const ofOrder = (order: Row): readonly MoneyLine[] => [
  ...line(order, 'ordered', 'createTime', { amount: 'amount', detail: 'orderNo' }),
  ...line(order, 'paid', 'successTime', { amount: 'paidAmount', detail: 'orderNo' }),
  ...line(order, 'closed', 'closeTime', { amount: 'amount', detail: 'orderNo' }),
]
export const ofRefund = (refund: Row): readonly MoneyLine[] => [
  ...line(refund, 'asked', 'applyTime', { amount: 'amount', who: 'applyName', detail: 'remark' }),
  ...line(refund, Number(refund.state) === refundMachine.wire.rejected ? 'refused' : 'approved', 'approveTime', {
    amount: 'amount',
    who: 'approveName',
    detail: 'decisionRemark',
  }),
  ...line(refund, 'sent', 'submitTime', { amount: 'amount', detail: 'refundNo' }),
  ...line(refund, 'returned', 'successTime', { amount: 'amount', detail: 'voucherNo' }),
]

/** Everything that happened to a due, the newest first. What came by hand has no order that says when it was paid. */
export const courseOf = (due: Row, orders: readonly Row[], refunds: readonly Row[]): readonly MoneyLine[] => {
  const ordered = orders.flatMap(ofOrder)
  const byHand = ordered.some(one => one.event === 'paid')
    ? []
    : line(due, 'paidByHand', textOf(due, 'enteredTime') === '' ? 'paidTime' : 'enteredTime', {
        ...{ amount: 'paidAmount', who: 'enteredName', detail: 'voucherNo' },
      })
  return sorted([...ofDue(due), ...ordered, ...byHand, ...refunds.flatMap(ofRefund)])
}

export const sorted = (lines: readonly MoneyLine[]): readonly MoneyLine[] =>
  [...lines].sort((a, b) => b.time.localeCompare(a.time) || moneyEvents.indexOf(b.event) - moneyEvents.indexOf(a.event))
