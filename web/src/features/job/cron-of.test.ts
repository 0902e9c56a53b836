import { describe, expect, test } from 'vitest'
import { nextOfCron, parseCron } from '#contract/job/cron.ts'
import { toWireTime } from '#contract/kernel/when.ts'
import { type Builder, cronOf } from './cron-of.ts'

const of: Builder = { every: 'day', minutes: 10, minute: 5, hour: 2, weekday: 2, day: 1 }
const first = (builder: Builder): string => {
  const cron = parseCron(cronOf(builder))
  const next = 'why' in cron ? undefined : nextOfCron(cron, new Date('2026-03-04T09:12:00+08:00'))
  return next === undefined ? '' : toWireTime(next)
}

describe('what the builder says is what comes', () => {
  test.each<[Partial<Builder>, string]>([
    [{ every: 'minute' }, '2026-03-04 09:20:00'],
    [{ every: 'minute', minutes: 1 }, '2026-03-04 09:13:00'],
    [{ every: 'hour' }, '2026-03-04 10:05:00'],
    [{}, '2026-03-05 02:05:00'],
    // A Monday.
    [{ every: 'week' }, '2026-03-09 02:05:00'],
    [{ every: 'month' }, '2026-04-01 02:05:00'],
    [{ every: 'month', day: 0 }, '2026-03-31 02:05:00'],
  ])('%j', (more, expected) => expect(first({ ...of, ...more })).toBe(expected))
})
