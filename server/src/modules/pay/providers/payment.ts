import type { VerifiedPayment } from '../domain/settlement.ts'
import type { TradeBillRow, TradeFact } from './provider.ts'

/** The payment inside a signed statement about an order; undefined while there is none. */
export const paymentOfTrade = (trade: TradeFact): VerifiedPayment | undefined => {
  const { orderNo, tradeState, mchid, appid, transactionId, successTime, amountFen, currency } = trade
  if (tradeState !== 'SUCCESS' && tradeState !== 'REFUND') return undefined
  if (transactionId === undefined || successTime === undefined || amountFen === undefined || currency === undefined) return undefined
  return { orderNo, transactionId, successTime, amountFen, currency, mchid, appid }
}

/** The payment of a bill's row; undefined for refunds and undone payments. */
export const paymentOfBillRow = (row: TradeBillRow): VerifiedPayment | undefined => {
  if (row.kind !== 'pay') return undefined
  const { orderNo, transactionId, amountFen, currency, mchid, appid } = row
  return { orderNo, transactionId, successTime: row.tradeTime, amountFen, currency, mchid, appid }
}
