import { expect, test } from 'vitest'
import { aliyunQuery, signAcs3 } from './aliyun.ts'
import { signTc3 } from './tencent.ts'

// Both vectors were computed with the providers' own libraries.

test('ACS3: the signature over the query, with the characters that encodeURIComponent leaves', () => {
  const query = aliyunQuery({
    PhoneNumbers: '13800000000',
    SignName: "考谱 (测*试)'!~",
    TemplateCode: 'SMS_123456789',
    TemplateParam: '{"code":"123456"}',
  })
  const headers = {
    host: 'dysmsapi.aliyuncs.com',
    'x-acs-action': 'SendSms',
    'x-acs-version': '2017-05-25',
    'x-acs-date': '2026-11-25T02:00:00Z',
    'x-acs-signature-nonce': '00000000000000000000000000000001',
    'x-acs-content-sha256': 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  }
  expect(signAcs3('test-secret-0001', { query, headers })).toEqual({
    signature: 'f10f6502c12d80365a47f8d5342ceb5eb0830d34196f962221cbf8b2366d9812',
    signedHeaders: 'host;x-acs-action;x-acs-content-sha256;x-acs-date;x-acs-signature-nonce;x-acs-version',
  })
})

test('TC3: the signature over the body', () => {
  const body =
    '{"PhoneNumberSet":["+8613800000000"],"SmsSdkAppId":"1400000000","SignName":"考谱","TemplateId":"1234567","TemplateParamSet":["123456","5"]}'
  expect(signTc3('test-secret-0001', { timestamp: 1_795_572_000, body })).toBe(
    '5f2e1384be3dc4fd352113a01398d7a10cb7b2d4ccd11739bd4a8cfe9194cf74',
  )
})
