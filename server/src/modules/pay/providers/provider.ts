import type { ReceiptFact } from '../domain/receipt.ts'

/**
 * What the product needs of a payment provider. Amounts are integer fen, times are instants. Failures are values: the caller
 * has to decide what an unknown outcome means, and the kinds below are all it has to know.
 */
export interface PayProvider {
  /** Which orders it takes beside codes on a screen. */
  readonly wires: readonly ('jsapi' | 'h5')[]
  /** Repeatable by `orderNo`: the same facts give the same order, other facts under a used number are refused. */
  createNative(order: NativeOrder): Promise<PayAnswer<{ readonly codeUrl: string; readonly payCode?: string }>>
  /** An order that one person pays inside WeChat; the prepay id is what its browser is handed. */
  createJsapi(order: NativeOrder & { readonly openid: string }): Promise<PayAnswer<{ readonly prepayId: string }>>
  /** What the browser of WeChat is handed for a prepay id, signed now. */
  bridge(prepayId: string): BridgeRequest
  /** An order that is paid from the browser of a phone at this address. */
  createH5(order: NativeOrder & { readonly payerIp: string }): Promise<PayAnswer<{ readonly h5Url: string }>>
  query(orderNo: string): Promise<PayAnswer<TradeFact>>
  /** Done also when the provider says the order is closed already; `order-paid` means: query and post the payment. */
  close(orderNo: string): Promise<PayAnswer<'closed'>>
  /** Repeatable by `refundNo`; a repeat never pays twice. */
  refund(refund: RefundOrder): Promise<PayAnswer<RefundFact>>
  queryRefund(refundNo: string): Promise<PayAnswer<RefundFact>>
  /**
   * Payments and refunds of one day, an empty bill for a day without trade.
   *
   * @param date - `yyyy-MM-dd` in Asia/Shanghai, yesterday (ready after 10:00) to three months back; `busy` while not ready
   */
  tradeBill(date: string): Promise<PayAnswer<TradeBill>>
  /** What one day has moved on the merchant's account; null where the provider keeps no such bill, `busy` while it is not ready. */
  fundBill(date: string): Promise<PayAnswer<FundBill | null>>
  /**
   * Checks origin, age and secrecy of a notice on its raw bytes, before anything in it is believed.
   *
   * @param headers - as received; names in any case
   */
  verifyNotification(notice: {
    readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
    readonly rawBody: Uint8Array
  }): Promise<NotificationResult>
}

export type BridgeRequest = {
  readonly appId: string
  readonly timeStamp: string
  readonly nonceStr: string
  readonly package: string
  readonly signType: 'RSA'
  readonly paySign: string
}

export type NativeOrder = {
  readonly orderNo: string
  readonly amountFen: number
  readonly description: string
  readonly expiresAt: Date
  readonly notifyUrl: string
  /** Comes back in queries, notices and bills; at most 128 characters. */
  readonly attach: string
  /** Whom a receipt is made out to, where the provider makes one. */
  readonly payerName?: string
}

export type RefundOrder = {
  readonly orderNo: string
  readonly refundNo: string
  readonly refundFen: number
  /** Amount of the whole order, which the provider compares. */
  readonly totalFen: number
  /** Shown to the payer; at most 80 characters. */
  readonly reason: string
  readonly notifyUrl: string
}

/** The provider's own words, kept as evidence: REFUND = paid and at least partly refunded, REVOKED = undone. */
export type TradeState = 'SUCCESS' | 'REFUND' | 'NOTPAY' | 'CLOSED' | 'REVOKED' | 'USERPAYING' | 'PAYERROR'

/** What a signed answer or a signed notice says about an order. Only SUCCESS and REFUND carry a transaction. */
export type TradeFact = {
  readonly orderNo: string
  readonly tradeState: TradeState
  readonly mchid: string
  readonly appid: string
  readonly transactionId?: string
  readonly successTime?: Date
  /** Absent on some unpaid orders. */
  readonly amountFen?: number
  readonly currency?: string
  readonly tradeType?: string
  readonly payerOpenid?: string
  readonly attach?: string
  /** What the provider has made out for this payment, where it makes receipts by itself. */
  readonly receipts?: readonly ReceiptFact[]
}

export type RefundStatus = 'PROCESSING' | 'SUCCESS' | 'CLOSED' | 'ABNORMAL'

export type RefundFact = {
  readonly refundNo: string
  readonly orderNo: string
  /** The provider's number of the refund. */
  readonly providerRefundId: string
  readonly transactionId: string
  readonly status: RefundStatus
  readonly refundFen: number
  readonly totalFen: number
  readonly successTime?: Date
  readonly mchid?: string
}

export type TradeBillRow = {
  readonly kind: 'pay' | 'refund' | 'revoked'
  readonly tradeTime: Date
  readonly orderNo: string
  readonly transactionId: string
  readonly mchid: string
  readonly appid: string
  readonly currency: string
  /** Of the order; zero on refund rows. */
  readonly amountFen: number
  /** Asked for by this refund; zero on payment rows. */
  readonly refundFen: number
  readonly refundNo?: string
  readonly providerRefundId?: string
  /** SUCCESS, PROCESSING, FAIL or CHANGE, in the provider's words. */
  readonly refundStatus?: string
  /** Yuan with up to five decimals, as billed: smaller than a fen, so never part of a sum here. */
  readonly serviceFeeText: string
  readonly attach: string
}

export type TradeBill = {
  readonly date: string
  readonly rows: readonly TradeBillRow[]
  /** The provider's own totals, already compared with the rows. */
  readonly summary: { readonly count: number; readonly amountFen: number; readonly refundFen: number }
}

/** Sums of one day's movements of the merchant's account: what trade brought in, what refunds took out, and everything else, which are fees. */
export type FundBill = { readonly inFen: number; readonly outFen: number; readonly feeFen: number }

/**
 * - `busy`: the provider declines for now (5xx, rate limit, not ready); nothing or something may have happened
 * - `timeout`: no answer; the call may have had its effect
 * - `bad-signature`: an answer came that the provider has not signed; as good as no answer
 * - `order-paid`, `order-closed`, `not-found`: a signed statement about the order or refund
 * - `rejected`: a refusal that a repeat will not change; `providerCode` tells finance or the operator why
 */
export type PayProblemKind = 'busy' | 'timeout' | 'bad-signature' | 'order-paid' | 'order-closed' | 'not-found' | 'rejected'

export type PayProblem = {
  readonly kind: PayProblemKind
  /** For logs and the finance desk, never for candidates. */
  readonly detail: string
  readonly providerCode?: string
  readonly httpStatus?: number
}

export type PayAnswer<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problem: PayProblem }

/** Whether the outcome is unknown, so that only a query or a repeat under the same number tells. */
export const isOutcomeUnknown = (problem: PayProblem): boolean =>
  problem.kind === 'busy' || problem.kind === 'timeout' || problem.kind === 'bad-signature'

export type Notification = {
  /** One per event; the same id comes again with every repeat. */
  readonly id: string
  readonly eventType: string
  readonly createdAt: Date
  readonly resource:
    | { readonly kind: 'trade'; readonly trade: TradeFact }
    | { readonly kind: 'refund'; readonly refund: RefundFact }
    | { readonly kind: 'receipt'; readonly receipt: ReceiptFact }
    | { readonly kind: 'other' }
}

/** Every problem is answered with 401; all but a probe raise an alarm, and none of them may change a row (domain 8.4). */
export type NotificationProblem =
  | 'missing-header'
  | 'stale'
  | 'unknown-serial'
  | 'bad-signature'
  /** The provider tries whether we check at all: a signature that is announced to be wrong. */
  | 'probe'
  | 'malformed'
  | 'undecipherable'

export type NotificationResult =
  | { readonly ok: true; readonly notification: Notification }
  | { readonly ok: false; readonly problem: NotificationProblem }
