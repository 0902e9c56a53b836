import { fromWireTime, toWireTime } from '#contract/kernel/when.ts'
import { formatFen, yuanToFen } from '#contract/pay/fee.ts'
import type { Clock } from '#kernel/clock.ts'
import type { Outbound, OutboundResponse } from '#kernel/outbound.ts'
import type { ReceiptFact } from '../domain/receipt.ts'
import { openMessage, sealMessage } from './nontax-wire.ts'
import type {
  Notification,
  NotificationResult,
  PayAnswer,
  PayProblemKind,
  PayProvider,
  RefundFact,
  RefundStatus,
  TradeBill,
  TradeBillRow,
  TradeFact,
  TradeState,
} from './provider.ts'
import { problem, problemOf, tryRead } from './wechat-channel.ts'
import { type JsonObject, readObject, readText } from './wechat-read.ts'

/** One office at the non-tax platform of its finance department, keys in PEM; ours is kept encrypted. */
export type NontaxSettings = {
  /** Each province has a platform of its own. */
  readonly origin: string
  readonly appId: string
  /** 执收单位编码: the office that collects. */
  readonly unitCode: string
  /** 收费项目编码: what it collects for, as the finance department has approved it. */
  readonly itemCode: string
  readonly privateKeyPem: string
  /** Of the platform. */
  readonly publicKeyPem: string
}

/** Both clocks are right; a message is on its way for seconds. */
const freshMs = 5 * 60_000
const billTimeoutMs = 60_000
const maxBillBytes = 64 * 1024 * 1024

const done = 'S0000'
const statements: Readonly<Record<string, PayProblemKind>> = {
  E2001: 'order-paid',
  E2002: 'order-closed',
  E2003: 'not-found',
  E9001: 'busy',
}
const states: Readonly<Record<string, TradeState>> = { 0: 'NOTPAY', 1: 'SUCCESS', 2: 'CLOSED', 3: 'REFUND' }
const refundStates: Readonly<Record<string, RefundStatus>> = { 0: 'PROCESSING', 1: 'SUCCESS', 2: 'ABNORMAL' }

const textIn = (object: JsonObject, key: string): string => {
  const value = object[key]
  return typeof value === 'string' ? value : ''
}
const readFen = (object: JsonObject, key: string): number => {
  const amountFen = /^\d+\.\d{2}$/.test(textIn(object, key)) ? yuanToFen(textIn(object, key)) : undefined
  if (amountFen === undefined) throw new Error(`malformed answer: ${key}`)
  return amountFen
}
const readTime = (object: JsonObject, key: string): Date => {
  const at = fromWireTime(readText(object, key))
  if (at === undefined) throw new Error(`malformed answer: ${key}`)
  return at
}
const readOneOf = <T>(object: JsonObject, key: string, of: Readonly<Record<string, T>>): T => {
  const value = of[readText(object, key)]
  if (value === undefined) throw new Error(`malformed answer: ${key}`)
  return value
}
const readList = (object: JsonObject, key: string): readonly JsonObject[] => {
  const value = object[key]
  if (!Array.isArray(value)) throw new Error(`malformed answer: ${key}`)
  return value.map(item => readObject(item, key))
}

/** 票据代码 and 票据号码 name a receipt together. */
const readReceipt = (said: JsonObject, orderNo: string): ReceiptFact => ({
  orderNo,
  receiptNo: `${readText(said, 'ebillCode')}-${readText(said, 'ebillNo')}`,
  url: /^https?:\/\//.test(textIn(said, 'url')) ? textIn(said, 'url') : undefined,
  isReversed: textIn(said, 'state') === '2',
  issuedAt: readTime(said, 'issueTime'),
})

const readTrade = (said: JsonObject, appid: string): TradeFact => {
  const orderNo = readText(said, 'busNo')
  const tradeState = readOneOf(said, 'state', states)
  const isPaid = tradeState === 'SUCCESS' || tradeState === 'REFUND'
  return {
    orderNo,
    tradeState,
    mchid: readText(said, 'unitCode'),
    appid,
    amountFen: readFen(said, 'amount'),
    currency: 'CNY',
    tradeType: 'NONTAX',
    ...(isPaid ? { transactionId: readText(said, 'paySerial'), successTime: readTime(said, 'payTime') } : {}),
    receipts: said['receipts'] === undefined ? [] : readList(said, 'receipts').map(receipt => readReceipt(receipt, orderNo)),
  }
}

const readRefund = (said: JsonObject): RefundFact => {
  const status = readOneOf(said, 'state', refundStates)
  return {
    refundNo: readText(said, 'refundNo'),
    orderNo: readText(said, 'busNo'),
    providerRefundId: readText(said, 'refundSerial'),
    transactionId: readText(said, 'paySerial'),
    status,
    refundFen: readFen(said, 'refundAmount'),
    totalFen: readFen(said, 'amount'),
    mchid: readText(said, 'unitCode'),
    ...(status === 'SUCCESS' ? { successTime: readTime(said, 'refundTime') } : {}),
  }
}

const readBill = (date: string, said: JsonObject, own: { readonly mchid: string; readonly appid: string }): TradeBill => {
  if (readText(said, 'date') !== date) throw new Error('the bill is of another day')
  const rows = readList(said, 'rows').map((row): TradeBillRow => {
    const isRefund = row['type'] === 'refund'
    if (!isRefund && row['type'] !== 'pay') throw new Error('malformed answer: type')
    return {
      kind: isRefund ? 'refund' : 'pay',
      tradeTime: readTime(row, 'time'),
      orderNo: readText(row, 'busNo'),
      transactionId: readText(row, 'paySerial'),
      mchid: readText(row, 'unitCode'),
      appid: own.appid,
      currency: 'CNY',
      amountFen: isRefund ? 0 : readFen(row, 'amount'),
      refundFen: isRefund ? readFen(row, 'amount') : 0,
      ...(isRefund
        ? { refundNo: readText(row, 'refundNo'), providerRefundId: readText(row, 'refundSerial'), refundStatus: 'SUCCESS' }
        : {}),
      // The finance department takes no fee of its own money.
      serviceFeeText: '0',
      attach: '',
    }
  })
  if (rows.some(row => row.mchid !== own.mchid)) throw new Error('the bill names another office')
  const counted = {
    count: rows.length,
    amountFen: rows.reduce((sum, row) => sum + row.amountFen, 0),
    refundFen: rows.reduce((sum, row) => sum + row.refundFen, 0),
  }
  const summary = { count: Number(readText(said, 'count')), amountFen: readFen(said, 'amount'), refundFen: readFen(said, 'refundAmount') }
  if (summary.count !== counted.count || summary.amountFen !== counted.amountFen || summary.refundFen !== counted.refundFen)
    throw new Error('the totals of the bill differ from its rows')
  return { date, rows, summary }
}

/** Numbers are paid anywhere; there is no way of its own inside WeChat or beside it. */
const otherWay = async () => problem('rejected', 'the non-tax platform is paid by its number')

/**
 * An office's client of the non-tax payment platform of its finance department (政府非税收入收缴): a payment order gets a number of twenty digits (缴款码) that
 * is paid at any bank, counter or app that takes them; refunds are decided by the finance department; the fiscal receipt comes by itself and is
 * reversed by the platform with the refund. Every answer is believed only when the platform has signed it.
 */
export const createNontax = (options: {
  readonly settings: NontaxSettings
  readonly outbound: Outbound
  readonly clock: Clock
}): PayProvider => {
  const { settings, outbound, clock } = options
  const { appId, unitCode, publicKeyPem } = settings
  const own = { mchid: unitCode, appid: appId }
  const isFresh = (sentAt: Date): boolean => Math.abs(clock.now().getTime() - sentAt.getTime()) <= freshMs

  const call = async (service: string, content: object, more: object = {}): Promise<PayAnswer<JsonObject>> => {
    let answer: OutboundResponse
    try {
      answer = await outbound({
        method: 'POST',
        url: `${settings.origin}/nontax/${service}`,
        headers: { 'content-type': 'application/json', accept: 'application/json', 'user-agent': 'kaopu' },
        body: sealMessage(appId, { unitCode, ...content }, clock.now(), settings.privateKeyPem),
        ...more,
      })
    } catch (error) {
      return problemOf(error)
    }
    const httpStatus = answer.status
    if (httpStatus !== 200)
      return problem(httpStatus >= 500 || httpStatus === 429 ? 'busy' : 'rejected', `status ${httpStatus}`, { httpStatus })
    const opened = openMessage(answer.body.toString('utf8'), publicKeyPem)
    if (!opened.ok || !isFresh(opened.sentAt)) return problem('bad-signature', 'the answer is not signed by the platform', { httpStatus })
    const code = textIn(opened.said, 'code')
    if (code === done) return { ok: true, value: opened.said }
    return problem(statements[code] ?? 'rejected', textIn(opened.said, 'message'), { providerCode: code })
  }

  return {
    wires: [],

    async createNative(order) {
      const answer = await call('createBill', {
        busNo: order.orderNo,
        itemCode: settings.itemCode,
        amount: formatFen(order.amountFen),
        payer: order.payerName,
        remark: order.description,
        expireTime: toWireTime(order.expiresAt),
        notifyUrl: order.notifyUrl,
      })
      if (!answer.ok) return answer
      return tryRead(() => {
        const payCode = readText(answer.value, 'payCode')
        if (!/^\d{20}$/.test(payCode)) throw new Error('malformed answer: payCode')
        return { codeUrl: readText(answer.value, 'payUrl'), payCode }
      })
    },
    createJsapi: otherWay,
    createH5: otherWay,
    bridge() {
      throw new Error('the non-tax platform is paid by its number')
    },

    async query(orderNo) {
      const answer = await call('queryBill', { busNo: orderNo })
      if (!answer.ok) return answer
      return tryRead(() => {
        const trade = readTrade(answer.value, appId)
        if (trade.orderNo !== orderNo) throw new Error('the answer is about another order')
        return trade
      })
    },

    async close(orderNo) {
      const answer = await call('cancelBill', { busNo: orderNo })
      if (answer.ok || answer.problem.kind === 'order-closed') return { ok: true, value: 'closed' }
      return answer
    },

    async refund(refund) {
      const answer = await call('refundBill', {
        busNo: refund.orderNo,
        refundNo: refund.refundNo,
        refundAmount: formatFen(refund.refundFen),
        reason: refund.reason,
      })
      return answer.ok ? tryRead(() => readRefund(answer.value)) : answer
    },

    async queryRefund(refundNo) {
      const answer = await call('queryRefund', { refundNo })
      return answer.ok ? tryRead(() => readRefund(answer.value)) : answer
    },

    async tradeBill(date) {
      const answer = await call('checkBill', { date }, { timeoutMs: billTimeoutMs, maxBytes: maxBillBytes })
      return answer.ok ? tryRead(() => readBill(date, answer.value, own)) : answer
    },
    async fundBill() {
      return { ok: true, value: null }
    },

    async verifyNotification({ rawBody }): Promise<NotificationResult> {
      const opened = openMessage(Buffer.from(rawBody).toString('utf8'), publicKeyPem)
      if (!opened.ok) return opened
      if (!isFresh(opened.sentAt)) return { ok: false, problem: 'stale' }
      const { said, appid } = opened
      const read = tryRead((): Notification => {
        const eventType = readText(said, 'type')
        const head = { id: readText(said, 'noticeId'), eventType, createdAt: opened.sentAt }
        const of = readObject(said['body'], 'body')
        if (eventType === 'payment') return { ...head, resource: { kind: 'trade', trade: readTrade(of, appid) } }
        if (eventType === 'refund') return { ...head, resource: { kind: 'refund', refund: readRefund(of) } }
        if (eventType === 'receipt') return { ...head, resource: { kind: 'receipt', receipt: readReceipt(of, readText(of, 'busNo')) } }
        return { ...head, resource: { kind: 'other' } }
      })
      return read.ok ? { ok: true, notification: read.value } : { ok: false, problem: 'malformed' }
    },
  }
}
