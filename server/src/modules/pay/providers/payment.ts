import type { RechargePayment } from '#modules/message/index.ts'
import type { VerifiedPayment } from '../domain/settlement.ts'
import type { TradeFact } from './provider.ts'

/** The payment inside a signed statement about an order; undefined while there is none. */
export const paymentOfTrade = (trade: TradeFact): VerifiedPayment | undefined => {
  const { orderNo, tradeState, mchid, appid, transactionId, successTime, amountFen, currency } = trade
  if (tradeState !== 'SUCCESS' && tradeState !== 'REFUND') return undefined
  if (transactionId === undefined || successTime === undefined || amountFen === undefined || currency === undefined) return undefined
  return { orderNo, transactionId, successTime, amountFen, currency, mchid, appid, isRefunded: tradeState === 'REFUND' }
}

/** Orders of purchases of messages begin with this (`order-no.ts`); they are the message module's. */
export const isRechargeNo = (orderNo: string): boolean => orderNo.startsWith('S')

/** The same of a purchase of messages; undefined for fees and while nothing is paid. */
export const rechargeOf = (trade: TradeFact): RechargePayment | undefined => {
  const payment = isRechargeNo(trade.orderNo) ? paymentOfTrade(trade) : undefined
  return payment && { ...payment, attach: trade.attach ?? '' }
}
