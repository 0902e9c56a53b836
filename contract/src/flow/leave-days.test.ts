import { expect, test } from 'vitest'
import { leaveDays, type WorkingHours } from './leave-days.ts'

const office: WorkingHours = { from: 9, to: 18, days: 5, daysOff: [], workDays: [] }
const at = (text: string) => new Date(`${text.replace(' ', 'T')}:00+08:00`)
const days = (from: string, to: string, hours = office) => leaveDays(at(from), at(to), hours)

test('a leave is counted in the working hours of working days', () => {
  // 2026-03-16 is a Monday.
  expect(days('2026-03-16 09:00', '2026-03-16 18:00')).toBe(1)
  expect(days('2026-03-16 09:00', '2026-03-20 18:00')).toBe(5)
  expect(days('2026-03-21 00:00', '2026-03-22 23:59')).toBe(0)
  expect(days('2026-03-20 13:30', '2026-03-23 13:30')).toBe(1)
  expect(days('2026-03-16 09:00', '2026-03-16 12:00')).toBe(0.5)
  expect(days('2026-03-16 00:00', '2026-03-17 00:00')).toBe(1)
  expect(days('2026-03-16 19:00', '2026-03-17 08:00')).toBe(0)
  expect(days('2026-03-16 17:00', '2026-03-17 10:00')).toBe(1)
})

test('holidays are no leave, and a weekend that is worked is', () => {
  const calendar = { ...office, daysOff: ['2026-03-18'], workDays: ['2026-03-21'] }
  expect(days('2026-03-16 09:00', '2026-03-22 18:00', calendar)).toBe(5)
  expect(days('2026-03-18 09:00', '2026-03-18 18:00', calendar)).toBe(0)
})

test('other hours and six days', () => {
  const six = { ...office, from: 8, to: 12, days: 6 }
  expect(days('2026-03-16 08:00', '2026-03-21 12:00', six)).toBe(6)
  expect(days('2026-03-16 08:00', '2026-03-16 10:00', six)).toBe(0.5)
})
