import { describe, expect, it } from 'vitest'
import { seatKey, seatLatecomers } from './late-seats.ts'
import type { Room } from './room.ts'

const room = (siteCode: string, roomNo: string, spare = 0): Room => ({ siteCode, roomNo, rows: 2, cols: 2, layout: 'Z', spare })
const people = (...numbers: number[]) => numbers.map(n => ({ signupId: `s${n}`, signNo: String(n) }))
const shown = ({ places, without }: ReturnType<typeof seatLatecomers>) => [
  places.map(place => `${place.signupId} ${seatKey(place.siteCode, place.roomNo, place.seatNo)}`),
  without.map(person => person.signupId),
]
const none = new Map<string, string>()

describe('[S7.39] seats for those who come late', () => {
  it('are the spare ones first, over all rooms, then what else is free, by sign-up number', () => {
    const rooms = [room('01', '001', 1), room('01', '002', 1)]
    const taken = new Set([seatKey('01', '001', 1), seatKey('01', '001', 2), seatKey('01', '002', 1), seatKey('01', '002', 3)])
    expect(shown(seatLatecomers(people(3, 1, 2, 4, 5), rooms, taken, none))).toEqual([
      ['s1 01-001-4', 's2 01-002-4', 's3 01-001-3', 's4 01-002-2'],
      ['s5'],
    ])
  })

  it('are at the site where somebody sits already, while it has one', () => {
    const rooms = [room('01', '001', 1), room('02', '001', 1)]
    const full = new Set([1, 2, 3].map(seat => seatKey('02', '001', seat)))
    const sites = new Map([
      ['s2', '02'],
      ['s3', '02'],
    ])
    expect(shown(seatLatecomers(people(1, 2, 3), rooms, full, sites))).toEqual([['s1 01-001-4', 's2 02-001-4', 's3 01-001-1'], []])
  })

  it('are nowhere where everything is taken', () => {
    expect(shown(seatLatecomers(people(1), [], new Set(), none))).toEqual([[], ['s1']])
  })
})
