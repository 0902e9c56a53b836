import type { RefundFact, RefundStatus, TradeFact, TradeState } from './provider.ts'

/** What came over the wire has not the shape the provider documents. */
class MalformedError extends Error {
  constructor(what: string) {
    super(`malformed answer: ${what}`)
    this.name = 'MalformedError'
  }
}

export type JsonObject = { readonly [key: string]: unknown }

const isObject = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value)

export const readObject = (value: unknown, what: string): JsonObject => {
  if (!isObject(value)) throw new MalformedError(what)
  return value
}

export const readJsonObject = (text: string): JsonObject => {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new MalformedError('not JSON')
  }
  return readObject(value, 'not an object')
}

export const readText = (object: JsonObject, key: string): string => {
  const value = object[key]
  if (typeof value !== 'string' || value === '') throw new MalformedError(key)
  return value
}

const optionalText = (object: JsonObject, key: string): string | undefined => {
  const value = object[key]
  return value === undefined || value === null || value === '' ? undefined : readText(object, key)
}

const readFen = (object: JsonObject, key: string): number => {
  const value = object[key]
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) throw new MalformedError(key)
  return value
}

/** RFC 3339 with an offset; a time without one would be read in the zone of the machine. */
const WITH_OFFSET = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/

export const readInstant = (object: JsonObject, key: string): Date => {
  const text = readText(object, key)
  const at = new Date(text)
  if (!WITH_OFFSET.test(text) || Number.isNaN(at.getTime())) throw new MalformedError(key)
  return at
}

const TRADE_STATES: readonly string[] = [
  'SUCCESS',
  'REFUND',
  'NOTPAY',
  'CLOSED',
  'REVOKED',
  'USERPAYING',
  'PAYERROR',
] satisfies TradeState[]
const REFUND_STATUSES: readonly string[] = ['PROCESSING', 'SUCCESS', 'CLOSED', 'ABNORMAL'] satisfies RefundStatus[]

/** Leaves out what is undefined, so that an absent fact is an absent key. */
const withDefined = <T extends object>(facts: { [K in keyof T]: T[K] | undefined }): T =>
  Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined)) as T

/** A transaction as queries and `TRANSACTION.SUCCESS` notices carry it. */
export const readTrade = (object: JsonObject): TradeFact => {
  const tradeState = readText(object, 'trade_state')
  if (!TRADE_STATES.includes(tradeState)) throw new MalformedError('trade_state')
  const isPaid = tradeState === 'SUCCESS' || tradeState === 'REFUND'
  const amount = isObject(object.amount) ? object.amount : undefined
  if (isPaid && amount === undefined) throw new MalformedError('amount')
  const payer = isObject(object.payer) ? object.payer : {}
  return withDefined<TradeFact>({
    orderNo: readText(object, 'out_trade_no'),
    tradeState: tradeState as TradeState,
    mchid: readText(object, 'mchid'),
    appid: readText(object, 'appid'),
    transactionId: isPaid ? readText(object, 'transaction_id') : optionalText(object, 'transaction_id'),
    successTime: isPaid ? readInstant(object, 'success_time') : undefined,
    amountFen: amount?.total === undefined ? undefined : readFen(amount, 'total'),
    currency: amount === undefined ? undefined : isPaid ? readText(amount, 'currency') : optionalText(amount, 'currency'),
    tradeType: optionalText(object, 'trade_type'),
    payerOpenid: optionalText(payer, 'openid'),
    attach: optionalText(object, 'attach'),
  })
}

/** A refund: answers say `status`, notices say `refund_status` and add `mchid`. */
export const readRefund = (object: JsonObject): RefundFact => {
  const status = optionalText(object, 'status') ?? readText(object, 'refund_status')
  if (!REFUND_STATUSES.includes(status)) throw new MalformedError('status')
  const amount = readObject(object.amount, 'amount')
  return withDefined<RefundFact>({
    refundNo: readText(object, 'out_refund_no'),
    orderNo: readText(object, 'out_trade_no'),
    providerRefundId: readText(object, 'refund_id'),
    transactionId: readText(object, 'transaction_id'),
    status: status as RefundStatus,
    refundFen: readFen(amount, 'refund'),
    totalFen: readFen(amount, 'total'),
    successTime: optionalText(object, 'success_time') === undefined ? undefined : readInstant(object, 'success_time'),
    mchid: optionalText(object, 'mchid'),
  })
}
