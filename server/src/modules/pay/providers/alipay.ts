import { fromWireTime, toWireTime } from '#contract/kernel/when.ts'
import { formatFen, yuanToFen } from '#contract/pay/fee.ts'
import { orderNoOfRefund } from '#contract/pay/order-no.ts'
import type { Clock } from '#kernel/clock.ts'
import { readZip } from '#kernel/files/read-zip.ts'
import type { Outbound, OutboundResponse } from '#kernel/outbound.ts'
import { FUND_SHEET, parseAlipayFundBill, parseAlipayTradeBill, TRADE_SHEET } from './alipay-bill.ts'
import { isSignedNotice, nodeOf, readForm, readSignedAnswer, signedForm } from './alipay-wire.ts'
import type { NotificationResult, PayAnswer, PayProblemKind, PayProvider, RefundFact, TradeFact, TradeState } from './provider.ts'
import { emptyBill } from './wechat-bill.ts'
import { problem, problemOf, tryRead } from './wechat-channel.ts'
import { type JsonObject, readJsonObject, readText } from './wechat-read.ts'

/** One organisation's application at Alipay, keys in PEM; ours is kept encrypted. */
export type AlipaySettings = {
  readonly appId: string
  /** The account that is paid, `2088…`. */
  readonly sellerId: string
  readonly privateKeyPem: string
  /** Of Alipay, from the console of the application. */
  readonly publicKeyPem: string
}

export const ALIPAY_ORIGIN = 'https://openapi.alipay.com'
/** Where its bills lie; the addresses it hands out begin with `http://`. */
export const ALIPAY_BILL_ORIGIN = 'https://dwbillcenter.alipay.com'
const MAX_BILL_DOWNLOAD_BYTES = 64 * 1024 * 1024
const MAX_BILL_TEXT_BYTES = 256 * 1024 * 1024
const BILL_TIMEOUT_MS = 60_000
const dayMs = 24 * 60 * 60_000
const noBill = 'isp.bill_not_exist'

/** @see https://opendocs.alipay.com/open/8ad49e4a_alipay.trade.precreate */
const statements: Readonly<Record<string, PayProblemKind>> = {
  'ACQ.TRADE_HAS_SUCCESS': 'order-paid',
  'ACQ.TRADE_HAS_CLOSE': 'order-closed',
  'ACQ.TRADE_NOT_EXIST': 'not-found',
}
const kindOf = (code: string, subCode: string): PayProblemKind =>
  code === '20000' || subCode.endsWith('SYSTEM_ERROR') || subCode.startsWith('isp.') ? 'busy' : (statements[subCode] ?? 'rejected')

const textIn = (object: JsonObject, key: string): string => {
  const value = object[key]
  return typeof value === 'string' ? value : ''
}
const readAmount = (object: JsonObject, key: string): number => {
  const amountFen = /^\d+\.\d{2}$/.test(textIn(object, key)) ? yuanToFen(textIn(object, key)) : undefined
  if (amountFen === undefined) throw new Error(`malformed answer: ${key}`)
  return amountFen
}
const readTime = (object: JsonObject, key: string): Date => {
  const at = fromWireTime(readText(object, key))
  if (at === undefined) throw new Error(`malformed answer: ${key}`)
  return at
}

/**
 * A trade as answers and notices tell it. Alipay says TRADE_CLOSED both of what nobody has paid and of what went back as a whole;
 * only the latter has a time of payment.
 */
const readTrade = (said: JsonObject, own: { readonly appid: string; readonly mchid: string }, paidAt: string): TradeFact => {
  const status = readText(said, 'trade_status')
  const wasPaid = textIn(said, paidAt) !== ''
  const states: Readonly<Record<string, TradeState>> = {
    WAIT_BUYER_PAY: 'NOTPAY',
    TRADE_SUCCESS: textIn(said, 'gmt_refund') === '' ? 'SUCCESS' : 'REFUND',
    TRADE_FINISHED: 'SUCCESS',
    TRADE_CLOSED: wasPaid ? 'REFUND' : 'CLOSED',
  }
  const tradeState = states[status]
  if (tradeState === undefined) throw new Error('malformed answer: trade_status')
  const buyer = textIn(said, 'buyer_open_id') || textIn(said, 'buyer_user_id') || textIn(said, 'buyer_id')
  return {
    orderNo: readText(said, 'out_trade_no'),
    tradeState,
    mchid: own.mchid,
    appid: own.appid,
    transactionId: readText(said, 'trade_no'),
    ...(tradeState === 'SUCCESS' || tradeState === 'REFUND' ? { successTime: readTime(said, paidAt) } : {}),
    amountFen: readAmount(said, 'total_amount'),
    currency: 'CNY',
    tradeType: 'PRECREATE',
    ...(buyer === '' ? {} : { payerOpenid: buyer }),
  }
}

/** Alipay has no way of its own inside WeChat or beside it; a code of Alipay is all that is offered. */
const otherWay = async () => problem('rejected', 'Alipay is paid by its code')

/**
 * An application's client of Alipay's orders that a payer scans (face to face). Every answer is believed only when Alipay has signed it.
 *
 * @see https://opendocs.alipay.com/open/194/105072
 */
export const createAlipay = (options: {
  readonly settings: AlipaySettings
  readonly origin: string
  readonly outbound: Outbound
  readonly clock: Clock
}): PayProvider => {
  const { settings, origin, outbound, clock } = options
  const own = { mchid: settings.sellerId, appid: settings.appId }

  const call = async (method: string, content: object, notifyUrl = ''): Promise<PayAnswer<JsonObject>> => {
    const fields = {
      app_id: settings.appId,
      method,
      format: 'JSON',
      charset: 'utf-8',
      sign_type: 'RSA2',
      timestamp: toWireTime(clock.now()),
      version: '1.0',
      notify_url: notifyUrl,
      biz_content: JSON.stringify(content),
    }
    let answer: OutboundResponse
    try {
      answer = await outbound({
        method: 'POST',
        url: `${origin}/gateway.do`,
        headers: { 'content-type': 'application/x-www-form-urlencoded;charset=utf-8', 'user-agent': 'kaopu' },
        body: signedForm(fields, settings.privateKeyPem),
      })
    } catch (error) {
      return problemOf(error)
    }
    const httpStatus = answer.status
    if (httpStatus !== 200)
      return problem(httpStatus >= 500 || httpStatus === 429 ? 'busy' : 'rejected', `status ${httpStatus}`, { httpStatus })
    const text = readSignedAnswer(answer.body.toString('utf8'), nodeOf(method), settings.publicKeyPem)
    if (text === undefined) return problem('bad-signature', 'the answer is not signed by Alipay', { httpStatus })
    const body = tryRead(() => readJsonObject(text))
    if (!body.ok) return body
    const [code, subCode] = [textIn(body.value, 'code'), textIn(body.value, 'sub_code')]
    if (code === '10000') return body
    return problem(kindOf(code, subCode), textIn(body.value, 'sub_msg') || textIn(body.value, 'msg'), { providerCode: subCode || code })
  }

  const queryRefund: PayProvider['queryRefund'] = async refundNo => {
    const answer = await call('alipay.trade.fastpay.refund.query', {
      out_trade_no: orderNoOfRefund(refundNo),
      out_request_no: refundNo,
      query_options: ['gmt_refund_pay'],
    })
    if (!answer.ok) return answer
    const said = answer.value
    // Alipay answers for a refund that it does not know, too, and leaves out its state.
    if (textIn(said, 'refund_status') !== 'REFUND_SUCCESS') return problem('not-found', 'Alipay has not made this refund')
    return tryRead(
      (): RefundFact => ({
        refundNo,
        orderNo: readText(said, 'out_trade_no'),
        providerRefundId: readText(said, 'out_request_no'),
        transactionId: readText(said, 'trade_no'),
        status: 'SUCCESS',
        refundFen: readAmount(said, 'refund_amount'),
        totalFen: readAmount(said, 'total_amount'),
        successTime: readTime(said, 'gmt_refund_pay'),
      }),
    )
  }

  /** @returns undefined for a day without trade */
  const downloadBill = async (date: string, kind: 'trade' | 'signcustomer', firstLine: string): Promise<PayAnswer<string | undefined>> => {
    const answer = await call('alipay.data.dataservice.bill.downloadurl.query', { bill_type: kind, bill_date: date })
    if (!answer.ok) {
      if (answer.problem.providerCode?.toLowerCase() !== noBill) return answer
      // It says the same of a day without trade and of a bill that is late: on the morning after it may be late.
      const dayEnd = new Date(`${date}T00:00:00+08:00`).getTime() + dayMs
      return clock.now().getTime() >= dayEnd + dayMs ? { ok: true, value: undefined } : answer
    }
    const url = URL.parse(textIn(answer.value, 'bill_download_url'))
    const home = origin === ALIPAY_ORIGIN ? ALIPAY_BILL_ORIGIN : origin
    if (url === null || url.host !== new URL(home).host) return problem('rejected', 'the bill lies at another address')
    let file: OutboundResponse
    try {
      const limits = { maxBytes: MAX_BILL_DOWNLOAD_BYTES, timeoutMs: BILL_TIMEOUT_MS }
      file = await outbound({ method: 'GET', url: `${home}${url.pathname}${url.search}`, headers: { 'user-agent': 'kaopu' }, ...limits })
    } catch (error) {
      return problemOf(error)
    }
    if (file.status !== 200) return problem(file.status >= 500 ? 'busy' : 'rejected', `bill download: status ${file.status}`)
    let found: string | undefined
    const broken = await readZip(file.body, { maxEntries: 20, maxFileBytes: MAX_BILL_TEXT_BYTES }, async ({ bytes }) => {
      const text = bytes && new TextDecoder('gb18030').decode(bytes)
      if (text?.startsWith(firstLine)) found = text
    })
    if (broken !== undefined || found === undefined)
      return problem('rejected', `the archive of the bill is ${broken ?? 'without its sheet'}`, { providerCode: 'MALFORMED' })
    return { ok: true, value: found }
  }

  return {
    wires: [],

    async createNative(order) {
      const content = {
        out_trade_no: order.orderNo,
        total_amount: formatFen(order.amountFen),
        subject: order.description,
        seller_id: settings.sellerId,
        product_code: 'FACE_TO_FACE_PAYMENT',
        time_expire: toWireTime(order.expiresAt),
      }
      const answer = await call('alipay.trade.precreate', content, order.notifyUrl)
      return answer.ok ? tryRead(() => ({ codeUrl: readText(answer.value, 'qr_code') })) : answer
    },
    createJsapi: otherWay,
    createH5: otherWay,
    bridge() {
      throw new Error('Alipay is paid by its code')
    },

    async query(orderNo) {
      const answer = await call('alipay.trade.query', { out_trade_no: orderNo })
      // A code makes its trade when it is scanned: until then Alipay knows of none, and the code can still be paid.
      if (!answer.ok && answer.problem.kind === 'not-found') return { ok: true, value: { orderNo, tradeState: 'NOTPAY', ...own } }
      if (!answer.ok) return answer
      return tryRead(() => {
        const trade = readTrade(answer.value, own, 'send_pay_date')
        if (trade.orderNo !== orderNo) throw new Error('the answer is about another order')
        return trade
      })
    },

    /** `close` never gives money back, so it comes first; `cancel` is for a code that nobody has scanned yet. */
    async close(orderNo) {
      const closed = await call('alipay.trade.close', { out_trade_no: orderNo })
      if (closed.ok || closed.problem.kind === 'order-closed') return { ok: true, value: 'closed' }
      const { kind, detail, providerCode } = closed.problem
      if (providerCode === 'ACQ.TRADE_STATUS_ERROR') return problem('order-paid', detail, { providerCode })
      if (kind !== 'not-found') return closed
      const cancelled = await call('alipay.trade.cancel', { out_trade_no: orderNo })
      if (!cancelled.ok) return cancelled
      if (textIn(cancelled.value, 'retry_flag') === 'Y') return problem('busy', 'Alipay asks to cancel again')
      // Paid between the two calls: the cancel gave the money back, and a query tells of both.
      if (textIn(cancelled.value, 'action') === 'refund') return problem('order-paid', 'the payment went back with the cancel')
      return { ok: true, value: 'closed' }
    },

    async refund(refund) {
      const answer = await call('alipay.trade.refund', {
        out_trade_no: refund.orderNo,
        out_request_no: refund.refundNo,
        refund_amount: formatFen(refund.refundFen),
        refund_reason: refund.reason,
      })
      if (!answer.ok) return answer
      const made = await queryRefund(refund.refundNo)
      return made.ok || made.problem.kind !== 'not-found' ? made : problem('busy', 'Alipay is still making the refund')
    },
    queryRefund,

    async tradeBill(date) {
      const file = await downloadBill(date, 'trade', TRADE_SHEET)
      if (!file.ok) return file
      return tryRead(() => (file.value === undefined ? emptyBill(date) : parseAlipayTradeBill(date, file.value, settings.appId)))
    },

    async fundBill(date) {
      const file = await downloadBill(date, 'signcustomer', FUND_SHEET)
      if (!file.ok) return file
      return tryRead(() => (file.value === undefined ? { inFen: 0, outFen: 0, feeFen: 0 } : parseAlipayFundBill(file.value)))
    },

    async verifyNotification({ rawBody }): Promise<NotificationResult> {
      const fields = readForm(Buffer.from(rawBody).toString('utf8'))
      if (fields === undefined) return { ok: false, problem: 'malformed' }
      if (!fields['sign'] || fields['sign_type'] !== 'RSA2') return { ok: false, problem: 'missing-header' }
      if (!isSignedNotice(fields, settings.publicKeyPem)) return { ok: false, problem: 'bad-signature' }
      const read = tryRead(() => {
        const sender = { mchid: readText(fields, 'seller_id'), appid: readText(fields, 'app_id') }
        const trade = readTrade(fields, sender, 'gmt_payment')
        const head = {
          id: readText(fields, 'notify_id'),
          eventType: readText(fields, 'notify_type'),
          createdAt: readTime(fields, 'notify_time'),
        }
        return { ...head, resource: { kind: 'trade' as const, trade } }
      })
      return read.ok ? { ok: true, notification: read.value } : { ok: false, problem: 'malformed' }
    },
  }
}
