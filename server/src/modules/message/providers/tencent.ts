import { createHash, createHmac } from 'node:crypto'
import type { Clock } from '#kernel/clock.ts'
import type { Outbound } from '#kernel/outbound.ts'
import { callJson, listIn, objectIn, textOf } from './call.ts'
import { kindBy, problem, type SmsAccount, type SmsProvider, type SmsReceipt } from './provider.ts'

export const TENCENT_SMS_ORIGIN = 'https://sms.tencentcloudapi.com'
/** What is signed: the name of the host without a port, also where an emulator listens on one. */
const signedHost = 'sms.tencentcloudapi.com'
const version = '2021-01-11'
const service = 'sms'

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()

/** The signature of TC3-HMAC-SHA256 over content type and host. */
export const signTc3 = (secret: string, call: { readonly timestamp: number; readonly body: string }): string => {
  const day = new Date(call.timestamp * 1000).toISOString().slice(0, 10)
  const canonical = ['POST', '/', '', `content-type:application/json\nhost:${signedHost}\n`, 'content-type;host', sha256(call.body)].join(
    '\n',
  )
  const text = ['TC3-HMAC-SHA256', String(call.timestamp), `${day}/${service}/tc3_request`, sha256(canonical)].join('\n')
  return hmac(hmac(hmac(hmac(`TC3${secret}`, day), service), 'tc3_request'), text).toString('hex')
}

const kindOf = kindBy({
  retry: ['InternalError', 'RequestLimitExceeded', 'LimitExceeded.DeliveryFrequencyLimit'],
  account: [
    'AuthFailure',
    'UnauthorizedOperation',
    'FailedOperation.InsufficientBalance',
    'LimitExceeded.AppDailyLimit',
    'LimitExceeded.AppCountry',
    'LimitExceeded.AppGlobal',
    'LimitExceeded.DailyLimit',
  ],
  person: [
    'InvalidParameterValue.IncorrectPhoneNumber',
    'FailedOperation.PhoneNumberInBlacklist',
    'LimitExceeded.PhoneNumber',
    'FailedOperation.ContainSensitiveWord',
    'UnsupportedOperation.ChineseMainlandTemplate',
  ],
})

/** Tencent Cloud's text messages over TC3. An answer of 200 may hold a refusal of each number. */
export const createTencentSms = (parts: {
  readonly account: SmsAccount
  readonly origin: string
  readonly outbound: Outbound
  readonly clock: Clock
}): SmsProvider => {
  const { account, origin, outbound, clock } = parts
  const call = async (action: string, parameters: object) => {
    const body = JSON.stringify(parameters)
    const timestamp = Math.floor(clock.now().getTime() / 1000)
    const day = new Date(timestamp * 1000).toISOString().slice(0, 10)
    const signature = signTc3(account.secretKey, { timestamp, body })
    const answer = await callJson(outbound, {
      method: 'POST',
      url: `${origin}/`,
      headers: {
        'content-type': 'application/json',
        host: signedHost,
        'x-tc-action': action,
        'x-tc-timestamp': String(timestamp),
        'x-tc-version': version,
        'x-tc-region': account.regionId === '' ? 'ap-guangzhou' : account.regionId,
        authorization: `TC3-HMAC-SHA256 Credential=${account.accessKey}/${day}/${service}/tc3_request, SignedHeaders=content-type;host, Signature=${signature}`,
      },
      body,
    })
    if (!answer.ok) return answer
    const response = objectIn(answer.body['Response'])
    if (!response) return problem('unknown', 'NO_RESPONSE', 'an answer without a response')
    const error = objectIn(response['Error'])
    return error
      ? problem(kindOf(textOf(error['Code'])), textOf(error['Code']), textOf(error['Message']))
      : { ok: true as const, body: response }
  }
  return {
    name: 'tencent',
    send: async ({ phone, signName, templateId, params, requestId }) => {
      const number = `+86${phone}`
      const answer = await call('SendSms', {
        PhoneNumberSet: [number],
        SmsSdkAppId: account.appId,
        SignName: signName,
        TemplateId: templateId,
        TemplateParamSet: params.map(([, value]) => value),
        SessionContext: requestId,
      })
      if (!answer.ok) return answer
      const status = listIn(answer.body['SendStatusSet']).find(one => textOf(one['PhoneNumber']) === number)
      const code = textOf(status?.['Code'])
      const id = textOf(status?.['SerialNo'])
      if (code === 'Ok' && id !== '') return { ok: true, id }
      if (code === '' || code === 'Ok') return problem('unknown', 'NO_STATUS', 'an answer that does not speak of the number')
      return problem(kindOf(code), code, textOf(status?.['Message']))
    },
    ask: async ({ phone, requestId, id, givenAt }): Promise<SmsReceipt> => {
      const answer = await call('PullSmsSendStatusByPhoneNumber', {
        PhoneNumber: `+86${phone}`,
        SmsSdkAppId: account.appId,
        BeginTime: Math.floor(givenAt.getTime() / 1000) - 60,
        Offset: 0,
        Limit: 100,
      })
      if (!answer.ok) return { state: 'unknown', detail: answer.detail }
      const row = listIn(answer.body['PullSmsSendStatusSet']).find(
        one => textOf(one['SessionContext']) === requestId || (id !== null && textOf(one['SerialNo']) === id),
      )
      if (!row) return { state: 'none' }
      const known = textOf(row['SerialNo']) || id || requestId
      const status = textOf(row['ReportStatus'])
      if (status === 'SUCCESS') return { state: 'delivered', id: known }
      return status === 'FAIL' ? { state: 'failed', id: known, code: textOf(row['Description']) } : { state: 'accepted', id: known }
    },
  }
}
