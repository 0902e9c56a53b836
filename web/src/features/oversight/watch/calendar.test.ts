import { expect, test } from 'vitest'
import { daysOf, daysText } from './calendar.ts'

test('days are typed one by one or as a span, and shown the same way', () => {
  const typed = '2026-10-01 ~ 2026-10-03\n2026-01-01, 2026-12-31～2027-01-01\n\n2026-10-02'
  const days = ['2026-01-01', '2026-10-01', '2026-10-02', '2026-10-03', '2026-12-31', '2027-01-01']
  expect(daysOf(typed)).toEqual({ days })
  expect(daysText(days)).toBe('2026-01-01\n2026-10-01 ~ 2026-10-03\n2026-12-31 ~ 2027-01-01')
  expect([daysOf(''), daysText([])]).toEqual([{ days: [] }, ''])
})

test('what is no day, ends before it begins or has no end is named', () => {
  for (const wrong of [
    '2026-02-30',
    '10-01',
    '2026-10-03 ~ 2026-10-01',
    '2026-10-01 ~',
    '2026-10-01 ~ 2026-10-02 ~ 2026-10-03',
    '2026-01-01 ~ 2027-12-31',
  ])
    expect(daysOf(`2026-01-01\n${wrong}`)).toEqual({ wrong })
})
