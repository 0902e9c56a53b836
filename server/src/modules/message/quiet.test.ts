import { expect, test } from 'vitest'
import { toWireTime } from '#contract/kernel/when.ts'
import { byDay } from './quiet.ts'

test.each([
  ['2026-03-16 08:00:00', '2026-03-16 08:00:00'],
  ['2026-03-16 21:59:59', '2026-03-16 21:59:59'],
  ['2026-03-16 22:00:00', '2026-03-17 08:00:00'],
  ['2026-03-16 23:59:59', '2026-03-17 08:00:00'],
  ['2026-03-17 00:00:00', '2026-03-17 08:00:00'],
  ['2026-03-17 07:59:59', '2026-03-17 08:00:00'],
])('a text message that can wait and is written at %s leaves at %s', (written, leaves) => {
  expect(toWireTime(byDay(new Date(`${written.replace(' ', 'T')}+08:00`)))).toBe(leaves)
})
