import { expect, test } from 'vitest'
import { isForPlatformOnly, parameterProblem, weakensTwoPersons } from './parameter-rules.ts'

test('[S2.50] a parameter of the program takes what it can be and says what that is; others take any text', () => {
  expect(parameterProblem('examine.undoMinutes', '30')).toBeUndefined()
  for (const value of ['', '-1', '1.5', ' 3', '1441', '1e3', '９', '1'.repeat(16)])
    expect([value, parameterProblem('examine.undoMinutes', value)?.en]).toEqual([value, 'enter a whole number from 0 to 1440'])
  expect(parameterProblem('candidate.register', 'yes')?.zh).toBe('请填 1（开启）或 0（关闭）')
  expect(parameterProblem('log.apiScope', 'some')?.en).toBe('enter one of off, changes, all')
  expect([parameterProblem('own.key', 'anything'), parameterProblem('constructor', 'x')]).toEqual([undefined, undefined])
  expect([isForPlatformOnly('log.apiDays'), isForPlatformOnly('log.errorDays'), isForPlatformOnly('toString')]).toEqual([
    true,
    false,
    false,
  ])
})

test('a change weakens a rule of two persons in the declared direction only, and wherever a value is no number', () => {
  const cases = [
    ['account.changeWaitHours', '24', '0', true],
    ['account.changeWaitHours', '24', '48', false],
    ['pay.manualDoubleCheckFen', '100000', '100001', true],
    ['pay.manualDoubleCheckFen', '100000', '0', false],
    ['flow.ownRequests', '0', '1', true],
    ['flow.ownRequests', '1', '0', false],
    ['sms.dailyBudget', '5000', '5000', false],
    ['sms.dailyBudget', 'x', '1', true],
    ['examine.undoMinutes', '30', '60', false],
    ['toString', '1', '2', false],
  ] as const
  expect(cases.map(([key, from, to]) => [key, from, to, weakensTwoPersons(key, from, to)])).toEqual(cases)
})
