import { expect, it } from 'vitest'
import type { RoomPack } from '#contract/ticket/exam-day.ts'
import { daysOf, isDayBefore, isEarly, type OpenRoom } from './sittings.ts'

const now = Date.parse('2026-03-17T20:00:00+08:00')
const room = (roomNo: string, day: string) => ({
  ...{
    examId: '1',
    examName: 'E',
    itemId: '7',
    itemName: '护理学',
    siteCode: '01',
    siteName: '第一中学',
    roomNo,
    roomName: '',
    seated: 30,
  },
  ...{ present: 0, late: 0, absent: 0, violations: 0, byResult: 0 },
  ...{ startTime: `${day} 09:00:00`, endTime: `${day} 11:00:00` },
})
const keptOf = (roomNo: string, day: string): OpenRoom => ({
  key: `7.01.${roomNo}`,
  pack: {
    ...room(roomNo, day),
    ...{ lateMinutes: 0, userId: '1', issuedAt: 0, expiresAt: 0, people: [], voidCodes: [], clauses: [] },
  } satisfies RoomPack,
})
const shown = (of: ReturnType<typeof daysOf>) => ({
  today: of.today.map(({ roomNo, isKept }) => [roomNo, isKept]),
  next: of.next.map(({ roomNo, isKept }) => [roomNo, isKept]),
})

it('[12.2.11] shows the next day beside today, and what was taken along the day before waits there', () => {
  const coming = [room('003', '2026-03-18'), room('004', '2026-03-18')]
  const kept = [keptOf('001', '2026-03-17'), keptOf('003', '2026-03-18')]
  expect(shown(daysOf({ rooms: [room('001', '2026-03-17'), room('002', '2026-03-17')], coming, kept }, now))).toEqual({
    ...{
      today: [
        ['001', true],
        ['002', false],
      ],
      next: [
        ['003', true],
        ['004', false],
      ],
    },
  })
  // Without a network only this device knows of them.
  expect(shown(daysOf({ rooms: [], coming: [], kept }, now))).toEqual({ today: [['001', true]], next: [['003', true]] })
  // Over midnight the next day becomes today.
  expect(shown(daysOf({ rooms: [], coming, kept: [] }, now + 5 * 3_600_000))).toEqual({
    today: [
      ['003', false],
      ['004', false],
    ],
    next: [],
  })
})

it('[12.2.11] lets a room be taken along the day before and people be marked on its day', () => {
  expect(
    ['2026-03-17', '2026-03-18', '2026-03-19'].map(day => [isDayBefore(room('001', day), now), isEarly(room('001', day), now)]),
  ).toEqual([
    [true, false],
    [true, true],
    [false, true],
  ])
})
