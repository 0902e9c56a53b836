import { expect, test } from 'vitest'
import { linesOf } from './wire.ts'

test('an alert leads to its lines: of its person, its measure and its window', () => {
  const window = { windowStart: '2026-03-17 10:00:00', windowEnd: '2026-03-17 11:00:00' }
  expect([
    linesOf({ measure: 'reads', userId: '7', ...window }),
    linesOf({ measure: 'failedLogins', userId: '', ...window }),
    linesOf({ measure: 'refusals', userId: '7', ...window }),
  ]).toEqual([
    '/monitor/audit?userId=7&measure=reads&from=2026-03-17+10%3A00%3A00&to=2026-03-17+11%3A00%3A00',
    '/monitor/authLog?ok=0&from=2026-03-17+10%3A00%3A00&to=2026-03-17+11%3A00%3A00',
    '/monitor/log/api?userId=7&failed=1&from=2026-03-17+10%3A00%3A00&to=2026-03-17+11%3A00%3A00',
  ])
})
