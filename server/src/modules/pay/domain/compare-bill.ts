import type { OrderState, RefundState } from '#contract/pay/order.state.ts'

/** One line of a provider's bill, whatever provider it is. */
export interface BillLine {
  readonly kind: 'pay' | 'refund' | 'revoked'
  readonly tradeTime: Date
  readonly orderNo: string
  readonly transactionId: string
  readonly amountFen: number
  readonly refundFen: number
  readonly refundNo?: string
  readonly refundStatus?: string
}
/** An order of ours that the bill names, or that was paid on its day. */
export interface OurOrder {
  /** Null of a purchase of messages, whose book is another. */
  readonly id: string | null
  readonly orderNo: string
  readonly state: OrderState
  readonly transactionId: string | null
  readonly paidFen: number | null
  readonly successTime: Date | null
  readonly closedAt: Date | null
  /** By our book it was paid on the day of the bill. */
  readonly inDay: boolean
}
/** A refund of ours that the bill names, or that came through on its day. */
export interface OurRefund {
  readonly orderId: string | null
  readonly orderNo: string
  readonly refundNo: string
  readonly state: RefundState
  readonly amountFen: number
  readonly successTime: Date | null
  /** Finance has transferred it after the provider had failed. */
  readonly byHand: boolean
  /** By our book it went back on the day of the bill, by the provider, and no other day's bill has named it. */
  readonly inDay: boolean
}

export type DifferenceKind = 1 | 2 | 3 | 4
export interface Difference {
  readonly subject: 'pay' | 'refund' | 'fund'
  /** 我有彼无 · 彼有我无 · 金额不符 · 状态不符 */
  readonly kind: DifferenceKind
  readonly orderNo: string
  readonly refundNo: string
  readonly transactionId: string
  readonly orderId: string | null
  readonly ourFen: number | null
  readonly billFen: number | null
  readonly ourState: string
  readonly billState: string
  readonly ourTime: Date | null
  readonly billTime: Date | null
  readonly closedTime: Date | null
}

const keyed = <T>(rows: readonly T[], keyOf: (row: T) => string): ReadonlyMap<string, T> => new Map(rows.map(row => [keyOf(row), row]))

const ofLine = (line: BillLine, order: OurOrder | undefined) => ({
  orderNo: line.orderNo,
  refundNo: line.refundNo ?? '',
  transactionId: line.transactionId,
  orderId: order?.id ?? null,
  billTime: line.tradeTime,
  closedTime: order?.closedAt ?? null,
})

const payDifference = (line: BillLine, order: OurOrder | undefined): Difference | undefined => {
  const head = {
    ...ofLine(line, order),
    subject: 'pay',
    billFen: line.amountFen,
    billState: line.kind === 'revoked' ? 'REVOKED' : 'SUCCESS',
    ourState: order?.state ?? '',
    ourTime: order?.successTime ?? null,
  } as const
  if (line.kind === 'revoked')
    return order?.transactionId != null && order.state === 'paid' ? { ...head, kind: 4, ourFen: order.paidFen } : undefined
  // Nobody's order, one whose payment is not recorded, or a second payment of one.
  if (order?.transactionId !== line.transactionId) return { ...head, kind: 2, ourFen: null }
  return order.paidFen === line.amountFen ? undefined : { ...head, kind: 3, ourFen: order.paidFen }
}

const refundDifference = (line: BillLine, refund: OurRefund | undefined, order: OurOrder | undefined): Difference | undefined => {
  const status = line.refundStatus ?? ''
  const head = {
    ...ofLine(line, order),
    subject: 'refund',
    billFen: line.refundFen,
    billState: status,
    ourState: refund?.state ?? '',
    ourTime: refund?.successTime ?? null,
  } as const
  if (!refund) return { ...head, kind: 2, ourFen: null }
  if (refund.amountFen !== line.refundFen) return { ...head, kind: 3, ourFen: refund.amountFen }
  const differs =
    status === 'SUCCESS'
      ? refund.state !== 'succeeded' || refund.byHand
      : // A signed answer or notice of success is newer than a bill that still waits; failed ones are ours to transfer.
        status !== 'PROCESSING' && refund.state !== 'abnormal' && !(refund.state === 'succeeded' && refund.byHand)
  return differs ? { ...head, kind: 4, ourFen: refund.amountFen } : undefined
}

/**
 * Where a day's bill and our books differ: payments by their order's number, refunds by theirs (domain 8.6). Each difference is named once, however often a
 * line stands in the bill.
 */
export const compareBill = (
  lines: readonly BillLine[],
  ours: { readonly orders: readonly OurOrder[]; readonly refunds: readonly OurRefund[] },
): readonly Difference[] => {
  const orders = keyed(ours.orders, order => order.orderNo)
  const refunds = keyed(ours.refunds, refund => refund.refundNo)
  const found = new Map<string, Difference>()
  const note = (difference: Difference | undefined): void => {
    if (difference) found.set(keyOfDifference(difference), difference)
  }
  const billed = new Set<string>()
  for (const line of lines) {
    const order = orders.get(line.orderNo)
    if (line.kind === 'refund') {
      billed.add(line.refundNo ?? '')
      note(refundDifference(line, refunds.get(line.refundNo ?? ''), order))
    } else {
      billed.add(`${line.orderNo} ${line.transactionId}`)
      note(payDifference(line, order))
    }
  }
  for (const order of ours.orders)
    if (order.inDay && order.transactionId !== null && !billed.has(`${order.orderNo} ${order.transactionId}`))
      note({
        subject: 'pay',
        kind: 1,
        orderNo: order.orderNo,
        refundNo: '',
        transactionId: order.transactionId,
        orderId: order.id,
        ourFen: order.paidFen,
        billFen: null,
        ourState: order.state,
        billState: '',
        ourTime: order.successTime,
        billTime: null,
        closedTime: order.closedAt,
      })
  for (const refund of ours.refunds)
    if (refund.inDay && !billed.has(refund.refundNo))
      note({
        subject: 'refund',
        kind: 1,
        orderNo: refund.orderNo,
        refundNo: refund.refundNo,
        transactionId: '',
        orderId: refund.orderId,
        ourFen: refund.amountFen,
        billFen: null,
        ourState: refund.state,
        billState: '',
        ourTime: refund.successTime,
        billTime: null,
        closedTime: null,
      })
  return [...found.values()]
}

/** What one difference of a day is told apart by. */
export const keyOfDifference = (of: Pick<Difference, 'subject' | 'kind' | 'orderNo' | 'refundNo' | 'transactionId'>): string =>
  [of.subject, of.kind, of.orderNo, of.refundNo, of.transactionId].join(' ')

/** Nothing differs, something is open, or all that differed is dealt with: a day closes only so (domain 8.6). */
export const stateOfDay = (counts: { readonly differences: number; readonly open: number }): 1 | 2 | 3 =>
  counts.open > 0 ? 2 : counts.differences > 0 ? 3 : 1

export interface DaySums {
  readonly ourCount: number
  readonly ourFen: number
  readonly ourRefundFen: number
}
/** What a day comes to by our book: what was paid on it, and the refunds that it or its bill names. */
export const sumsOfDay = (
  lines: readonly BillLine[],
  ours: { readonly orders: readonly OurOrder[]; readonly refunds: readonly OurRefund[] },
): DaySums => {
  const named = new Set(lines.flatMap(line => (line.kind === 'refund' ? [line.refundNo ?? ''] : [])))
  const paid = ours.orders.filter(order => order.inDay)
  return {
    ourCount: paid.length,
    ourFen: paid.reduce((sum, order) => sum + (order.paidFen ?? 0), 0),
    ourRefundFen: ours.refunds
      .filter(refund => refund.inDay || named.has(refund.refundNo))
      .reduce((sum, refund) => sum + refund.amountFen, 0),
  }
}
