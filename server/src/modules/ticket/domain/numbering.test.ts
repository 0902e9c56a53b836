import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkDigit, interviewTicketNo, isTicketNo, writtenTicketNo } from './numbering.ts'

describe('ticket numbers', () => {
  it.each([
    ['26030101217', '3'],
    ['26030100101', '6'],
    ['26039001003', '0'],
    ['26030200530', '2'],
  ])('%s has the check digit %s', (digits, expected) => expect(checkDigit(digits)).toBe(expected))

  it('are put together from the place', () => {
    expect(writtenTicketNo({ year: 2026, examNo: 3, siteNo: 1, roomNo: 12, seatNo: 17 })).toBe('260301012173')
    expect(interviewTicketNo({ year: 2026, examNo: 3, groupNo: 1, sequence: 3 })).toBe('260390010030')
  })

  it.each([
    { year: 2026, examNo: 0, siteNo: 1, roomNo: 1, seatNo: 1 },
    { year: 2026, examNo: 1, siteNo: 90, roomNo: 1, seatNo: 1 },
    { year: 2026, examNo: 1, siteNo: 1, roomNo: 1000, seatNo: 1 },
    { year: 2026, examNo: 1, siteNo: 1, roomNo: 1, seatNo: 100 },
    { year: 26, examNo: 1, siteNo: 1, roomNo: 1, seatNo: 1 },
    { year: 2026, examNo: 1.5, siteNo: 1, roomNo: 1, seatNo: 1 },
  ])('are not made for %j', place => expect(() => writtenTicketNo(place)).toThrow(RangeError))

  it('are unique per place, valid, and invalid with any one digit changed', () => {
    const place = fc.record({
      year: fc.integer({ min: 2000, max: 2099 }),
      examNo: fc.integer({ min: 1, max: 99 }),
      siteNo: fc.integer({ min: 1, max: 89 }),
      roomNo: fc.integer({ min: 1, max: 999 }),
      seatNo: fc.integer({ min: 1, max: 99 }),
    })
    fc.assert(
      fc.property(place, fc.integer({ min: 0, max: 11 }), fc.integer({ min: 1, max: 9 }), (where, at, by) => {
        const no = writtenTicketNo(where)
        expect(isTicketNo(no)).toBe(true)
        expect(isTicketNo(no.slice(0, at) + String((Number(no[at]) + by) % 10) + no.slice(at + 1))).toBe(false)
      }),
    )
    expect(isTicketNo('26030101217')).toBe(false)
  })
})
