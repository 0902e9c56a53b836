import { expect, test } from 'vitest'
import { failureOf } from './failure.ts'

const database = (code: string): Error => Object.assign(new Error('database'), { code })

test.each([
  ['a unique key that two callers ran into', '23505', 2002, 'warn'],
  ['a deadlock that was tried in vain', '40P01', 2002, 'warn'],
  ['a statement that took too long', '57014', 429, 'error'],
  ['data that no schema refused', '22008', 400, 'error'],
  ['a row of somebody else', '42501', 404, 'warn'],
  ['an id of somebody else', '23503', 404, 'warn'],
  ['anything else', '42P01', 500, 'error'],
])('%s: told as what it is, logged as loud as it deserves', (_what, code, number, level) => {
  const { refusal, log } = failureOf(database(code))
  expect([refusal.code, log]).toEqual([number, level])
})

test('what the caller did wrong is not logged at all', () => {
  expect(failureOf(Object.assign(new Error('too large'), { code: 'FST_ERR_CTP_BODY_TOO_LARGE' })).log).toBeUndefined()
  expect(failureOf(new SyntaxError('json')).log).toBeUndefined()
})
