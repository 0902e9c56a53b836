import { expect, test } from 'vitest'
import { counted, isOffHours, leastLimitOf, limitOf, sumWithin, usualOf, type Volume, windowOf } from './volume.ts'

const office = { from: 8, to: 18, days: 5, daysOff: new Set<string>(), workDays: new Set<string>() }
const at = (text: string) => new Date(`${text}+08:00`)

test('a window is the hour or the day of Asia/Shanghai', () => {
  const late = at('2026-03-17T00:30:00')
  expect([windowOf('hour', late), windowOf('day', late)]).toEqual([
    { start: at('2026-03-17T00:00:00'), end: at('2026-03-17T01:00:00') },
    { start: at('2026-03-17T00:00:00'), end: at('2026-03-18T00:00:00') },
  ])
})

test('outside office hours is before, after and at the weekend', () => {
  const cases = ['2026-03-17T07:00:00', '2026-03-17T08:00:00', '2026-03-17T17:00:00', '2026-03-17T18:00:00', '2026-03-21T10:00:00']
  expect(cases.map(text => isOffHours(at(text), office))).toEqual([true, false, false, true, true])
  expect(isOffHours(at('2026-03-21T10:00:00'), { ...office, days: 6 })).toBe(false)
  const volumes = cases.map((text, index): Volume => ({ hour: at(text), amount: 10 ** index }))
  expect(sumWithin(counted(volumes, true, office), windowOf('day', at('2026-03-17T12:00:00')))).toBe(1_001)
  expect(sumWithin(volumes, windowOf('day', at('2026-03-17T12:00:00')))).toBe(1_111)
})

test('a holiday is off all day, a weekend that is worked has office hours, and both count as what they are for the habit', () => {
  const autumn = { ...office, daysOff: new Set(['2026-10-01', '2026-10-02']), workDays: new Set(['2026-10-10']) }
  const cases = [
    '2026-10-01T10:00:00',
    '2026-10-01T23:30:00',
    '2026-10-03T10:00:00',
    '2026-10-10T10:00:00',
    '2026-10-10T19:00:00',
    '2026-10-09T10:00:00',
  ]
  expect(cases.map(text => isOffHours(at(text), autumn))).toEqual([true, true, true, false, true, false])
  // The fourteen working days before Monday the twelfth begin on the 22nd; without the two holidays and with the Saturday on the 21st.
  const volumes = Array.from({ length: 9 }, (_, day): Volume => ({ hour: at(`2026-09-${21 + day}T09:00:00`), amount: 50 }))
  const window = windowOf('day', at('2026-10-12T10:00:00'))
  expect([usualOf(volumes, 'day', window, office), usualOf(volumes, 'day', window, autumn)]).toEqual([0, 25])
})

test('usual is the median of fourteen working days, days of nothing included, weekends and today left out', () => {
  const window = windowOf('day', at('2026-03-17T10:00:00'))
  // Tuesday 17 March; the fourteen working days before it begin on 25 February.
  const worked = ['02-24', '02-25', '02-26', '02-27', '03-02', '03-03', '03-04', '03-05', '03-06']
  const volumes = worked.flatMap((day): Volume[] => [
    { hour: at(`2026-${day}T09:00:00`), amount: 30 },
    { hour: at(`2026-${day}T14:00:00`), amount: 10 },
  ])
  const noise: Volume[] = [
    { hour: at('2026-03-14T09:00:00'), amount: 9_000 },
    { hour: at('2026-03-17T09:00:00'), amount: 9_000 },
  ]
  expect(usualOf([...volumes, ...noise], 'day', window, office)).toBe(40)
  expect(usualOf([...volumes, ...noise], 'hour', windowOf('hour', at('2026-03-17T10:00:00')), office)).toBe(30)
  // Without the day before the fourteen, and one more gone, half of them were idle.
  expect(usualOf(volumes.slice(4), 'day', window, office)).toBe(20)
  expect(usualOf([], 'day', window, office)).toBe(0)
})

test('a rule speaks from its number on, or above its multiple of what is usual, never below its floor', () => {
  expect([
    limitOf({ threshold: 500, factor: null, floor: 1 }, 1_000),
    limitOf({ threshold: null, factor: 4, floor: 150 }, 10),
    limitOf({ threshold: null, factor: 4, floor: 150 }, 100),
    limitOf({ threshold: null, factor: 2.5, floor: 1 }, 3),
    limitOf({ threshold: 300, factor: 4, floor: 150 }, 100),
    leastLimitOf({ threshold: 500, factor: 4, floor: 150 }),
    leastLimitOf({ threshold: 100, factor: 4, floor: 150 }),
  ]).toEqual([500, 150, 401, 8, 300, 150, 100])
})
