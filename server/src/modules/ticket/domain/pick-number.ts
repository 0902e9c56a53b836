import { writtenTicketNo } from './numbering.ts'

export interface NumberedPlace {
  readonly year: number
  readonly examNo: number
  readonly siteNo: number
  readonly roomNo: number
  readonly seatNo: number
}

/**
 * The number of a place, or, when somebody else carries it already (a person of another group of papers, a seat that was left after
 * its release), the highest free seat number of the room, then of the rooms above: unique before everything else (domain 7.5).
 * The number is added to `used`.
 */
export const pickNumber = (place: NumberedPlace, used: Set<string>): string => {
  const take = (number: string): string | undefined => {
    if (used.has(number)) return undefined
    used.add(number)
    return number
  }
  const own = take(writtenTicketNo(place))
  if (own !== undefined) return own
  for (let room = place.roomNo; room <= 999; room++) {
    for (let seat = 99; seat >= 1; seat--) {
      const number = take(writtenTicketNo({ ...place, roomNo: room, seatNo: seat }))
      if (number !== undefined) return number
    }
  }
  throw new RangeError(`site ${place.siteNo} has no free ticket number`)
}
