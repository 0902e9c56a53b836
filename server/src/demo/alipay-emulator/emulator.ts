import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fromWireTime, toWireTime } from '#contract/kernel/when.ts'
import { formatFen, yuanToFen } from '#contract/pay/fee.ts'
import type { Clock } from '#kernel/clock.ts'
import { randomDigits, randomText } from '#kernel/random.ts'
import { type AlipaySettings, alipayWire } from '#modules/pay/index.ts'
import { keyPairOf } from '../key-pair.ts'
import type { EmulatorAnswer, EmulatorRequest, EmulatorScheduler, PersonPayment, PersonView } from '../wxpay-emulator/emulator.ts'
import type { EmulatorFaults } from '../wxpay-emulator/faults.ts'
import type { NoticeRequest } from '../wxpay-emulator/notices.ts'
import { packBill, writeFundBill, writeTradeBill } from './bill.ts'

const codeStart = 'https://qr.alipay.com/'
export const isAlipayCode = (codeUrl: string): boolean => codeUrl.startsWith(codeStart)

interface Merchant {
  readonly tenantId: string
  readonly appId: string
  readonly sellerId: string
  readonly privateKeyPem: string
  readonly publicKeyPem: string
}
interface Trade {
  readonly appId: string
  readonly orderNo: string
  readonly totalFen: number
  readonly subject: string
  readonly codeUrl: string
  readonly notifyUrl: string
  readonly expiresAt: string
  /** `code`: nobody has scanned it, so that Alipay knows no trade yet. */
  state: 'code' | 'cancelled' | 'TRADE_SUCCESS' | 'TRADE_CLOSED'
  tradeNo?: string
  paidAt?: string
  readonly refunds: { readonly requestNo: string; readonly fen: number; readonly at: string }[]
}
interface Notice {
  readonly url: string
  readonly body: string
  tries: number
  nextAt: number
}
interface Book {
  readonly keys: { readonly privateKeyPem: string; readonly publicKeyPem: string }
  readonly merchants: Merchant[]
  readonly trades: Trade[]
  readonly notices: Notice[]
}

export interface AlipayEmulator {
  /** One call of a merchant; undefined where it is not for Alipay. */
  readonly handle: (request: EmulatorRequest) => Promise<EmulatorAnswer> | undefined
  readonly accountOf: (tenantId: string) => AlipaySettings
  readonly orderByCode: (codeUrl: string) => PersonView | undefined
  readonly payAsPerson: (codeUrl: string) => Promise<PersonPayment>
  /** Sends the notices that are due. @returns how many were tried */
  readonly runDue: () => Promise<number>
  /** The next notices about an order are signed over what this makes of them; `forged` signs with a stranger's key. */
  readonly noticeAbout: (orderNo: string, change?: Readonly<Record<string, string>>, how?: 'signed' | 'forged') => NoticeRequest
  /** What the tests may bend: bills before they are packed. */
  readonly faults: Pick<EmulatorFaults, 'bill'>
  /** A refund that the merchant makes in the console of Alipay, under a number that the console gives. */
  readonly refundInConsole: (orderNo: string) => void
  readonly close: () => void
  readonly refundsOf: (orderNo: string) => readonly { readonly requestNo: string; readonly fen: number }[]
}

const minute = 60_000
/** Pauses after the first, second, … notice that was not answered with `success`. @see https://opendocs.alipay.com/open/194/103296 */
const pauses = [4, 10, 10, 60, 120, 360, 900].map(minutes => minutes * minute)
const tickMs = 1_000
const form = { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' }

const readBook = (file: string | undefined): Book | undefined => {
  try {
    return file === undefined ? undefined : (JSON.parse(readFileSync(file, 'utf8')) as Book)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

type Reply = Readonly<Record<string, unknown>>
const done = (more: Reply): Reply => ({ code: '10000', msg: 'Success', ...more })
const failed = (subCode: string, subMsg: string): Reply => ({ code: '40004', msg: 'Business Failed', sub_code: subCode, sub_msg: subMsg })
const unknownTrade = failed('ACQ.TRADE_NOT_EXIST', '交易不存在')

/**
 * A local stand-in for Alipay's orders by code that speaks its wire: verifies our signatures, signs its answers and notices, and knows
 * a trade only from the moment its code is scanned.
 *
 * @param file - keeps the book over a restart; without one it lives in memory
 * @param send - delivers notices to the product
 */
export const createAlipayEmulator = async (parts: {
  readonly clock: Clock
  readonly file?: string
  readonly scheduler: EmulatorScheduler
  readonly send: (request: NoticeRequest) => Promise<{ readonly body: string }>
}): Promise<AlipayEmulator> => {
  const { clock, file, scheduler } = parts
  const book: Book = readBook(file) ?? { keys: keyPairOf('alipay'), merchants: [], trades: [], notices: [] }
  const save = (): void => {
    if (file === undefined) return
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(`${file}.new`, JSON.stringify(book), { mode: 0o600, flush: true })
    renameSync(`${file}.new`, file)
  }

  const accountOf: AlipayEmulator['accountOf'] = tenantId => {
    let merchant = book.merchants.find(one => one.tenantId === tenantId)
    if (merchant === undefined) {
      const keys = keyPairOf(`alipay merchant ${book.merchants.length}`)
      merchant = { tenantId, appId: `2021${randomDigits(12)}`, sellerId: `2088${randomDigits(12)}`, ...keys }
      book.merchants.push(merchant)
      save()
    }
    const { appId, sellerId, privateKeyPem } = merchant
    return { appId, sellerId, privateKeyPem, publicKeyPem: book.keys.publicKeyPem }
  }
  const sellerOf = (appId: string): string => book.merchants.find(one => one.appId === appId)?.sellerId ?? ''
  const tradeOf = (appId: string, orderNo: unknown): Trade | undefined =>
    book.trades.find(trade => trade.appId === appId && trade.orderNo === orderNo)
  const refunded = (trade: Trade): number => trade.refunds.reduce((sum, { fen }) => sum + fen, 0)

  const noticeFields = (trade: Trade): Record<string, string> => ({
    notify_time: toWireTime(clock.now()),
    notify_type: 'trade_status_sync',
    notify_id: `${randomDigits(30)}`,
    charset: 'utf-8',
    version: '1.0',
    sign_type: 'RSA2',
    app_id: trade.appId,
    seller_id: sellerOf(trade.appId),
    out_trade_no: trade.orderNo,
    trade_no: trade.tradeNo ?? '',
    trade_status: trade.state,
    subject: trade.subject,
    total_amount: formatFen(trade.totalFen),
    gmt_payment: trade.paidAt ?? '',
    buyer_id: `2088${trade.orderNo.slice(1, 13)}`,
    ...(trade.refunds.length === 0 ? {} : { gmt_refund: trade.refunds.at(-1)?.at ?? '', refund_fee: formatFen(refunded(trade)) }),
  })
  const compose = (fields: Readonly<Record<string, string>>, keyPem = book.keys.privateKeyPem): string =>
    alipayWire.signedNotice(fields, keyPem)
  const tell = (trade: Trade): void => {
    book.notices.push({ url: trade.notifyUrl, body: compose(noticeFields(trade)), tries: 0, nextAt: clock.now().getTime() })
    save()
    scheduler.soon(runDue)
  }
  const runDue = async (): Promise<number> => {
    const now = clock.now().getTime()
    const due = book.notices.filter(notice => notice.nextAt <= now && notice.tries <= pauses.length)
    for (const notice of due) {
      const answer = await parts.send({ url: notice.url, headers: form, body: notice.body }).catch(() => ({ body: '' }))
      const pause = pauses[notice.tries]
      notice.tries += 1
      if (answer.body === 'success' || pause === undefined) book.notices.splice(book.notices.indexOf(notice), 1)
      else notice.nextAt = now + pause
    }
    if (due.length > 0) save()
    return due.length
  }

  const precreate = (appId: string, content: Reply, notifyUrl: string): Reply => {
    const { out_trade_no: orderNo, total_amount: amount, subject, time_expire: until, seller_id: seller } = content
    const totalFen = typeof amount === 'string' ? yuanToFen(amount) : undefined
    if (typeof orderNo !== 'string' || typeof subject !== 'string' || totalFen === undefined || totalFen < 1)
      return failed('ACQ.INVALID_PARAMETER', '参数无效')
    if (typeof until !== 'string' || fromWireTime(until) === undefined || seller !== sellerOf(appId))
      return failed('ACQ.INVALID_PARAMETER', '参数无效')
    const known = tradeOf(appId, orderNo)
    if (known !== undefined && (known.totalFen !== totalFen || known.subject !== subject))
      return failed('ACQ.CONTEXT_INCONSISTENT', '交易信息被篡改')
    if (known?.state === 'TRADE_SUCCESS') return failed('ACQ.TRADE_HAS_SUCCESS', '交易已被支付')
    if (known !== undefined && known.state !== 'code') return failed('ACQ.TRADE_HAS_CLOSE', '交易已经关闭')
    const codeUrl = known?.codeUrl ?? `${codeStart}bax${randomText(20, 'abcdefghijklmnopqrstuvwxyz0123456789')}`
    if (known === undefined) {
      book.trades.push({ appId, orderNo, totalFen, subject, codeUrl, notifyUrl, expiresAt: until, state: 'code', refunds: [] })
      save()
    }
    return done({ out_trade_no: orderNo, qr_code: codeUrl })
  }
  const query = (trade: Trade | undefined): Reply =>
    trade?.tradeNo === undefined
      ? unknownTrade
      : done({
          out_trade_no: trade.orderNo,
          trade_no: trade.tradeNo,
          trade_status: trade.state,
          total_amount: formatFen(trade.totalFen),
          send_pay_date: trade.paidAt,
          buyer_user_id: `2088${trade.orderNo.slice(1, 13)}`,
        })
  const close = (trade: Trade | undefined): Reply => {
    if (trade?.tradeNo === undefined) return unknownTrade
    return failed('ACQ.TRADE_STATUS_ERROR', '交易状态不合法')
  }
  const cancel = (orderNo: unknown, trade: Trade | undefined): Reply => {
    if (trade === undefined || trade.state === 'cancelled') return done({ out_trade_no: orderNo, retry_flag: 'N' })
    if (trade.state === 'code') {
      trade.state = 'cancelled'
      save()
      return done({ out_trade_no: orderNo, retry_flag: 'N', action: 'close' })
    }
    const left = trade.totalFen - refunded(trade)
    if (left > 0) trade.refunds.push({ requestNo: trade.orderNo, fen: left, at: toWireTime(clock.now()) })
    trade.state = 'TRADE_CLOSED'
    save()
    return done({ out_trade_no: orderNo, trade_no: trade.tradeNo, retry_flag: 'N', action: 'refund' })
  }
  const refund = (content: Reply, trade: Trade | undefined): Reply => {
    const { out_request_no: requestNo, refund_amount: amount } = content
    const fen = typeof amount === 'string' ? yuanToFen(amount) : undefined
    if (trade?.tradeNo === undefined) return unknownTrade
    if (typeof requestNo !== 'string' || fen === undefined || fen < 1) return failed('ACQ.INVALID_PARAMETER', '参数无效')
    const made = trade.refunds.find(one => one.requestNo === requestNo)
    if (made !== undefined && made.fen !== fen) return failed('ACQ.REFUND_AMT_NOT_EQUAL_TOTAL', '退款金额不一致')
    if (made === undefined) {
      if (refunded(trade) + fen > trade.totalFen) return failed('ACQ.REFUND_AMT_NOT_EQUAL_TOTAL', '退款金额超限')
      trade.refunds.push({ requestNo, fen, at: toWireTime(clock.now()) })
      if (refunded(trade) === trade.totalFen) trade.state = 'TRADE_CLOSED'
      tell(trade)
    }
    return done({
      out_trade_no: trade.orderNo,
      trade_no: trade.tradeNo,
      refund_fee: formatFen(refunded(trade)),
      fund_change: made === undefined ? 'Y' : 'N',
    })
  }
  const queryRefund = (content: Reply, trade: Trade | undefined): Reply => {
    if (trade?.tradeNo === undefined) return unknownTrade
    const made = trade.refunds.find(one => one.requestNo === content['out_request_no'])
    if (made === undefined) return done({})
    return done({
      out_trade_no: trade.orderNo,
      trade_no: trade.tradeNo,
      out_request_no: made.requestNo,
      refund_status: 'REFUND_SUCCESS',
      refund_amount: formatFen(made.fen),
      total_amount: formatFen(trade.totalFen),
      gmt_refund_pay: made.at,
    })
  }

  const faults: AlipayEmulator['faults'] = { bill: undefined }
  const files = new Map<string, { readonly bytes: Promise<Buffer>; readonly until: number }>()
  const bill = ({ bill_type: type, bill_date: date }: Reply, { appId, sellerId }: Merchant, host: string): Reply => {
    const kind = type === 'trade' ? 'trade' : type === 'signcustomer' ? 'fund' : undefined
    if (kind === undefined || typeof date !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(date))
      return { code: '40004', msg: 'Business Failed', sub_code: 'isp.invalid-arguments', sub_msg: '参数不正确' }
    const own = book.trades.filter(trade => trade.appId === appId)
    const written = (kind === 'trade' ? writeTradeBill : writeFundBill)(own, sellerId, date)
    const text = faults.bill ? faults.bill({ kind, date, text: written }) : written
    const now = clock.now().getTime()
    // Ready at nine in the morning.
    const readyAt = new Date(`${date}T00:00:00+08:00`).getTime() + 33 * 60 * minute
    if (text === undefined || now < readyAt) return failed('isp.bill_not_exist', '账单不存在')
    const fileId = randomText(32, 'abcdefghijklmnopqrstuvwxyz0123456789')
    files.set(fileId, { bytes: packBill(kind, sellerId, date, text), until: now + 30_000 })
    return done({
      bill_download_url: `http://${host}/downloadBillFile.resource?bizType=${String(type)}&userId=${sellerId}&fileId=${fileId}`,
    })
  }
  const download = async (fileId: string): Promise<EmulatorAnswer> => {
    const file = files.get(fileId)
    if (file === undefined || file.until < clock.now().getTime()) return { status: 403, headers: {}, body: Buffer.from('expired') }
    return { status: 200, headers: { 'content-type': 'application/zip' }, body: await file.bytes }
  }

  const answerTo = (method: string, appId: string, content: Reply, notifyUrl: string): Reply => {
    const trade = tradeOf(appId, content['out_trade_no'])
    switch (method) {
      case 'alipay.trade.precreate':
        return precreate(appId, content, notifyUrl)
      case 'alipay.trade.query':
        return query(trade)
      case 'alipay.trade.close':
        return close(trade)
      case 'alipay.trade.cancel':
        return cancel(content['out_trade_no'], trade)
      case 'alipay.trade.refund':
        return refund(content, trade)
      case 'alipay.trade.fastpay.refund.query':
        return queryRefund(content, trade)
      default:
        return { code: '40002', msg: 'Invalid Arguments', sub_code: 'isv.invalid-method', sub_msg: '不存在的方法名' }
    }
  }
  const handle: AlipayEmulator['handle'] = request => {
    if (request.method === 'GET' && request.url.startsWith('/downloadBillFile.resource?'))
      return download(new URL(request.url, 'http://localhost').searchParams.get('fileId') ?? '')
    if (request.method !== 'POST' || request.url !== '/gateway.do') return undefined
    const fields = alipayWire.readForm(request.body) ?? {}
    const { method = '', app_id: appId = '', biz_content: content = '{}', notify_url: notifyUrl = '' } = fields
    const merchant = book.merchants.find(one => one.appId === appId)
    const isOurs = merchant !== undefined && alipayWire.isSignedCall(fields, merchant.publicKeyPem)
    const json = isOurs
      ? method === 'alipay.data.dataservice.bill.downloadurl.query'
        ? bill(JSON.parse(content) as Reply, merchant, String(request.headers['host'] ?? ''))
        : answerTo(method, appId, JSON.parse(content) as Reply, notifyUrl)
      : { code: '40002', msg: 'Invalid Arguments', sub_code: 'isv.invalid-signature', sub_msg: '验签出错' }
    const body = alipayWire.signedAnswer(alipayWire.nodeOf(method), json, book.keys.privateKeyPem)
    return Promise.resolve({ status: 200, headers: { 'content-type': 'text/html;charset=utf-8' }, body: Buffer.from(body) })
  }

  const stateOf = (trade: Trade): PersonView['state'] => {
    if (trade.state === 'cancelled') return 'closed'
    if (trade.state !== 'code') return 'paid'
    return trade.expiresAt <= toWireTime(clock.now()) ? 'expired' : 'waiting'
  }
  const viewOf = (trade: Trade): PersonView => ({
    orderNo: trade.orderNo,
    mchid: sellerOf(trade.appId),
    description: trade.subject,
    amountFen: trade.totalFen,
    state: stateOf(trade),
    expiresAt: fromWireTime(trade.expiresAt) ?? clock.now(),
    ...(trade.paidAt === undefined ? {} : { paidAt: fromWireTime(trade.paidAt) ?? clock.now() }),
    ...(trade.tradeNo === undefined ? {} : { transactionId: trade.tradeNo }),
  })
  const find = (codeUrl: string): Trade | undefined => book.trades.find(trade => trade.codeUrl === codeUrl)
  const stop = scheduler.every(tickMs, runDue)

  return {
    handle,
    accountOf,
    runDue,
    orderByCode: codeUrl => {
      const trade = find(codeUrl)
      return trade && viewOf(trade)
    },
    payAsPerson: async codeUrl => {
      const trade = find(codeUrl)
      if (trade === undefined) return { ok: false, problem: 'unknown' }
      const state = stateOf(trade)
      if (state !== 'waiting') return { ok: false, problem: state }
      Object.assign(trade, {
        state: 'TRADE_SUCCESS',
        tradeNo: `2026${randomDigits(24)}`,
        paidAt: toWireTime(clock.now()),
      } satisfies Partial<Trade>)
      tell(trade)
      return { ok: true, order: viewOf(trade) }
    },
    noticeAbout: (orderNo, change = {}, how = 'signed') => {
      const trade = book.trades.find(one => one.orderNo === orderNo)
      if (trade === undefined) throw new Error(`Alipay knows no order ${orderNo}`)
      const body = compose(
        { ...noticeFields(trade), ...change },
        how === 'forged' ? keyPairOf('a stranger').privateKeyPem : book.keys.privateKeyPem,
      )
      return { url: trade.notifyUrl, headers: form, body }
    },
    faults,
    refundInConsole: orderNo => {
      const trade = book.trades.find(one => one.orderNo === orderNo)
      if (trade === undefined || trade.state !== 'TRADE_SUCCESS') throw new Error(`order ${orderNo} is unknown or not paid`)
      trade.refunds.push({ requestNo: randomDigits(28), fen: trade.totalFen - refunded(trade), at: toWireTime(clock.now()) })
      trade.state = 'TRADE_CLOSED'
      save()
    },
    close: stop,
    refundsOf: orderNo => book.trades.find(one => one.orderNo === orderNo)?.refunds ?? [],
  }
}
