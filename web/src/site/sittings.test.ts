import { expect, it } from 'vitest'
import type { RoomPack } from '#contract/ticket/exam-day.ts'
import { knownNow } from './clock.ts'
import { freshMarks } from './day.ts'
import { daysOf, doorClosesAt, hasBegun, isDayBefore, isEarly, type OpenRoom } from './sittings.ts'

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
  ...{ present: 0, late: 0, absent: 0, violations: 0, byResult: 0, notes: 0, closed: false },
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

it('[12.2.11] nobody is late or absent before the start, and people are let in for as long as the paper says', () => {
  const paper = { ...room('001', '2026-03-17'), lateMinutes: 30 }
  const at = (time: string) => Date.parse(`2026-03-17T${time}:00+08:00`)
  expect([hasBegun(paper, at('08:59')), hasBegun(paper, at('09:00')), hasBegun({ startTime: '' }, 0)]).toEqual([false, true, true])
  expect([doorClosesAt(paper), doorClosesAt({ ...paper, lateMinutes: 0 })]).toEqual(['09:30', '09:00'])
})

it('[12.2.11] without an answer the day goes by the clock that the server had, and is never before the rooms were given out', () => {
  const issued = Date.parse('2026-12-21T08:30:00+08:00')
  const offset = 25 * 86_400_000
  // The phone's own date is weeks behind, as the server told it.
  expect(knownNow({ deviceNow: issued - offset + 60_000, offset, notBefore: issued })).toBe(issued + 60_000)
  // Its battery was empty and it begins at 1970.
  expect(knownNow({ deviceNow: 0, offset, notBefore: issued })).toBe(issued)
})

it('[12.2.11] a note that is typed beside a mark is kept with it, as a note of its own', () => {
  const before = { markId: 'm1', ticketId: '5', kind: 1, note: '', at: 1, replaces: [], room: 'r', userId: '1', isSent: true }
  const shownMarks = (kind: number, note: string) =>
    freshMarks({ room: 'r', userId: '1', at: 2, known: [before] }, ['5'], kind, note).map(({ markId: _, ...mark }) => mark)
  const base = { ticketId: '5', at: 2, room: 'r', userId: '1', isSent: false }
  const noted = { ...base, kind: 4, note: '未带身份证', replaces: [] }
  expect(shownMarks(3, '未带身份证')).toEqual([{ ...base, kind: 3, note: '', replaces: ['m1'] }, noted])
  expect(shownMarks(3, '')).toEqual([{ ...base, kind: 3, note: '', replaces: ['m1'] }])
  expect(shownMarks(4, '未带身份证')).toEqual([noted])
})
