import { expect, it } from 'vitest'
import { nextDateOf } from './next-date.ts'

it('names the nearest date that is still to come, and none after the last', () => {
  const row = {
    id: '1',
    signBegin: '2026-03-16 09:00:00',
    signEnd: '2026-03-20 17:00:00',
    examineEnd: '2026-03-21 17:00:00',
    payEnd: null,
    msTicketEnd: '2026-04-08 00:00:00',
  }
  expect(
    ['2026-03-15 00:00:00', '2026-03-16 09:00:00', '2026-03-20 17:00:00', '2026-03-22 00:00:00', '2026-04-08 00:00:00'].map(
      now => nextDateOf(row, now)?.key,
    ),
  ).toEqual(['signBegin', 'signEnd', 'examineEnd', 'msTicketEnd', undefined])
})
