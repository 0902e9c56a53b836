import { createHash, createHmac } from 'node:crypto'
import { toWireDay } from '#contract/kernel/when.ts'
import type { Clock } from '#kernel/clock.ts'
import type { Outbound } from '#kernel/outbound.ts'
import { randomBytes } from '#kernel/random.ts'
import { callJson, listIn, objectIn, textOf } from './call.ts'
import { kindBy, problem, type SmsAccount, type SmsProvider, type SmsReceipt } from './provider.ts'

export const ALIYUN_SMS_ORIGIN = 'https://dysmsapi.aliyuncs.com'
const version = '2017-05-25'

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
/** RFC 3986: what `encodeURIComponent` leaves is escaped too. */
const escaped = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, char => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)

export const aliyunQuery = (query: Readonly<Record<string, string>>): string =>
  Object.keys(query)
    .sort()
    .map(name => `${escaped(name)}=${escaped(query[name] ?? '')}`)
    .join('&')

/** The signature of ACS3-HMAC-SHA256 over a call with an empty body. Names of headers are in lower case. */
export const signAcs3 = (
  secret: string,
  call: { readonly query: string; readonly headers: Readonly<Record<string, string>> },
): { readonly signature: string; readonly signedHeaders: string } => {
  const names = Object.keys(call.headers).sort()
  const signedHeaders = names.join(';')
  const canonical = [
    'POST',
    '/',
    call.query,
    names.map(name => `${name}:${(call.headers[name] ?? '').trim()}\n`).join(''),
    signedHeaders,
    sha256(''),
  ].join('\n')
  const signature = createHmac('sha256', secret)
    .update(`ACS3-HMAC-SHA256\n${sha256(canonical)}`)
    .digest('hex')
  return { signature, signedHeaders }
}

const kindOf = kindBy({
  retry: ['isp.', 'Throttling', 'ServiceUnavailable', 'InternalError', 'isv.SYSTEM'],
  account: [
    'isv.AMOUNT_NOT_ENOUGH',
    'isv.OUT_OF_SERVICE',
    'isv.ACCOUNT_',
    'isv.PRODUCT_UN',
    'isv.DAY_LIMIT_CONTROL',
    'isv.MONTH_LIMIT_CONTROL',
    'isp.RAM_PERMISSION_DENY',
    'isv.DENY_IP_RANGE',
    'InvalidAccessKeyId',
    'SignatureDoesNotMatch',
    'IncompleteSignature',
    'InvalidTimeStamp',
    'SignatureNonceUsed',
    'Forbidden',
    'NoPermission',
  ],
  person: ['isv.MOBILE_NUMBER_ILLEGAL', 'isv.BUSINESS_LIMIT_CONTROL', 'isv.BLACK_KEY_CONTROL_LIMIT', 'isv.PHONENUMBER_'],
})

/** Aliyun's text messages over ACS3: parameters travel in the query, the body is empty. */
export const createAliyunSms = (parts: {
  readonly account: SmsAccount
  readonly origin: string
  readonly outbound: Outbound
  readonly clock: Clock
}): SmsProvider => {
  const { account, origin, outbound, clock } = parts
  const call = (action: string, parameters: Readonly<Record<string, string>>) => {
    const query = aliyunQuery(parameters)
    const headers = {
      host: new URL(origin).host,
      'x-acs-action': action,
      'x-acs-content-sha256': sha256(''),
      'x-acs-date': clock
        .now()
        .toISOString()
        .replace(/\.\d+Z$/, 'Z'),
      'x-acs-signature-nonce': randomBytes(16).toString('hex'),
      'x-acs-version': version,
    }
    const { signature, signedHeaders } = signAcs3(account.secretKey, { query, headers })
    const authorization = `ACS3-HMAC-SHA256 Credential=${account.accessKey},SignedHeaders=${signedHeaders},Signature=${signature}`
    return callJson(outbound, {
      method: 'POST',
      url: `${origin}/?${query}`,
      headers: { ...headers, accept: 'application/json', authorization },
    })
  }
  return {
    name: 'aliyun',
    send: async ({ phone, signName, templateId, params, requestId }) => {
      const answer = await call('SendSms', {
        PhoneNumbers: phone,
        SignName: signName,
        TemplateCode: templateId,
        TemplateParam: JSON.stringify(Object.fromEntries(params)),
        OutId: requestId,
      })
      if (!answer.ok) return answer
      const code = textOf(answer.body['Code'])
      const id = textOf(answer.body['BizId'])
      if (code === 'OK' && id !== '') return { ok: true, id }
      // An answer without a code says nothing.
      if (code === '' || code === 'OK') return problem('unknown', 'NO_CODE', 'an answer without a code or number')
      // The permission is the account's, though its code begins like a fault of the provider.
      return problem(code === 'isp.RAM_PERMISSION_DENY' ? 'account' : kindOf(code), code, textOf(answer.body['Message']))
    },
    // Not by its number: of a lost answer there is none, and the reference of ours is always there.
    ask: async ({ phone, requestId, id, givenAt }): Promise<SmsReceipt> => {
      const answer = await call('QuerySendDetails', {
        PhoneNumber: phone,
        SendDate: toWireDay(givenAt).replaceAll('-', ''),
        PageSize: '50',
        CurrentPage: '1',
      })
      if (!answer.ok) return { state: 'unknown', detail: answer.detail }
      if (textOf(answer.body['Code']) !== 'OK') return { state: 'unknown', detail: textOf(answer.body['Message']) }
      const rows = listIn(objectIn(answer.body['SmsSendDetailDTOs'])?.['SmsSendDetailDTO'])
      const row = rows.find(one => textOf(one['OutId']) === requestId)
      if (!row) return { state: 'none' }
      const known = id ?? requestId
      const status = textOf(row['SendStatus'])
      if (status === '3') return { state: 'delivered', id: known }
      return status === '2' ? { state: 'failed', id: known, code: textOf(row['ErrCode']) } : { state: 'accepted', id: known }
    },
  }
}
