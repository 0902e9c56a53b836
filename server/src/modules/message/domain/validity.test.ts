import { expect, test } from 'vitest'
import { lastSecond, warningDay } from './validity.ts'

const at = (text: string): Date => new Date(`${text}+08:00`)

test('parts are valid to the end of their last day, whenever they were credited', () => {
  expect(lastSecond(at('2026-03-17T00:00:00'), 1)).toEqual(at('2026-03-18T23:59:59'))
  expect(lastSecond(at('2026-03-17T23:59:59'), 30)).toEqual(at('2026-04-16T23:59:59'))
})

test('people are told a month, a week and a day before; of a short package only what is ahead', () => {
  const end = at('2026-05-31T23:59:59')
  const day = (text: string, validDays = 365) => warningDay(at(text), end, validDays)
  expect([day('2026-04-30T23:00:00'), day('2026-05-01T00:10:00'), day('2026-05-23T12:00:00')]).toEqual([undefined, 30, 30])
  expect([day('2026-05-24T00:10:00'), day('2026-05-30T00:10:00'), day('2026-05-31T00:10:00')]).toEqual([7, 1, 1])
  expect([day('2026-05-02T00:10:00', 30), day('2026-05-24T00:10:00', 30), day('2026-05-31T00:10:00', 1)]).toEqual([undefined, 7, undefined])
})
