import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { attendanceOf, countingMark, type DayMark, markKinds, readTicketCode } from './exam-day.ts'

const mark = (markId: string, kind: number, at: number, replaces: readonly string[] = []): DayMark => ({
  ...{ markId, kind, at, replaces },
  ...{ ticketId: '1', note: '' },
})
const { none, present, late, absent, note } = markKinds

describe('marks at the door', () => {
  it.each([
    ['nothing', [], 0],
    ['one', [mark('a', absent, 1)], absent],
    ['a mark that replaces the one before', [mark('a', absent, 1), mark('b', late, 2, ['a'])], late],
    ['seen by one, missed by another that did not know', [mark('a', present, 1), mark('b', absent, 9)], present],
    ['late for one, and seen before that by another', [mark('a', late, 5), mark('b', present, 3)], present],
    ['taken back by whoever knew of it', [mark('a', present, 1), mark('b', none, 2, ['a'])], none],
    ['taken back on one device while another saw the person', [mark('a', present, 1), mark('b', none, 2, ['a']), mark('c', late, 4)], late],
    ['corrected by somebody who knew of both', [mark('a', present, 1), mark('b', absent, 2), mark('c', absent, 3, ['a', 'b'])], absent],
    ['notes beside', [mark('a', note, 9), mark('b', absent, 1)], absent],
  ] as const)('%s', (_, marks, kind) => expect(attendanceOf(marks)).toBe(kind))

  it('come to the same whatever the order in which they arrive', () => {
    const some = fc.array(
      fc.record({
        kind: fc.integer({ min: 0, max: 4 }),
        at: fc.integer({ min: 0, max: 5 }),
        seen: fc.array(fc.integer({ min: 0, max: 7 })),
      }),
      { maxLength: 8 },
    )
    fc.assert(
      fc.property(some, fc.infiniteStream(fc.nat()), (facts, order) => {
        const marks = facts.map(({ kind, at, seen }, i) =>
          mark(
            `m${i}`,
            kind,
            at,
            seen.filter(n => n < i).map(n => `m${n}`),
          ),
        )
        const mixed = marks.map(one => [order.next().value ?? 0, one] as const).sort((a, b) => a[0] - b[0])
        expect(countingMark(mixed.map(([, one]) => one))).toEqual(countingMark(marks))
      }),
    )
  })
})

describe('what was scanned or typed', () => {
  const code = 'A'.repeat(43)
  it.each([
    [`https://kaopu.example/t/000001-${code}`, { code }],
    [`https://kaopu.example/t/000001-${code}?x=1`, { code }],
    ['2603 0101 2173', { ticketNo: '260301012173' }],
    ['ab-123', { ticketNo: 'AB123' }],
    ['https://elsewhere.example/', undefined],
    ['', undefined],
  ])('%j', (text, meant) => expect(readTicketCode(text)).toEqual(meant))
})
