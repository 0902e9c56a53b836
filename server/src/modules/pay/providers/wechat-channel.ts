import { createHash, createPrivateKey } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import type { Clock } from '#kernel/clock.ts'
import { type Outbound, OutboundError, type OutboundFailure, type OutboundResponse } from '#kernel/outbound.ts'
import { randomBytes } from '#kernel/random.ts'
import type { WechatPayTrust } from '../domain/trust.ts'
import { isOutcomeUnknown, type PayAnswer, type PayProblem, type PayProblemKind } from './provider.ts'
import { createWechatPayKeys, type WechatPayKeys } from './wechat-keys.ts'
import { type JsonObject, readJsonObject, readObject, readText } from './wechat-read.ts'
import { authorize, isFresh, isProbe, isSignedBy, openResource, readSignatureHeaders } from './wechat-wire.ts'

/** One merchant's account, as the tenant's finance officer enters it. Keys and the API v3 key are kept encrypted. */
export type WechatPaySettings = {
  readonly mchid: string
  readonly appid: string
  /** Serial number of the merchant's API certificate. */
  readonly merchantSerial: string
  /** PKCS#8 or PKCS#1, RSA 2048. */
  readonly merchantPrivateKeyPem: string
  /** 32 bytes of ASCII, chosen in the merchant console. */
  readonly apiV3Key: string
  readonly trust: WechatPayTrust
  /** Of the public account, which says who pays inside WeChat. */
  readonly appSecret?: string | undefined
  /** The provider has opened H5 payments for this merchant. */
  readonly h5?: boolean
}

export const WECHAT_PAY_ORIGIN = 'https://api.mch.weixin.qq.com'

/** A day of 100,000 orders is about 40 MB of text; gzip makes it a tenth. */
const MAX_BILL_DOWNLOAD_BYTES = 64 * 1024 * 1024
const MAX_BILL_TEXT_BYTES = 256 * 1024 * 1024
const BILL_TIMEOUT_MS = 60_000

/** Codes that state something about the order. Spellings differ between the years of the documents. */
const STATEMENTS: Readonly<Record<string, PayProblemKind>> = {
  ORDERPAID: 'order-paid',
  ORDER_PAID: 'order-paid',
  ORDER_CLOSED: 'order-closed',
  ORDERCLOSED: 'order-closed',
  ORDER_NOT_EXIST: 'not-found',
  ORDERNOTEXIST: 'not-found',
  RESOURCE_NOT_EXISTS: 'not-found',
}
const BUSY_CODES = new Set([
  'SYSTEM_ERROR',
  'SYSTEMERROR',
  'FREQUENCY_LIMITED',
  'FREQUENCY_LIMIT_EXCEED',
  'RATELIMIT_EXCEEDED',
  'USER_PAYING',
  'USERPAYING',
  'STATEMENT_CREATING',
  'BANKERROR',
])

export type Reply = { readonly status: number; readonly body: JsonObject }

export const problem = (
  kind: PayProblemKind,
  detail: string,
  more: Partial<PayProblem> = {},
): { readonly ok: false; readonly problem: PayProblem } => ({
  ok: false,
  problem: { kind, detail, ...more },
})

/** An answer that is not taken says as little as one that is not signed. */
const KIND_OF_FAILURE: Readonly<Record<OutboundFailure, PayProblemKind>> = {
  refused: 'rejected',
  held: 'busy',
  unreachable: 'busy',
  timeout: 'timeout',
  broken: 'timeout',
  redirected: 'bad-signature',
  tooLarge: 'bad-signature',
}

export const problemOf = (error: unknown): { readonly ok: false; readonly problem: PayProblem } => {
  if (!(error instanceof OutboundError)) throw error
  return problem(KIND_OF_FAILURE[error.failure], error.message)
}

/** What cannot be read is an answer that is refused, not a fault of the program. */
export const tryRead = <T>(read: () => T): PayAnswer<T> => {
  try {
    return { ok: true, value: read() }
  } catch (error) {
    return problem('rejected', error instanceof Error ? error.message : 'malformed answer', { providerCode: 'MALFORMED' })
  }
}

export interface WechatPayOptions {
  readonly settings: WechatPaySettings
  /** The provider, or the local emulator that speaks the same wire. */
  readonly origin?: string
  readonly outbound: Outbound
  readonly clock: Clock
}

type Method = 'GET' | 'POST'
type Send = (method: Method, pathAndQuery: string, json?: JsonObject, limits?: object) => Promise<OutboundResponse>

/** A merchant's line to the provider: what is sent is signed, what comes back is believed when the provider has signed it. */
export interface WechatPayChannel {
  readonly keys: WechatPayKeys
  readonly call: (method: Method, pathAndQuery: string, json?: JsonObject) => Promise<PayAnswer<Reply>>
  /** Only for calls that the provider makes repeatable by their number. */
  readonly callTwice: (pathAndQuery: string, json: JsonObject) => Promise<PayAnswer<Reply>>
  /** The text of a bill; its digest came in a signed answer. */
  readonly downloadBill: (downloadUrl: string, sha1: string) => Promise<PayAnswer<string>>
}

const isGenuine = async (answer: OutboundResponse, ring: Pick<WechatPayKeys, 'find'>, now: Date): Promise<boolean> => {
  const signed = readSignatureHeaders(answer.headers)
  if (signed === undefined || !isFresh(signed.timestamp, now)) return false
  const key = await ring.find(signed.serial)
  return key !== undefined && isSignedBy(key, signed, answer.body)
}

/** Certificates prove themselves: each is sealed with the API v3 key, and one of them has signed the answer. */
const downloadCertificates = async (send: Send, { settings, clock }: WechatPayOptions): Promise<readonly string[] | undefined> => {
  try {
    const answer = await send('GET', '/v3/certificates')
    if (answer.status !== 200) return undefined
    const { data } = readJsonObject(answer.body.toString('utf8'))
    if (!Array.isArray(data)) return undefined
    const pems = data.map(entry => {
      const sealed = readObject(readObject(entry, 'certificate').encrypt_certificate, 'encrypt_certificate')
      const associatedData = typeof sealed.associated_data === 'string' ? sealed.associated_data : ''
      return openResource(
        { ciphertext: readText(sealed, 'ciphertext'), nonce: readText(sealed, 'nonce'), associatedData },
        settings.apiV3Key,
      )
    })
    const ring = createWechatPayKeys({ trust: { mode: 'certificate' }, clock, download: async () => pems })
    return (await isGenuine(answer, ring, clock.now())) ? pems : undefined
  } catch {
    return undefined
  }
}

/** What an answer means once it is known to be the provider's, or not. */
const readReply = (answer: OutboundResponse, genuine: boolean): PayAnswer<Reply> => {
  const httpStatus = answer.status
  // The provider signs nothing for a caller whose own signature it does not accept.
  if (!genuine && httpStatus === 401)
    return problem('rejected', 'our signature was not accepted', { httpStatus, providerCode: 'SIGN_ERROR' })
  if (!genuine) return problem('bad-signature', `status ${httpStatus}`, { httpStatus })
  const body = tryRead(() => (answer.body.length === 0 ? {} : readJsonObject(answer.body.toString('utf8'))))
  if (!body.ok) return body
  if (httpStatus === 200 || httpStatus === 204) return { ok: true, value: { status: httpStatus, body: body.value } }
  const providerCode = typeof body.value.code === 'string' ? body.value.code : 'UNKNOWN'
  const detail = typeof body.value.message === 'string' ? body.value.message : `status ${httpStatus}`
  const kind = BUSY_CODES.has(providerCode) ? 'busy' : (STATEMENTS[providerCode] ?? 'rejected')
  return problem(kind, detail, { httpStatus, providerCode })
}

export const createWechatPayChannel = (options: WechatPayOptions): WechatPayChannel => {
  const { settings, clock, outbound } = options
  const origin = options.origin ?? WECHAT_PAY_ORIGIN
  const privateKey = createPrivateKey(settings.merchantPrivateKeyPem)
  if (Buffer.byteLength(settings.apiV3Key) !== 32) throw new RangeError('the API v3 key must have 32 bytes')

  const send: Send = async (method, pathAndQuery, json, limits = {}) => {
    const body = json === undefined ? '' : JSON.stringify(json)
    const nonce = randomBytes(16).toString('hex')
    const authorization = authorize({
      method,
      pathAndQuery,
      body,
      nonce,
      at: clock.now(),
      mchid: settings.mchid,
      serial: settings.merchantSerial,
      privateKey,
    })
    const preferred = keys.preferredSerial === undefined ? {} : { 'wechatpay-serial': keys.preferredSerial }
    const content = json === undefined ? {} : { 'content-type': 'application/json' }
    const headers = { authorization, accept: 'application/json', 'user-agent': 'kaopu', ...content, ...preferred }
    return outbound({ method, url: `${origin}${pathAndQuery}`, headers, ...(json === undefined ? {} : { body }), ...limits })
  }

  const keys = createWechatPayKeys({ trust: settings.trust, clock, download: () => downloadCertificates(send, options) })

  const call: WechatPayChannel['call'] = async (method, pathAndQuery, json) => {
    let answer: OutboundResponse
    try {
      answer = await send(method, pathAndQuery, json)
      // The provider tries whether we believe a wrong signature; the same question again gets its answer.
      if (isProbe(readSignatureHeaders(answer.headers) ?? { signature: '' })) answer = await send(method, pathAndQuery, json)
    } catch (error) {
      return problemOf(error)
    }
    const { status } = answer
    if (status >= 500 || status === 429) return problem('busy', `status ${status}`, { httpStatus: status })
    return readReply(answer, await isGenuine(answer, keys, clock.now()))
  }

  const callTwice: WechatPayChannel['callTwice'] = async (pathAndQuery, json) => {
    const first = await call('POST', pathAndQuery, json)
    if (first.ok || !isOutcomeUnknown(first.problem) || first.problem.httpStatus === 429) return first
    return call('POST', pathAndQuery, json)
  }

  const downloadBill: WechatPayChannel['downloadBill'] = async (downloadUrl, sha1) => {
    const url = URL.parse(downloadUrl)
    if (url === null || url.origin !== new URL(origin).origin) return problem('rejected', 'the bill lies at another address')
    let answer: OutboundResponse
    try {
      answer = await send('GET', `${url.pathname}${url.search}`, undefined, {
        maxBytes: MAX_BILL_DOWNLOAD_BYTES,
        timeoutMs: BILL_TIMEOUT_MS,
      })
    } catch (error) {
      return problemOf(error)
    }
    if (answer.status !== 200) return problem(answer.status >= 500 ? 'busy' : 'rejected', `bill download: status ${answer.status}`)
    return tryRead(() => {
      // The file itself is not signed; its digest came in a signed answer and is taken over the unpacked text.
      const text = gunzipSync(answer.body, { maxOutputLength: MAX_BILL_TEXT_BYTES })
      if (createHash('sha1').update(text).digest('hex') !== sha1.toLowerCase()) throw new Error('trade bill: the digest differs')
      return text.toString('utf8')
    })
  }

  return { keys, call, callTwice, downloadBill }
}
