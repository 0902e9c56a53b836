import { expect, test } from 'vitest'
import { readDay } from './read-day.ts'

test('a day is read as people write it, and what no calendar has is none', () => {
  const days = ['2026-03-05', '2026-3-5', '2026/3/5', '2026.03.05', '20260305', '2026年3月5日', ' 2026-03-05 ']
  expect(days.map(readDay)).toEqual(days.map(() => '2026-03-05'))
  expect(['', '2026', '2026-02-30', '2026-13-01', '03/05/2026', 'soon'].map(readDay)).toEqual([null, null, null, null, null, null])
})
