import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import type { Clock } from '#kernel/clock.ts'
import { randomBytes, randomDigits, randomText } from '#kernel/random.ts'
import { writeFundBill, writeTradeBill } from './bill.ts'
import type { Book } from './book.ts'
import type { EmulatorFaults } from './faults.ts'
import type { EmulatorKeys, EmulatorMerchant } from './keys.ts'
import { openidStart } from './people.ts'
import type { EmulatorOrder, EmulatorRefund } from './records.ts'
import { rfc3339, shanghaiDate } from './time.ts'
import { refundView, transactionView } from './views.ts'
import { type SignWith, seal } from './wire.ts'

/** One call of a merchant whose signature has been verified. */
export type Call = {
  readonly merchant: EmulatorMerchant
  readonly origin: string
  readonly query: URLSearchParams
  readonly body: string
  readonly signWith: SignWith
}

export type Answer = {
  readonly status: number
  readonly json?: unknown
  /** Sent as it is and not signed. */
  readonly file?: Buffer
}

/** A signed refusal: status, code and text as the provider's documents list them. */
class Refusal extends Error {
  readonly status: number
  readonly code: string

  constructor(status: number, code: string, message: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

const CODE_LIFE_MS = 2 * 60 * 60 * 1000
const DOWNLOAD_LIFE_MS = 5 * 60 * 1000
const REFUND_PAUSE_MS = 60 * 1000
const REFUND_LIFE_MS = 365 * 24 * 60 * 60 * 1000
const MAX_REFUNDS = 50
const BILL_DAYS = 92
const DAY_MS = 24 * 60 * 60 * 1000

type TradeType = 'NATIVE' | 'JSAPI' | 'MWEB'
const LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz23456789'

const fail = (what: string): Refusal => new Refusal(400, 'PARAM_ERROR', `参数错误：${what}`)

const text = (value: unknown, what: string, rule: RegExp): string => {
  if (typeof value !== 'string' || !rule.test(value)) throw fail(what)
  return value
}
const optional = <T>(value: unknown, read: (value: unknown) => T): T | undefined =>
  value === undefined || value === null ? undefined : read(value)
const amount = (value: unknown, what: string): number => {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 1) throw fail(what)
  return value
}
const object = (value: unknown, what: string): Record<string, unknown> => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw fail(what)
  return value as Record<string, unknown>
}
const parse = (body: string): Record<string, unknown> => {
  try {
    return object(JSON.parse(body), 'body')
  } catch {
    throw fail('body')
  }
}

/** 6 to 32 of digits, letters and `_-|*`. */
const ORDER_NO = /^[0-9A-Za-z_\-|*]{6,32}$/
const REFUND_NO = /^[0-9A-Za-z_\-|*@]{1,64}$/
/** What is shown to payers: one line without control characters, no pictures, nothing that takes four bytes in UTF-8. */
const shown = (most: number): RegExp => new RegExp(`^[^\\p{Cc}\\p{Cs}\\p{Emoji_Presentation}\\u{10000}-\\u{10ffff}]{1,${most}}$`, 'u')
/** No query and no fragment. The real provider wants https; here plain http serves the demo on the same machine. */
const NOTIFY_URL = /^https?:\/\/[^?#\s]{1,240}$/
const RFC3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:Z|[+-]\d{2}:\d{2})$/

export interface Api {
  handle(method: string, path: string, call: Call): Promise<Answer>
}

export const createApi = (parts: {
  readonly book: Book
  readonly clock: Clock
  readonly keys: EmulatorKeys
  readonly faults: EmulatorFaults
}): Api => {
  const { book, clock, keys, faults } = parts
  const files = new Map<string, { readonly mchid: string; readonly gzip: Buffer; readonly until: number }>()

  const getOrder = (call: Call, orderNo: string): EmulatorOrder => {
    const order = book.order(call.merchant.mchid, orderNo)
    if (order === undefined) throw new Refusal(404, 'ORDER_NOT_EXIST', '订单不存在')
    return order
  }
  const checkMerchant = (call: Call, mchid: unknown): void => {
    if (mchid !== call.merchant.mchid) throw fail('mchid')
  }

  /** What the payer's device is handed: a code to scan, an id for WeChat's browser, an address. */
  const handOut = {
    NATIVE: () => `weixin://wxpay/bizpayurl?pr=${randomText(9, LETTERS)}`,
    JSAPI: () => `wx${randomDigits(32)}`,
    MWEB: () => `https://wx.tenpay.com/cgi-bin/mmpayweb-bin/checkmweb?prepay_id=wx${randomDigits(32)}&package=${randomDigits(10)}`,
  } as const
  const names = { NATIVE: 'code_url', JSAPI: 'prepay_id', MWEB: 'h5_url' } as const
  const payerOf = (call: Call, body: Record<string, unknown>, tradeType: TradeType): { readonly payerOpenid?: string } => {
    if (tradeType === 'MWEB') {
      const scene = object(body.scene_info, 'scene_info')
      text(scene.payer_client_ip, 'scene_info.payer_client_ip', /^[0-9a-f.:]{2,45}$/i)
      text(object(scene.h5_info, 'scene_info.h5_info').type, 'scene_info.h5_info.type', /^(iOS|Android|Wap)$/)
    }
    if (tradeType !== 'JSAPI') return {}
    const payerOpenid = text(object(body.payer, 'payer').openid, 'payer.openid', /^[\w-]{1,128}$/)
    if (!payerOpenid.startsWith(openidStart(call.merchant.appid))) throw new Refusal(400, 'PARAM_ERROR', 'appid和openid不匹配')
    return { payerOpenid }
  }

  const create = async (call: Call, tradeType: TradeType): Promise<Answer> => {
    const body = parse(call.body)
    checkMerchant(call, body.mchid)
    if (body.appid !== call.merchant.appid) throw new Refusal(400, 'APPID_MCHID_NOT_MATCH', 'AppID和mch_id不匹配')
    const money = object(body.amount, 'amount')
    if (money.currency !== undefined && money.currency !== 'CNY') throw fail('amount.currency')
    const now = clock.now()
    const expireText = optional(body.time_expire, value => text(value, 'time_expire', RFC3339))
    const expiresAt = expireText === undefined ? new Date(now.getTime() + CODE_LIFE_MS) : new Date(expireText)
    const wanted = {
      mchid: call.merchant.mchid,
      appid: call.merchant.appid,
      signWith: call.signWith,
      orderNo: text(body.out_trade_no, 'out_trade_no', ORDER_NO),
      description: text(body.description, 'description', shown(127)),
      attach: optional(body.attach, value => text(value, 'attach', shown(128))) ?? '',
      notifyUrl: text(body.notify_url, 'notify_url', NOTIFY_URL),
      totalFen: amount(money.total, 'amount.total'),
      expiresAt: expiresAt.toISOString(),
      tradeType,
      ...payerOf(call, body, tradeType),
    }
    const known = book.order(wanted.mchid, wanted.orderNo)
    if (known !== undefined) return { status: 200, json: { [names[tradeType]]: repeatOf(known, wanted) } }
    if (Number.isNaN(expiresAt.getTime()) || expiresAt <= now) throw fail('time_expire')
    const codeUrl = handOut[tradeType]()
    await book.put({ kind: 'order', value: { ...wanted, codeUrl, createdAt: now.toISOString(), state: 'NOTPAY' } })
    return { status: 200, json: { [names[tradeType]]: codeUrl } }
  }

  const close = async (call: Call, orderNo: string): Promise<Answer> => {
    checkMerchant(call, parse(call.body).mchid)
    const order = getOrder(call, orderNo)
    if (order.state === 'SUCCESS') throw new Refusal(400, 'ORDERPAID', '订单已支付')
    if (order.state === 'CLOSED') throw new Refusal(400, 'ORDER_CLOSED', '订单已关闭')
    await book.put({ kind: 'order', value: { ...order, state: 'CLOSED' } })
    return { status: 204 }
  }

  const refund = async (call: Call): Promise<Answer> => {
    const body = parse(call.body)
    const money = object(body.amount, 'amount')
    if (money.currency !== 'CNY') throw fail('amount.currency')
    const order = getOrder(call, text(body.out_trade_no, 'out_trade_no', ORDER_NO))
    const wanted = {
      refundNo: text(body.out_refund_no, 'out_refund_no', REFUND_NO),
      refundFen: amount(money.refund, 'amount.refund'),
      reason: optional(body.reason, value => (value === '' ? '' : text(value, 'reason', shown(80)))) ?? '',
      notifyUrl: optional(body.notify_url, value => text(value, 'notify_url', NOTIFY_URL)) ?? '',
    }
    if (amount(money.total, 'amount.total') !== order.totalFen) throw new Refusal(400, 'INVALID_REQUEST', '订单金额与之前请求不一致')
    const known = book.refund(order.mchid, wanted.refundNo)
    if (known !== undefined && (known.orderNo !== order.orderNo || known.refundFen !== wanted.refundFen))
      throw new Refusal(400, 'INVALID_REQUEST', '退款金额与之前请求不一致')
    if (known !== undefined) return { status: 200, json: refundView(order, known) }
    const now = clock.now()
    checkRefundable(order, book.refundsOf(order), wanted.refundFen, now)
    const value: EmulatorRefund = {
      ...wanted,
      mchid: order.mchid,
      orderNo: order.orderNo,
      refundId: `503${randomDigits(25)}`,
      createdAt: now.toISOString(),
      status: 'PROCESSING',
      outcome: faults.refund,
      settlesAt: new Date(now.getTime() + faults.refundMs).toISOString(),
    }
    await book.put({ kind: 'refund', value })
    return { status: 200, json: refundView(order, value) }
  }

  const findRefund = (call: Call, refundNo: string): Answer => {
    const found = book.refund(call.merchant.mchid, refundNo)
    if (found === undefined) throw new Refusal(404, 'RESOURCE_NOT_EXISTS', '退款单不存在')
    return { status: 200, json: refundView(getOrder(call, found.orderNo), found) }
  }

  const bill = (call: Call, kind: 'trade' | 'fund'): Answer => {
    const now = clock.now()
    const date = text(call.query.get('bill_date'), 'bill_date', /^\d{4}-\d{2}-\d{2}$/)
    const from = new Date(`${date}T00:00:00+08:00`)
    if (Number.isNaN(from.getTime()) || shanghaiDate(now) <= date) throw fail('bill_date')
    if (now.getTime() - from.getTime() > BILL_DAYS * DAY_MS) throw fail('bill_date')
    if (now.getTime() < from.getTime() + DAY_MS + 10 * 60 * 60 * 1000) throw new Refusal(400, 'STATEMENT_CREATING', '账单文件正在生成中')
    if (call.query.get('tar_type') !== 'GZIP') throw fail('tar_type')
    if (kind === 'trade' && (call.query.get('bill_type') ?? 'ALL') !== 'ALL') throw fail('bill_type')
    if (kind === 'fund' && (call.query.get('account_type') ?? 'BASIC') !== 'BASIC') throw fail('account_type')
    const written = (kind === 'trade' ? writeTradeBill : writeFundBill)(book, call.merchant.mchid, date)
    const content = faults.bill ? faults.bill({ kind, date, text: written }) : written
    if (content === undefined) throw new Refusal(400, 'NO_STATEMENT_EXIST', '账单文件不存在')
    const token = randomBytes(32).toString('hex')
    for (const [known, file] of files) if (file.until <= now.getTime()) files.delete(known)
    files.set(token, { mchid: call.merchant.mchid, gzip: gzipSync(content), until: now.getTime() + DOWNLOAD_LIFE_MS })
    const hash = createHash('sha1')
      .update(faults.billDigest === 'wrong' ? `${content} ` : content)
      .digest('hex')
    return {
      status: 200,
      json: { hash_type: 'SHA1', hash_value: hash, download_url: `${call.origin}/v3/billdownload/file?token=${token}` },
    }
  }

  const download = (call: Call): Answer => {
    const file = files.get(call.query.get('token') ?? '')
    const isOpen = file !== undefined && file.mchid === call.merchant.mchid && clock.now().getTime() < file.until
    if (!isOpen) throw new Refusal(400, 'INVALID_REQUEST', '下载地址已失效')
    return { status: 200, file: file.gzip }
  }

  const certificates = (call: Call): Answer => {
    const { platform } = keys
    const { algorithm, nonce, ciphertext, associated_data } = seal(platform.certificatePem, 'certificate', call.merchant.apiV3Key)
    const dates = { effective_time: rfc3339(new Date(platform.certificateFrom)), expire_time: rfc3339(new Date(platform.certificateTo)) }
    const encrypted = { algorithm, nonce, associated_data, ciphertext }
    return { status: 200, json: { data: [{ serial_no: platform.certificateSerial, ...dates, encrypt_certificate: encrypted }] } }
  }

  const route = async (method: string, path: string, call: Call): Promise<Answer> => {
    const at = `${method} ${path}`
    const order = /^\/v3\/pay\/transactions\/out-trade-no\/([^/]+)(\/close)?$/.exec(path)
    const orderNo = decodeURIComponent(order?.[1] ?? '')
    if (at === 'POST /v3/pay/transactions/native') return create(call, 'NATIVE')
    if (at === 'POST /v3/pay/transactions/jsapi') return create(call, 'JSAPI')
    if (at === 'POST /v3/pay/transactions/h5') return create(call, 'MWEB')
    if (order !== null && method === 'POST' && order[2] !== undefined) return close(call, orderNo)
    if (order !== null && method === 'GET' && order[2] === undefined) {
      checkMerchant(call, call.query.get('mchid'))
      return { status: 200, json: transactionView(book, getOrder(call, orderNo)) }
    }
    if (at === 'POST /v3/refund/domestic/refunds') return refund(call)
    const refundNo = /^\/v3\/refund\/domestic\/refunds\/([^/]+)$/.exec(path)?.[1]
    if (method === 'GET' && refundNo !== undefined) return findRefund(call, decodeURIComponent(refundNo))
    if (at === 'GET /v3/bill/tradebill') return bill(call, 'trade')
    if (at === 'GET /v3/bill/fundflowbill') return bill(call, 'fund')
    if (at === 'GET /v3/billdownload/file') return download(call)
    if (at === 'GET /v3/certificates') return certificates(call)
    throw new Refusal(404, 'RESOURCE_NOT_EXISTS', '请求的资源不存在')
  }

  return {
    async handle(method, path, call) {
      try {
        return await route(method, path, call)
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        return { status: error.status, json: { code: error.code, message: error.message } }
      }
    },
  }
}

/** The same number may come again only with the same facts; then it is the same order. */
const repeatOf = (
  known: EmulatorOrder,
  wanted: Pick<EmulatorOrder, 'totalFen' | 'description' | 'notifyUrl' | 'attach' | 'tradeType' | 'payerOpenid'>,
): string => {
  if (known.state === 'SUCCESS') throw new Refusal(400, 'ORDERPAID', '订单已支付')
  if (known.state === 'CLOSED') throw new Refusal(400, 'ORDER_CLOSED', '订单已关闭')
  const same = (['totalFen', 'description', 'notifyUrl', 'attach', 'tradeType', 'payerOpenid'] as const).every(
    key => known[key] === wanted[key],
  )
  if (!same) throw new Refusal(403, 'OUT_TRADE_NO_USED', '商户订单号重复')
  return known.codeUrl
}

/** Refuses a refund that the provider would not make. */
export const checkRefundable = (order: EmulatorOrder, refunds: readonly EmulatorRefund[], refundFen: number, now: Date): void => {
  if (order.successAt === undefined) throw new Refusal(400, 'INVALID_REQUEST', '订单未支付')
  if (now.getTime() - new Date(order.successAt).getTime() > REFUND_LIFE_MS)
    throw new Refusal(400, 'INVALID_REQUEST', '订单已超过可退款的最大期限')
  const open = refunds.filter(refund => refund.status !== 'CLOSED')
  if (open.length >= MAX_REFUNDS) throw new Refusal(400, 'INVALID_REQUEST', '退款次数已达上限')
  if (open.reduce((sum, refund) => sum + refund.refundFen, refundFen) > order.totalFen)
    throw new Refusal(400, 'INVALID_REQUEST', '退款金额大于可退金额')
  const tooSoon = open.some(refund => now.getTime() - new Date(refund.createdAt).getTime() < REFUND_PAUSE_MS)
  if (tooSoon) throw new Refusal(429, 'FREQUENCY_LIMITED', '同一笔订单多次退款请间隔一分钟')
}
