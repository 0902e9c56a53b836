import type { VerifiedPayment } from '../domain/settlement.ts'
import type { TradeFact } from './provider.ts'

/** The payment inside a signed statement about an order; undefined while there is none. */
export const paymentOfTrade = (trade: TradeFact): VerifiedPayment | undefined => {
  const { orderNo, tradeState, mchid, appid, transactionId, successTime, amountFen, currency } = trade
  if (tradeState !== 'SUCCESS' && tradeState !== 'REFUND') return undefined
  if (transactionId === undefined || successTime === undefined || amountFen === undefined || currency === undefined) return undefined
  return { orderNo, transactionId, successTime, amountFen, currency, mchid, appid, isRefunded: tradeState === 'REFUND' }
}
