import type { SignWith } from './wire.ts'

/** Instants are ISO texts here, because rows are stored as JSON. */
export type EmulatorOrder = {
  readonly mchid: string
  readonly appid: string
  readonly orderNo: string
  readonly description: string
  readonly attach: string
  readonly notifyUrl: string
  readonly totalFen: number
  readonly createdAt: string
  /** End of payment as the merchant asked for; without one, the end of the code's own life. */
  readonly expiresAt: string
  readonly codeUrl: string
  readonly state: 'NOTPAY' | 'SUCCESS' | 'CLOSED'
  readonly transactionId?: string
  readonly successAt?: string
  readonly openid?: string
  readonly signWith: SignWith
  /** Absent in books of before there were others. */
  readonly tradeType?: 'NATIVE' | 'JSAPI' | 'MWEB'
  /** The one person who may pay it, inside WeChat. */
  readonly payerOpenid?: string
}

export type RefundOutcome = 'SUCCESS' | 'ABNORMAL' | 'CLOSED'

export type EmulatorRefund = {
  readonly mchid: string
  readonly orderNo: string
  readonly refundNo: string
  readonly refundId: string
  readonly refundFen: number
  readonly reason: string
  readonly notifyUrl: string
  readonly createdAt: string
  readonly status: 'PROCESSING' | RefundOutcome
  /** What it turns into at `settlesAt`. */
  readonly outcome: RefundOutcome
  readonly settlesAt: string
  readonly successAt?: string
}

export type EmulatorNotice = {
  readonly id: string
  readonly mchid: string
  /** Number of the order or refund it is about. */
  readonly subject: string
  readonly url: string
  readonly eventType: string
  readonly summary: string
  readonly originalType: 'transaction' | 'refund'
  /** The JSON text that is sealed into the notice. */
  readonly plain: string
  readonly createdAt: string
  readonly signWith: SignWith
  readonly attempts: number
  /** Absent when nothing more will be sent. */
  readonly nextAt?: string
  readonly outcome: 'waiting' | 'delivered' | 'givenUp' | 'dropped'
  readonly lastStatus?: number
}
