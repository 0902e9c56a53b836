import { describe, expect, test } from 'vitest'
import { nextOfCron, parseCron } from '#contract/job/cron.ts'
import { toWireTime } from '#contract/kernel/when.ts'
import { type Builder, builderOf, cronOf } from './cron-of.ts'

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

describe('the builder opens with what is written', () => {
  test.each<Partial<Builder>>([
    { every: 'minute' },
    { every: 'minute', minutes: 1 },
    { every: 'hour' },
    {},
    { every: 'week', weekday: 1 },
    { every: 'month', day: 31 },
    { every: 'month', day: 0 },
  ])('%j comes back', more => expect(builderOf(cronOf({ ...of, ...more }), of)).toEqual({ ...of, ...more }))

  test.each([
    '',
    '*/20 * * * * ?',
    '0 0/7 * * * ?',
    '0 0 2 ? * MON-FRI',
    '0 0 2 1 1 ?',
    '0 0 2 * * ? 2027',
    '0 0 2 15W * ?',
    '0 0,30 2 * * ?',
    '0 61 * * * ?',
  ])('%j is more than it can ask', cron => expect(builderOf(cron, of)).toBeUndefined())
})
