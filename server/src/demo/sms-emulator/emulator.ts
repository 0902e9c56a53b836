import { createHash, createHmac } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Clock } from '#kernel/clock.ts'
import { randomDigits } from '#kernel/random.ts'
import type { SmsBook, TakenSms } from './book.ts'
import { composeText, type EmulatedAccount, mostADay, type Refused, trialRefusedOnce, trialUndelivered } from './rules.ts'

/** What happens to a number instead of what usually does. */
export type PhoneFate =
  /** Taken, and the answer is lost. */
  | 'lost-answer'
  /** Not taken, and no answer. */
  | 'lost-question'
  | 'nonsense'
  | 'redirect'
  | 'internal'
  | 'blacklist'
  | 'balance'
  /** Taken, and the phone is off for good. */
  | 'undelivered'

export interface SmsEmulator {
  readonly url: string
  /** Decides what happens to a number, so many times; without a count always. */
  readonly fate: (phone: string, what: PhoneFate | undefined, times?: number) => void
  readonly taken: () => readonly TakenSms[]
  /** Accounts and what they have registered; by access key. */
  readonly accounts: Map<string, EmulatedAccount>
  readonly close: () => Promise<void>
}

interface Reply {
  readonly status: number
  readonly body: string
  readonly headers?: Readonly<Record<string, string>>
}
type Outcome = { readonly id: string } | { readonly refused: Refused } | 'drop' | 'nonsense' | 'redirect'

const json = (value: unknown, status = 200): Reply => ({ status, body: JSON.stringify(value) })
const sha256 = (text: string | Buffer): string => createHash('sha256').update(text).digest('hex')
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()
const escaped = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, char => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)

/** The signature of neither wire may be older, or newer, than this. */
const aliyunSkewMs = 15 * 60_000
const tencentSkewMs = 5 * 60_000
/** After so long a message has its receipt. */
const receiptMs = 30_000

const aliyunCodes: Readonly<Record<Refused, string>> = {
  sign: 'isv.SMS_SIGNATURE_ILLEGAL',
  template: 'isv.SMS_TEMPLATE_ILLEGAL',
  'missing-parameter': 'isv.TEMPLATE_MISSING_PARAMETERS',
  'long-parameter': 'isv.PARAM_LENGTH_LIMIT',
  phone: 'isv.MOBILE_NUMBER_ILLEGAL',
  blacklist: 'isv.BLACK_KEY_CONTROL_LIMIT',
  'day-limit': 'isv.BUSINESS_LIMIT_CONTROL',
  balance: 'isv.AMOUNT_NOT_ENOUGH',
  internal: 'isp.SYSTEM_ERROR',
}
const tencentCodes: Readonly<Record<Refused, string>> = {
  sign: 'FailedOperation.SignatureIncorrectOrUnapproved',
  template: 'FailedOperation.TemplateIncorrectOrUnapproved',
  'missing-parameter': 'FailedOperation.TemplateParamSetNotMatchApprovedTemplate',
  'long-parameter': 'InvalidParameterValue.TemplateParameterLengthLimit',
  phone: 'InvalidParameterValue.IncorrectPhoneNumber',
  blacklist: 'FailedOperation.PhoneNumberInBlacklist',
  'day-limit': 'LimitExceeded.PhoneNumberDailyLimit',
  balance: 'FailedOperation.InsufficientBalanceInSmsPackage',
  internal: 'InternalError.Timeout',
}

const readBody = async (request: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = []
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
  return Buffer.concat(chunks)
}
const headerOf = (request: IncomingMessage, name: string): string => String(request.headers[name] ?? '')
const textIn = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Whether the headers that are signed, in the order in which they stand there, give the signature. */
const checkAcs3 = (
  request: IncomingMessage,
  query: URLSearchParams,
  account: EmulatedAccount,
  now: Date,
  nonces: Set<string>,
): string | undefined => {
  const [, signedHeaders = '', signature = ''] =
    /SignedHeaders=([^,]+),\s*Signature=([0-9a-f]{64})$/.exec(headerOf(request, 'authorization')) ?? []
  const names = signedHeaders.split(';')
  const needed = ['host', 'x-acs-action', 'x-acs-content-sha256', 'x-acs-date', 'x-acs-signature-nonce', 'x-acs-version']
  if (!needed.every(name => names.includes(name))) return 'IncompleteSignature'
  const at = Date.parse(headerOf(request, 'x-acs-date'))
  if (!(Math.abs(now.getTime() - at) <= aliyunSkewMs)) return 'InvalidTimeStamp.Expired'
  const canonicalQuery = [...query]
    .map(([name, value]) => `${escaped(name)}=${escaped(value)}`)
    .sort()
    .join('&')
  const canonical = [
    'POST',
    '/',
    canonicalQuery,
    names.map(name => `${name}:${headerOf(request, name).trim()}\n`).join(''),
    signedHeaders,
    headerOf(request, 'x-acs-content-sha256'),
  ].join('\n')
  const wanted = hmac(account.secretKey, `ACS3-HMAC-SHA256\n${sha256(canonical)}`).toString('hex')
  if (wanted !== signature) return 'SignatureDoesNotMatch'
  const nonce = headerOf(request, 'x-acs-signature-nonce')
  if (nonces.has(nonce)) return 'SignatureNonceUsed'
  nonces.add(nonce)
  return undefined
}

const checkTc3 = (request: IncomingMessage, body: Buffer, account: EmulatedAccount, now: Date): string | undefined => {
  const timestamp = headerOf(request, 'x-tc-timestamp')
  if (!(Math.abs(now.getTime() - Number(timestamp) * 1000) <= tencentSkewMs)) return 'AuthFailure.SignatureExpire'
  const day = new Date(Number(timestamp) * 1000).toISOString().slice(0, 10)
  const [, signature = ''] = /SignedHeaders=content-type;host, Signature=([0-9a-f]{64})$/.exec(headerOf(request, 'authorization')) ?? []
  const canonical = [
    'POST',
    '/',
    '',
    `content-type:${headerOf(request, 'content-type')}\nhost:${headerOf(request, 'host')}\n`,
    'content-type;host',
    sha256(body),
  ].join('\n')
  const text = ['TC3-HMAC-SHA256', timestamp, `${day}/sms/tc3_request`, sha256(canonical)].join('\n')
  const wanted = hmac(hmac(hmac(hmac(`TC3${account.secretKey}`, day), 'sms'), 'tc3_request'), text).toString('hex')
  return wanted === signature ? undefined : 'AuthFailure.SignatureFailure'
}

/**
 * Aliyun's and Tencent Cloud's text messages in one server (decision 2.12): signatures, registered templates and signatures, parameters, numbers and daily
 * limits are checked as the real ones do. Nothing leaves the machine.
 */
export const startSmsEmulator = async (parts: {
  readonly clock: Clock
  readonly book: SmsBook
  readonly accounts: readonly EmulatedAccount[]
}): Promise<SmsEmulator> => {
  const { clock, book } = parts
  const accounts = new Map(parts.accounts.map(account => [account.accessKey, account]))
  const fates = new Map<string, { readonly what: PhoneFate; left: number }>()
  const nonces = new Set<string>()

  /** Numbers of trials that were refused already. */
  const tried = new Set<string>()
  const fateOf = (phone: string): PhoneFate | undefined => {
    const fate = fates.get(phone)
    if (!fate && phone.endsWith(trialRefusedOnce) && !tried.has(phone)) {
      tried.add(phone)
      return 'blacklist'
    }
    if (!fate) return phone.endsWith(trialUndelivered) ? 'undelivered' : undefined
    fate.left -= 1
    if (fate.left <= 0) fates.delete(phone)
    return fate.what
  }
  const dayOf = (at: Date): string => new Date(at.getTime() + 8 * 3_600_000).toISOString().slice(0, 10)

  const take = (
    account: EmulatedAccount,
    wanted: { phone: string; sign: string; templateId: string; params: Readonly<Record<string, string>>; reference: string },
  ): Outcome => {
    const { phone } = wanted
    if (!/^1[3-9]\d{9}$/.test(phone)) return { refused: 'phone' }
    const composed = composeText(account, wanted)
    if ('refused' in composed) return composed
    const fate = fateOf(phone)
    if (fate === 'lost-question') return 'drop'
    if (fate === 'nonsense' || fate === 'redirect') return fate
    if (fate === 'internal' || fate === 'blacklist' || fate === 'balance') return { refused: fate }
    const now = clock.now()
    const today = book.all().filter(one => one.phone === phone && dayOf(one.takenAt) === dayOf(now)).length
    if (today >= mostADay) return { refused: 'day-limit' }
    const id = randomDigits(18)
    book.add({
      id,
      account: account.accessKey,
      phone,
      templateId: wanted.templateId,
      content: composed.text,
      reference: wanted.reference,
      takenAt: now,
      isDelivered: fate !== 'undelivered',
    })
    return fate === 'lost-answer' ? 'drop' : { id }
  }
  const isReceived = (message: TakenSms): boolean => clock.now().getTime() - message.takenAt.getTime() >= receiptMs

  const aliyun = (request: IncomingMessage, query: URLSearchParams): Reply | 'drop' | 'nonsense' | 'redirect' => {
    const [, key = ''] = /Credential=([^,]+)/.exec(headerOf(request, 'authorization')) ?? []
    const account = accounts.get(key)
    if (!account)
      return json({ Code: 'InvalidAccessKeyId.NotFound', Message: 'Specified access key is not found.', RequestId: randomDigits(12) }, 404)
    const wrong = checkAcs3(request, query, account, clock.now(), nonces)
    if (wrong !== undefined) return json({ Code: wrong, Message: 'The signature was not accepted.', RequestId: randomDigits(12) }, 400)
    const value = (name: string): string => query.get(name) ?? ''
    if (headerOf(request, 'x-acs-action') === 'QuerySendDetails') {
      const rows = book
        .all()
        .filter(
          one => one.account === key && one.phone === value('PhoneNumber') && dayOf(one.takenAt).replaceAll('-', '') === value('SendDate'),
        )
        .filter(one => value('BizId') === '' || one.id === value('BizId'))
      const details = rows.map(one => ({
        PhoneNum: one.phone,
        TemplateCode: one.templateId,
        Content: one.content,
        OutId: one.reference,
        SendStatus: isReceived(one) ? (one.isDelivered ? 3 : 2) : 1,
        ErrCode: isReceived(one) ? (one.isDelivered ? 'DELIVERED' : 'MOBILE_NOT_ON_SERVICE') : '',
      }))
      return json({
        Code: 'OK',
        Message: 'OK',
        RequestId: randomDigits(12),
        TotalCount: rows.length,
        SmsSendDetailDTOs: { SmsSendDetailDTO: details },
      })
    }
    const refuse = (refused: Refused): Reply =>
      json({ Code: aliyunCodes[refused], Message: `emulator: ${refused}`, RequestId: randomDigits(12) })
    let params: Readonly<Record<string, string>>
    try {
      params = JSON.parse(value('TemplateParam') || '{}') as Record<string, string>
    } catch {
      return json({ Code: 'isv.INVALID_JSON_PARAM', Message: 'TemplateParam', RequestId: randomDigits(12) })
    }
    const outcome = take(account, {
      phone: value('PhoneNumbers'),
      sign: value('SignName'),
      templateId: value('TemplateCode'),
      params,
      reference: value('OutId'),
    })
    if (typeof outcome === 'string') return outcome
    return 'refused' in outcome
      ? refuse(outcome.refused)
      : json({ Code: 'OK', Message: 'OK', BizId: outcome.id, RequestId: randomDigits(12) })
  }

  const tencent = (request: IncomingMessage, body: Buffer): Reply | 'drop' | 'nonsense' | 'redirect' => {
    const error = (code: string, message: string): Reply =>
      json({ Response: { Error: { Code: code, Message: message }, RequestId: randomDigits(12) } })
    const [, key = ''] = /Credential=([^/]+)\//.exec(headerOf(request, 'authorization')) ?? []
    const account = accounts.get(key)
    if (!account) return error('AuthFailure.SecretIdNotFound', 'The SecretId is not found.')
    const wrong = checkTc3(request, body, account, clock.now())
    if (wrong !== undefined) return error(wrong, 'The signature was not accepted.')
    const input = JSON.parse(body.toString('utf8')) as Readonly<Record<string, unknown>>
    if (textIn(input['SmsSdkAppId']) !== account.appId) return error('UnauthorizedOperation.SmsSdkAppIdVerifyFail', 'SmsSdkAppId')
    if (headerOf(request, 'x-tc-action') === 'PullSmsSendStatusByPhoneNumber') {
      const rows = book
        .all()
        .filter(one => one.account === key && `+86${one.phone}` === textIn(input['PhoneNumber']))
        .filter(one => one.takenAt.getTime() >= Number(input['BeginTime']) * 1000 && isReceived(one))
      const set = rows.map(one => ({
        PhoneNumber: `+86${one.phone}`,
        SubscriberNumber: one.phone,
        CountryCode: '86',
        SerialNo: one.id,
        SessionContext: one.reference,
        ReportStatus: one.isDelivered ? 'SUCCESS' : 'FAIL',
        Description: one.isDelivered ? 'DELIVERED' : 'MOBILE_NOT_ON_SERVICE',
      }))
      return json({ Response: { PullSmsSendStatusSet: set, RequestId: randomDigits(12) } })
    }
    const phones = Array.isArray(input['PhoneNumberSet']) ? input['PhoneNumberSet'].map(textIn) : []
    const values = Array.isArray(input['TemplateParamSet']) ? input['TemplateParamSet'].map(textIn) : []
    const [number = ''] = phones
    const outcome = take(account, {
      phone: number.replace(/^\+86/, ''),
      sign: textIn(input['SignName']),
      templateId: textIn(input['TemplateId']),
      params: Object.fromEntries(values.map((one, place) => [String(place + 1), one])),
      reference: textIn(input['SessionContext']),
    })
    if (typeof outcome === 'string') return outcome
    const status =
      'refused' in outcome
        ? { PhoneNumber: number, SerialNo: '', Fee: 0, Code: tencentCodes[outcome.refused], Message: `emulator: ${outcome.refused}` }
        : { PhoneNumber: number, SerialNo: outcome.id, Fee: 1, Code: 'Ok', Message: 'send success' }
    return json({ Response: { SendStatusSet: [status], RequestId: randomDigits(12) } })
  }

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await readBody(request)
    const isTencent = headerOf(request, 'authorization').startsWith('TC3-HMAC-SHA256')
    const query = new URL(request.url ?? '/', 'http://emulator').searchParams
    const reply = isTencent ? tencent(request, body) : aliyun(request, query)
    if (reply === 'drop') {
      response.destroy()
      return
    }
    if (reply === 'nonsense') {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<html>gateway error</html>')
      return
    }
    if (reply === 'redirect') {
      response.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data' }).end()
      return
    }
    response.writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers }).end(reply.body)
  }
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy())
  })
  await new Promise<void>(resolve => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    accounts,
    taken: book.all,
    fate: (phone, what, times = Number.POSITIVE_INFINITY) => {
      if (what === undefined) fates.delete(phone)
      else fates.set(phone, { what, left: times })
    },
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
