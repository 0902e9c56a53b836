import { expect, it, test } from 'vitest'
import { endMinuteOf, epochOf, fenOf, minuteOf, sizeOf, yuanOf } from './format.ts'

it('writes fen as yuan and reads yuan as fen', () => {
  expect([yuanOf(4500), yuanOf(5), yuanOf(123_456_789), yuanOf(-150), yuanOf(null)]).toEqual([
    '45.00',
    '0.05',
    '1,234,567.89',
    '-1.50',
    '-',
  ])
  expect(['45', '45.5', '0.05', '1,234.56', '1.234', 'x', ''].map(fenOf)).toEqual([4500, 4550, 5, 123_456, null, null, null])
})

it('reads wire times as Asia/Shanghai and shows them to the minute', () => {
  expect(epochOf('2026-11-20 08:00:00')).toBe(Date.UTC(2026, 10, 20, 0, 0, 0))
  expect([minuteOf('2026-11-20 08:00:59'), minuteOf(''), minuteOf(null)]).toEqual(['2026-11-20 08:00', '-', '-'])
})

it('writes sizes with KB of 1,024', () => {
  expect([sizeOf(1023), sizeOf(512_000), sizeOf(10 * 1024 * 1024)]).toEqual(['1023 B', '500 KB', '10.0 MB'])
})

test('[19.9] an end that is kept as the first instant of a day reads as 24:00 of the day before', () => {
  expect(endMinuteOf('2026-03-21 00:00:00')).toBe('2026-03-20 24:00')
  expect(endMinuteOf('2026-03-01 00:00:00')).toBe('2026-02-28 24:00')
  expect(endMinuteOf('2026-03-20 17:00:00')).toBe('2026-03-20 17:00')
  expect(endMinuteOf(null)).toBe('-')
})
