import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Clock } from '#kernel/clock.ts'
import { randomDigits, randomText } from '#kernel/random.ts'
import { checkRefundable, createApi } from './api.ts'
import { type Book, openBook } from './book.ts'
import { type CallFault, type EmulatorFaults, noFaults } from './faults.ts'
import type { EmulatorKeys } from './keys.ts'
import { createNotices, type NoticeRequest, type SendNotice } from './notices.ts'
import { type BridgeCall, createPeople } from './people.ts'
import type { EmulatorNotice, EmulatorOrder, EmulatorRefund } from './records.ts'
import type { EmulatorStorage } from './storage.ts'
import { authenticate, type SignWith, signHeaders } from './wire.ts'

/** When work is done that nobody waits for. Tests pass one that does nothing and call `runDue` themselves. */
export interface EmulatorScheduler {
  soon(work: () => Promise<unknown>): void
  /** @returns stops it */
  every(pauseMs: number, work: () => Promise<unknown>): () => void
}

/** @param report - hears of work that failed, such as a full disk; the work is tried again with the next tick */
export const createTimerScheduler = (report: (error: unknown) => void): EmulatorScheduler => ({
  soon: work => void setImmediate(() => void work().catch(report)),
  every(pauseMs, work) {
    const timer = setInterval(() => void work().catch(report), pauseMs)
    timer.unref()
    return () => clearInterval(timer)
  },
})

export type EmulatorRequest = {
  readonly method: string
  /** Path and query. */
  readonly url: string
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly body: string
}
export type EmulatorAnswer = { readonly status: number; readonly headers: Readonly<Record<string, string>>; readonly body: Buffer }

/** What the page that stands for a phone shows. `expired` is an open order whose time is over. */
export type PersonView = {
  readonly orderNo: string
  readonly mchid: string
  readonly description: string
  readonly amountFen: number
  readonly state: 'waiting' | 'paid' | 'closed' | 'expired'
  readonly expiresAt: Date
  readonly paidAt?: Date
  readonly transactionId?: string
}
export type PersonPayment =
  | { readonly ok: true; readonly order: PersonView }
  | { readonly ok: false; readonly problem: 'unknown' | 'paid' | 'closed' | 'expired' | 'notScanned' | 'notSigned' }

export interface WxpayEmulator {
  /** One call of a merchant; undefined when the answer is lost on the way. */
  handle(request: EmulatorRequest): Promise<EmulatorAnswer | undefined>
  /** @param port - 0 for any free one; always on 127.0.0.1 */
  /** @param beside - answers calls of another house first; undefined where they are none */
  listen(port: number, door?: Door, beside?: Beside): Promise<{ readonly url: string; close(): Promise<void> }>
  orderByCodeUrl(codeUrl: string): PersonView | undefined
  /** @param how - codes are for the camera of another device: from the album or by a long press they are refused */
  payAsPerson(codeUrl: string, how?: 'scan' | 'album' | 'longPress'): Promise<PersonPayment>
  /** WeChat's browser is handed a prepay id that the merchant has signed for; its user presses pay. */
  payInWechat(request: BridgeCall): Promise<PersonPayment>
  /** WeChat's question who its user is. @returns where the user comes back to, with a code; undefined where the request is none of a known account */
  authorize(request: { readonly appid: string; readonly redirect: string; readonly state: string }): string | undefined
  /** Sends the notices and finishes the refunds that are due. @returns how many notices were tried */
  runDue(): Promise<number>
  /** What the tests may bend. */
  readonly faults: EmulatorFaults
  resetFaults(): void
  /** Money that arrives although the order is closed or over, as when a close and a payment cross. */
  forcePayment(mchid: string, orderNo: string, successAt?: Date): Promise<void>
  /**
   * A refund that the merchant makes in the provider's own console, under a number that the console gives.
   *
   * @param notifyUrl - where the console is set to tell of it; without one nobody is told
   */
  refundInConsole(mchid: string, orderNo: string, refundFen?: number, notifyUrl?: string): Promise<EmulatorRefund>
  /** Notices about an order or refund, with their attempts. */
  noticesAbout(subject: string): readonly EmulatorNotice[]
  /** The bytes of a notice as they would be sent now. */
  composeNotice(notice: EmulatorNotice): NoticeRequest
}

/** What another process of the same demo asks for beside the provider's own calls; the answer travels as JSON. */
export type Beside = (request: EmulatorRequest) => Promise<EmulatorAnswer> | undefined
export type Door = (path: string, argument: string) => Promise<unknown>
const doorPath = '/kaopu/'
const isDoor = (request: EmulatorRequest): boolean => request.method === 'POST' && request.url.startsWith(doorPath)
const throughDoor = async (request: EmulatorRequest, door: Door | undefined): Promise<EmulatorAnswer> => {
  const value = await door?.(request.url.slice(doorPath.length), request.body)
  return { status: 200, headers: { 'content-type': 'application/json' }, body: Buffer.from(JSON.stringify({ value: value ?? null })) }
}

/** A code is paid within two hours or never. */
const CODE_LIFE_MS = 2 * 60 * 60 * 1000
const TICK_MS = 1_000
const MAX_BODY_BYTES = 64 * 1024

const stateFor = (order: EmulatorOrder, now: Date): PersonView['state'] => {
  if (order.state === 'SUCCESS') return 'paid'
  if (order.state === 'CLOSED') return 'closed'
  const end = Math.min(new Date(order.expiresAt).getTime(), new Date(order.createdAt).getTime() + CODE_LIFE_MS)
  return now.getTime() < end ? 'waiting' : 'expired'
}

const personView = (order: EmulatorOrder, now: Date): PersonView => ({
  orderNo: order.orderNo,
  mchid: order.mchid,
  description: order.description,
  amountFen: order.totalFen,
  state: stateFor(order, now),
  expiresAt: new Date(order.expiresAt),
  ...(order.successAt === undefined ? {} : { paidAt: new Date(order.successAt) }),
  ...(order.transactionId === undefined ? {} : { transactionId: order.transactionId }),
})

/**
 * A local stand-in for WeChat Pay that speaks its wire: verifies our signatures, signs its answers, seals and repeats its
 * notices, keeps bills. It shares the product's clock, which the demo can move.
 *
 * @param send - delivers notices to the product; the outbound function in production-like runs
 */
export const createWxpayEmulator = async (parts: {
  readonly clock: Clock
  readonly storage: EmulatorStorage
  readonly keys: EmulatorKeys
  readonly scheduler: EmulatorScheduler
  readonly send: SendNotice
}): Promise<WxpayEmulator> => {
  const { clock, keys, scheduler } = parts
  const book = await openBook(parts.storage)
  const faults = noFaults()
  const api = createApi({ book, clock, keys, faults })
  const notices = createNotices({ book, clock, keys, faults, send: parts.send })

  const markPaid = async (order: EmulatorOrder, successAt: Date): Promise<EmulatorOrder> => {
    const paid: EmulatorOrder = {
      ...order,
      state: 'SUCCESS',
      successAt: successAt.toISOString(),
      transactionId: `4200${randomDigits(24)}`,
      openid: order.payerOpenid ?? `o${randomText(27, 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz23456789')}`,
    }
    await book.put({ kind: 'order', value: paid })
    await notices.payment(paid)
    scheduler.soon(runDue)
    return paid
  }

  const settleRefunds = async (): Promise<void> => {
    const now = clock.now()
    for (const refund of book.processingRefunds) {
      // Calls overlap: what another one has settled while this one was writing is left alone.
      const isOpen = book.refund(refund.mchid, refund.refundNo)?.status === 'PROCESSING'
      if (!isOpen || refund.settlesAt > now.toISOString()) continue
      const order = book.order(refund.mchid, refund.orderNo)
      if (order === undefined) continue
      const settled = { ...refund, status: refund.outcome, ...(refund.outcome === 'SUCCESS' ? { successAt: refund.settlesAt } : {}) }
      await book.put({ kind: 'refund', value: settled })
      if (refund.notifyUrl !== '') await notices.refund(order, settled)
    }
  }

  const runDue = async (): Promise<number> => {
    await settleRefunds()
    return notices.runDue()
  }

  // A crash between the payment and its notice must not swallow the notice.
  for (const order of book.orders)
    if (order.state === 'SUCCESS' && book.noticesAbout(order.orderNo).length === 0) await notices.payment(order)

  const answer = (status: number, json: unknown, signWith?: SignWith, fault?: CallFault): EmulatorAnswer => {
    const body = json === undefined ? '' : JSON.stringify(json)
    const signatureFault = fault === 'busy' || fault === 'lostAnswer' ? undefined : fault
    const signature = signWith === undefined ? {} : signHeaders(keys, { body, at: clock.now(), signWith, fault: signatureFault })
    return { status, headers: { 'content-type': 'application/json; charset=utf-8', ...signature }, body: Buffer.from(body) }
  }

  const handle = async (request: EmulatorRequest): Promise<EmulatorAnswer | undefined> => {
    // Another house of WeChat's: its calls carry the secret of the account instead of a signature.
    const asked = new URL(request.url, 'http://127.0.0.1')
    if (request.method === 'GET' && asked.pathname === '/sns/oauth2/access_token') return answer(200, people.exchange(asked.searchParams))
    const header = (name: string): string | undefined => {
      const value = request.headers[name]
      return typeof value === 'string' ? value : undefined
    }
    const merchant = authenticate(keys, {
      method: request.method,
      url: request.url,
      body: request.body,
      at: clock.now(),
      authorization: header('authorization'),
    })
    if (merchant === undefined) return answer(401, { code: 'SIGN_ERROR', message: '签名错误，请检查后再试' })
    const fault = faults.calls.shift()
    const signWith = header('wechatpay-serial')?.startsWith('PUB_KEY_ID_') === true ? 'publicKey' : 'certificate'
    if (fault === 'busy') return answer(500, { code: 'SYSTEM_ERROR', message: '系统异常，请稍后重试' }, signWith)
    await settleRefunds()
    const url = new URL(request.url, `http://${header('host') ?? '127.0.0.1'}`)
    const call = { merchant, origin: url.origin, query: url.searchParams, body: request.body, signWith } as const
    const result = await api.handle(request.method, url.pathname, call)
    if (fault === 'lostAnswer') return undefined
    if (result.file !== undefined) return { status: result.status, headers: { 'content-type': 'application/x-gzip' }, body: result.file }
    return answer(result.status, result.json, signWith, fault)
  }

  const orderByCodeUrl: WxpayEmulator['orderByCodeUrl'] = codeUrl => mapOrder(book, codeUrl, order => personView(order, clock.now()))
  const people = createPeople({ clock, keys })
  const payInWechat: WxpayEmulator['payInWechat'] = async request =>
    people.isSigned(request) ? payAsPerson(request.package.replace(/^prepay_id=/, '')) : { ok: false, problem: 'notSigned' }
  const payAsPerson: WxpayEmulator['payAsPerson'] = async (codeUrl, how = 'scan') => {
    const now = clock.now()
    const order = book.orderByCodeUrl(codeUrl)
    if (order === undefined) return { ok: false, problem: 'unknown' }
    if (how !== 'scan' && (order.tradeType ?? 'NATIVE') === 'NATIVE') return { ok: false, problem: 'notScanned' }
    const state = stateFor(order, now)
    if (state !== 'waiting') return { ok: false, problem: state }
    return { ok: true, order: personView(await markPaid(order, now), now) }
  }
  return {
    handle,
    listen: (port, door, beside) =>
      listen(
        port,
        async request => (isDoor(request) ? throughDoor(request, door) : (beside?.(request) ?? handle(request))),
        () => scheduler.every(TICK_MS, runDue),
      ),
    orderByCodeUrl,
    payAsPerson,
    payInWechat,
    authorize: request => people.authorize(request),
    runDue,
    faults,
    resetFaults: () => void Object.assign(faults, noFaults()),
    async forcePayment(mchid, orderNo, successAt) {
      const order = book.order(mchid, orderNo)
      if (order === undefined || order.state === 'SUCCESS') throw new Error(`order ${orderNo} is unknown or paid`)
      await markPaid(order, successAt ?? clock.now())
    },
    async refundInConsole(mchid, orderNo, refundFen, notifyUrl = '') {
      const order = book.order(mchid, orderNo)
      if (order?.successAt === undefined) throw new Error(`order ${orderNo} is unknown or not paid`)
      const now = clock.now()
      const wantedFen = refundFen ?? order.totalFen
      checkRefundable(order, book.refundsOf(order), wantedFen, now)
      const number = randomDigits(28)
      const value: EmulatorRefund = {
        mchid,
        orderNo,
        refundNo: `BD${number}`,
        refundId: `503${randomDigits(25)}`,
        refundFen: wantedFen,
        reason: '',
        notifyUrl,
        createdAt: now.toISOString(),
        status: 'PROCESSING',
        outcome: faults.refund,
        settlesAt: new Date(now.getTime() + faults.refundMs).toISOString(),
      }
      await book.put({ kind: 'refund', value })
      return value
    },
    noticesAbout: subject => book.noticesAbout(subject),
    composeNotice: notice => notices.compose(notice),
  }
}

const mapOrder = <T>(book: Book, codeUrl: string, view: (order: EmulatorOrder) => T): T | undefined => {
  const order = book.orderByCodeUrl(codeUrl)
  return order === undefined ? undefined : view(order)
}

const readBody = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = []
  let sizeBytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    sizeBytes += chunk.length
    if (sizeBytes > MAX_BODY_BYTES) throw new Error('body too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

const listen = (port: number, handle: WxpayEmulator['handle'], start: () => () => void): ReturnType<WxpayEmulator['listen']> => {
  const serve = async (request: IncomingMessage): Promise<EmulatorAnswer | undefined> =>
    handle({ method: request.method ?? 'GET', url: request.url ?? '/', headers: request.headers, body: await readBody(request) })
  const server = createServer((request, response) => {
    serve(request).then(
      answer => {
        if (answer === undefined) request.socket.destroy()
        else response.writeHead(answer.status, answer.headers).end(answer.body)
      },
      () => request.socket.destroy(),
    )
  })
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => {
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
      const stop = start()
      const close = (): Promise<void> => {
        stop()
        return new Promise(done => {
          server.close(() => done())
          server.closeAllConnections()
        })
      }
      resolve({ url, close })
    })
  })
}
