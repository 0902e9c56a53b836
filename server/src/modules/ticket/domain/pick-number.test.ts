import { describe, expect, it } from 'vitest'
import { isTicketNo } from './numbering.ts'
import { pickNumber } from './pick-number.ts'

const place = { year: 2026, examNo: 3, siteNo: 1, roomNo: 12, seatNo: 17 }

describe('the number of a place', () => {
  it('tells the place, and is another one with a right check digit when somebody carries it already', () => {
    const used = new Set<string>()
    expect(pickNumber(place, used)).toBe('260301012173')
    const second = pickNumber(place, used)
    expect([second.slice(0, 11), isTicketNo(second)]).toEqual(['26030101299', true])
    expect(used.size).toBe(2)
  })

  it('goes on to the next room when all 99 of a room are taken', () => {
    const used = new Set<string>()
    for (let i = 0; i < 99; i++) pickNumber(place, used)
    expect(pickNumber(place, used).slice(0, 11)).toBe('26030101399')
    expect(used.size).toBe(100)
  })
})
