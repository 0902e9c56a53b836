import { expect, test } from 'vitest'
import { daysIn } from './leave-form.ts'

test('[S2.15] the length of a leave is known while it is entered, as the server counts it', () => {
  const from = (startTime: string | null, endTime: string | null) =>
    daysIn({ startTime, endTime }, { from: 9, to: 18, days: 5, daysOff: [], workDays: [] })
  expect([
    from('2026-12-01 09:00:00', '2026-12-05 18:00:00'),
    from('2026-12-01 09:00:00', '2026-12-01 12:00:00'),
    from('2026-12-01 09:00:00', '2026-12-01 09:00:00'),
    from('2026-12-01 09:00:00', null),
    from('2026-02-30 09:00:00', '2026-12-01 09:00:00'),
  ]).toEqual([4, 0.5, null, null, null])
})
