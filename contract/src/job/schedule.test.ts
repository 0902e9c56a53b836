import { describe, expect, test } from 'vitest'
import { toWireTime } from '../kernel/when.ts'
import { nextDue, nextTimes, type Timing, timingProblem } from './schedule.ts'

const now = new Date('2026-03-02T09:00:00+08:00')
const of = (timeExpressionType: number, timeExpression: string, lifecycle = ''): Timing => ({
  timeExpressionType,
  timeExpression,
  lifecycle,
})
const next = (timing: Timing): string | undefined => {
  const at = nextDue(timing, now)
  return at && toWireTime(at)
}

describe('[S9.09] when a job is due', () => {
  test.each<[Timing, string | undefined]>([
    [of(1, ''), undefined],
    [of(5, ''), undefined],
    [of(11, '{}'), undefined],
    [of(2, '0 0 10 * * ?'), '2026-03-02 10:00:00'],
    [of(2, 'no cron'), undefined],
    [of(3, '90000'), '2026-03-02 09:01:30'],
    [of(4, '60000'), '2026-03-02 09:01:00'],
    // The very beginning counts, the end does not.
    [of(2, '0 0 10 * * ?', '2026-03-05 10:00:00,'), '2026-03-05 10:00:00'],
    [of(2, '0 0 10 * * ?', ',2026-03-02 10:00:00'), undefined],
    [of(2, '0 0 10 * * ?', ',2026-03-02 10:00:01'), '2026-03-02 10:00:00'],
  ])('%j', (timing, expected) => expect(next(timing)).toBe(expected))

  test('the next five times, or as many as there are', () => {
    expect(nextTimes(of(2, '0 0 0 * * ?'), now, 5)).toHaveLength(5)
    expect(nextTimes(of(2, '0 0 0 * * ?', ',2026-03-04 12:00:00'), now, 5).map(toWireTime)).toEqual([
      '2026-03-03 00:00:00',
      '2026-03-04 00:00:00',
    ])
  })
})

describe('what is wrong with times', () => {
  const problem = (timing: Timing, finest = 60_000): string | undefined => {
    const found = timingProblem(timing, now, finest)
    return found && `${found.field}: ${found.why.en}`
  }
  test.each<[Timing, string | undefined]>([
    [of(1, ''), undefined],
    [of(2, '0 0 10 * * ?'), undefined],
    [of(2, ' '), 'timeExpression: Please enter the time expression'],
    [of(3, ''), 'timeExpression: Please enter the time expression'],
    [of(4, ''), 'timeExpression: Please enter the time expression'],
    [of(5, ''), undefined],
    [of(2, '0 0 0 30 2 ?'), 'timeExpression: This cron expression never comes again: see whether such a day exists'],
    [of(2, '0 0 0 1 1 ? 2025'), 'timeExpression: This cron expression never comes again: see whether such a day exists'],
    [of(2, '*/30 * * * * ?'), 'timeExpression: Runs are at least 60 seconds apart: change the part of the seconds or minutes'],
    // Seldom, and then fast.
    [of(2, '0,1 0 3 1 1 ?'), 'timeExpression: Runs are at least 60 seconds apart: change the part of the seconds or minutes'],
    [of(3, '59999'), 'timeExpression: A rate or delay is a whole number of milliseconds from 60000 to 120000; use CRON for longer ones'],
    [of(4, '120001'), 'timeExpression: A rate or delay is a whole number of milliseconds from 60000 to 120000; use CRON for longer ones'],
    [of(3, '1e5'), 'timeExpression: A rate or delay is a whole number of milliseconds from 60000 to 120000; use CRON for longer ones'],
    [of(3, '60000', '2026-04-02 00:00:00,2026-04-01 00:00:00'), 'lifecycle: The life cycle has to end after it begins'],
    [of(3, '60000', '2026-01-01 00:00:00,2026-02-01 00:00:00'), 'lifecycle: The life cycle has ended already: choose a later end'],
    [of(3, '60000', '2026-02-30 00:00:00,'), 'lifecycle: A life cycle is “start,end”, as 2026-01-01 00:00:00,2026-12-31 00:00:00'],
    [of(3, '60000', 'a,b,c'), 'lifecycle: A life cycle is “start,end”, as 2026-01-01 00:00:00,2026-12-31 00:00:00'],
    [
      of(2, '0 0 0 1 12 ?', ',2026-04-01 00:00:00'),
      'timeExpression: There is no run within the life cycle: change the expression or the life cycle',
    ],
  ])('%j', (timing, expected) => expect(problem(timing)).toBe(expected))
})
