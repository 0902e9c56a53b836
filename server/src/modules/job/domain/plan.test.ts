import { describe, expect, test } from 'vitest'
import { toWireTime } from '#contract/kernel/when.ts'
import { type DueJob, planOf } from './plan.ts'

const at = (time: string) => new Date(`2026-03-02T${time}+08:00`)
const job = (more: Partial<DueJob> = {}): DueJob => ({
  timeExpressionType: 2,
  timeExpression: '0 * * * * ?',
  lifecycle: '',
  nextTime: at('09:00:00'),
  missedPolicy: 1,
  maxInstanceNum: 0,
  live: 0,
  ...more,
})
const plan = (of: DueJob, now: string) => {
  const { runs, next } = planOf(of, at(now))
  return [runs.map(run => `${toWireTime(run.dueAt).slice(11)}${run.isRefused ? ' refused' : ''}`), next && toWireTime(next).slice(11)]
}

describe('what becomes of times that have come', () => {
  test.each<[string, DueJob, string, unknown]>([
    ['in time', job(), '09:00:00', [['09:00:00'], '09:01:00']],
    ['a minute late is in time', job(), '09:01:00', [['09:00:00', '09:01:00'], '09:02:00']],
    ['missed, once', job({ timeExpression: '0 0 * * * ?' }), '11:30:00', [['09:00:00'], '12:00:00']],
    ['missed, with one in time behind it', job(), '11:30:10', [['11:30:00'], '11:31:00']],
    ['missed and skipped', job({ missedPolicy: 2, timeExpression: '0 0 * * * ?' }), '11:30:00', [[], '12:00:00']],
    [
      'missed, each',
      job({ missedPolicy: 3, timeExpression: '0 0 * * * ?' }),
      '11:30:00',
      [['09:00:00', '10:00:00', '11:00:00'], '12:00:00'],
    ],
    ['a delay has one time', job({ timeExpressionType: 4, timeExpression: '60000' }), '11:30:00', [['09:00:00'], undefined]],
    [
      'a delay that is skipped begins anew',
      job({ timeExpressionType: 4, timeExpression: '60000', missedPolicy: 2 }),
      '11:30:00',
      [[], '11:31:00'],
    ],
    ['a rate', job({ timeExpressionType: 3, timeExpression: '60000' }), '09:02:30', [['09:02:00'], '09:03:00']],
    ['no room', job({ maxInstanceNum: 2, live: 2 }), '09:00:00', [['09:00:00 refused'], '09:01:00']],
    ['room for one', job({ maxInstanceNum: 2, live: 1, missedPolicy: 3 }), '09:01:00', [['09:00:00', '09:01:00 refused'], '09:02:00']],
    ['the platform’s limit where there is none', job({ live: 10 }), '09:00:00', [['09:00:00 refused'], '09:01:00']],
    ['never more than the platform’s', job({ maxInstanceNum: 1000, live: 10 }), '09:00:00', [['09:00:00 refused'], '09:01:00']],
    ['the last one', job({ lifecycle: ',2026-03-02 09:01:00' }), '09:00:00', [['09:00:00'], undefined]],
  ])('%s', (_, of, now, expected) => expect(plan(of, now)).toEqual(expected))

  test('a standstill of months is not counted through: at most a hundred missed times are run', () => {
    const { runs, next } = planOf(job({ missedPolicy: 3, nextTime: new Date('2025-01-01T00:00:00+08:00') }), at('09:00:30'))
    expect(runs).toHaveLength(101)
    expect(next).toEqual(at('09:01:00'))
  })
})
