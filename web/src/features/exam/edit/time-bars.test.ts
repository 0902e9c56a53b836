import { expect, it } from 'vitest'
import { parseInstant } from '#contract/exam/window.ts'
import { marksOf } from './time-bars.tsx'

const marks = (from: string, to: string) => marksOf(parseInstant(from) ?? 0, parseInstant(to) ?? 0).map(mark => mark.text)

it('marks hours on an axis of a day, and days on a longer one', () => {
  expect(marks('2026-03-28 07:40:00', '2026-03-28 17:20:00')).toEqual(['08:00', '10:00', '12:00', '14:00', '16:00'])
  expect(marks('2026-03-27 20:00:00', '2026-03-28 20:00:00')).toEqual([
    '21:00',
    '03-28',
    '03:00',
    '06:00',
    '09:00',
    '12:00',
    '15:00',
    '18:00',
  ])
  expect(marks('2026-03-16 09:00:00', '2026-03-20 17:00:00')).toEqual(['03-17', '03-18', '03-19', '03-20'])
})
