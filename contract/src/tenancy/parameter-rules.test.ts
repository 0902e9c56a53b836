import { expect, test } from 'vitest'
import { isForPlatformOnly, parameterProblem } from './parameter-rules.ts'

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
