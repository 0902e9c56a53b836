import { expect, it } from 'vitest'
import { comingOf, placeOfNext, whenOf } from './places.ts'

const sign = { key: 'sign', paper: '', begin: '2026-03-16 09:00:00', end: '2026-03-20 17:00:00' } as const
const score = { key: 'score', paper: '', begin: '2026-04-20 09:00:00', end: null } as const

it('tells past, now and coming apart at the very second', () => {
  expect(
    ['2026-03-16 08:59:59', '2026-03-16 09:00:00', '2026-03-20 16:59:59', '2026-03-20 17:00:00'].map(now => whenOf(sign, now)),
  ).toEqual(['coming', 'now', 'now', 'past'])
  // What only begins is over with its beginning.
  expect([whenOf(score, '2026-04-20 08:59:59'), whenOf(score, '2026-04-20 09:00:00')]).toEqual(['coming', 'past'])
})

it('finds the nearest date, an end as well as a beginning', () => {
  const line = [sign, score]
  expect(comingOf(line, '2026-03-17 00:00:00')).toEqual({ stretch: sign, time: sign.end, isEnd: true })
  expect(comingOf(line, '2026-03-21 00:00:00')).toEqual({ stretch: score, time: score.begin, isEnd: false })
  expect(comingOf(line, '2026-05-01 00:00:00')).toBeNull()
})

it('leads to the step of the set-up that mends the first problem', () => {
  const next = { key: 'mend', count: 2 } as const
  expect(placeOfNext({ next, problems: [{ path: 'signEnd', msg: '' }] })).toEqual({ section: 'setup', search: { step: '2' } })
})
