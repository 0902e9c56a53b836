import { expect, test } from 'vitest'
import { bucketStart, pointsBetween, timelineOf } from './timeline.ts'

const at = (text: string) => new Date(`${text}+08:00`)

test('buckets begin at midnight or the full hour of Shanghai', () => {
  expect(bucketStart('day', at('2026-03-17T00:30:00'))).toEqual(at('2026-03-17T00:00:00'))
  expect(bucketStart('hour', at('2026-03-17T07:59:59.999'))).toEqual(at('2026-03-17T07:00:00'))
})

test.each([
  ['day', '2026-03-16T09:00:00', '2026-03-16T09:00:00.001', 1],
  ['day', '2026-03-16T09:00:00', '2026-03-17T00:00:00', 1],
  ['day', '2026-03-16T09:00:00', '2026-03-17T00:00:00.001', 2],
  ['hour', '2026-03-16T09:30:00', '2026-03-16T11:00:00', 2],
  ['hour', '2026-03-16T09:00:00', '2026-03-16T09:00:00', 0],
] as const)('%s points of [%s, %s): %d', (grain, begin, end, points) => expect(pointsBetween(grain, at(begin), at(end))).toBe(points))

test('hours in which nothing happened are there with zeros', () => {
  const buckets = [{ at: '2026-03-16 10:00:00', submitted: 3, passed: 1, paid: 0 }]
  expect(timelineOf('hour', at('2026-03-16T09:00:00'), at('2026-03-16T12:00:00'), buckets)).toEqual({
    x: ['2026-03-16 09:00', '2026-03-16 10:00', '2026-03-16 11:00'],
    submitted: [0, 3, 0],
    passed: [0, 1, 0],
    paid: [0, 0, 0],
    outside: 0,
  })
})
