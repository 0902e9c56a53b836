import { describe, expect, test } from 'vitest'
import { alarms, retryAfterMs, timeLimitOf, wholeOf } from './outcome.ts'

describe('another try', () => {
  const tried = { attempt: 1, isPart: false, instanceRetryNum: 2, taskRetryNum: 0 }
  test.each([
    [tried, 5_000],
    [{ ...tried, attempt: 2 }, 10_000],
    [{ ...tried, attempt: 3 }, undefined],
    [{ ...tried, isPart: true }, undefined],
    [{ ...tried, isPart: true, taskRetryNum: 1 }, 5_000],
    [{ ...tried, attempt: 10, instanceRetryNum: 100 }, 300_000],
    // Never more than the platform allows.
    [{ ...tried, attempt: 11, instanceRetryNum: 100 }, undefined],
  ])('%j', (of, expected) => expect(retryAfterMs(of)).toBe(expected))
})

test('the whole of its parts', () => {
  expect(wholeOf([5, 5])).toEqual({ state: 5, failed: 0 })
  expect(wholeOf([5, 4, 4])).toEqual({ state: 4, failed: 2 })
  expect(wholeOf([5, 10, 4])).toEqual({ state: 10, failed: 1 })
})

test('0 is the platform’s time limit, and no own one is longer', () => {
  expect([timeLimitOf(0), timeLimitOf(5), timeLimitOf(2_147_483_647)]).toEqual([3_600_000, 5, 3_600_000])
})

describe('alarms', () => {
  const now = new Date('2026-03-02T09:00:00Z')
  const rule = { notifyUserIds: '1', alertThreshold: 2, silenceWindowLen: 60, alarmedAt: null }
  test.each([
    [rule, 1, false],
    [rule, 2, true],
    [{ ...rule, notifyUserIds: '' }, 9, false],
    [{ ...rule, alertThreshold: 0 }, 1, true],
    [{ ...rule, alarmedAt: new Date(now.getTime() - 59_000) }, 2, false],
    [{ ...rule, alarmedAt: new Date(now.getTime() - 60_000) }, 2, true],
  ])('%j after %i failures', (of, failures, expected) => expect(alarms(of, failures, now)).toBe(expected))
})
