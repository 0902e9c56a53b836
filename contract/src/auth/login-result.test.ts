import { expect, test } from 'vitest'
import { oauthError } from './auth.errors.ts'
import { loginResult, loginTone } from './login-result.ts'

test('every way a login ends has words in both languages for the log; one that has none is shown as it is', () => {
  const ends = ['ok', 'guest', 'refresh-replayed', 'auth/bad-cipher', ...Object.keys(oauthError)]
  expect(ends.filter(end => loginResult(end).zh === end || loginResult(end).en === end)).toEqual([])
  expect([loginResult('auth/invalid-captcha'), loginResult('toString')]).toEqual([
    { zh: '图形验证码错误', en: 'Wrong captcha' },
    { zh: 'toString', en: 'toString' },
  ])
  expect(['ok', 'auth/second-factor', 'auth/invalid-grant'].map(loginTone)).toEqual(['done', 'halfway', 'failed'])
})
