import { expect, it } from 'vitest'
import { totalOf } from './day-totals.ts'

it('[12.2.5] adds up the rooms of all sessions; whoever is not marked is open', () => {
  const room = (startTime: string, seated: number, present: number, late: number, absent: number) => ({
    ...{ startTime, seated, present, late, absent },
    ...{ violations: 1, notes: 2 },
  })
  const morning = '2026-03-28 09:00:00'
  expect(totalOf([room(morning, 30, 20, 2, 3), room(morning, 28, 28, 0, 0), room('2026-03-28 14:00:00', 11, 0, 0, 11)])).toEqual({
    ...{ seated: 69, present: 48, late: 2, absent: 14, violations: 3, notes: 6 },
    sessions: 2,
    open: 5,
  })
  expect(totalOf([])).toEqual({ seated: 0, present: 0, late: 0, absent: 0, violations: 0, notes: 0, sessions: 0, open: 0 })
})
