import { expect, test } from 'vitest'
import { nextMorning, quietUntil } from './quiet.ts'

const at = (text: string): Date => new Date(`2026-03-17T${text}+08:00`)

test.each([
  ['21:59:59', undefined],
  ['22:00:00', '2026-03-18T08:00:00+08:00'],
  ['23:59:59', '2026-03-18T08:00:00+08:00'],
  ['00:00:00', '2026-03-17T08:00:00+08:00'],
  ['07:59:59', '2026-03-17T08:00:00+08:00'],
  ['08:00:00', undefined],
])('over midnight: at %s it is quiet until %s', (time, until) =>
  expect(quietUntil('22:00-08:00', at(time))).toEqual(until === undefined ? undefined : new Date(until)),
)

test('within one day, at no time, and where nobody has said when', () => {
  expect(quietUntil('12:00-14:00', at('13:00:00'))).toEqual(at('14:00:00'))
  expect(quietUntil('12:00-14:00', at('14:00:00'))).toBeUndefined()
  expect(quietUntil('0', at('23:00:00'))).toBeUndefined()
  expect(quietUntil(undefined, at('23:00:00'))).toEqual(new Date('2026-03-18T08:00:00+08:00'))
})

test('the morning of the next day', () => expect(nextMorning(at('00:10:00'))).toEqual(new Date('2026-03-18T08:00:00+08:00')))
