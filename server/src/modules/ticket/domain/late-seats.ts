import { type Room, seatsOf } from './room.ts'

/** Somebody who became eligible after the seats were drawn. */
export interface Latecomer {
  readonly signupId: string
  readonly signNo: string
}
export interface LatePlace {
  readonly signupId: string
  readonly siteCode: string
  readonly roomNo: string
  readonly seatNo: number
}

/** Where somebody sits, as one text. */
export const seatKey = (siteCode: string, roomNo: string, seatNo: number): string => `${siteCode}-${roomNo}-${seatNo}`

/** Free seats of all rooms: those that were kept for late additions first, the last of each room's numbering, then any other. */
const freeSeats = (rooms: readonly Room[], taken: ReadonlySet<string>): Omit<LatePlace, 'signupId'>[] => {
  const seats = rooms.flatMap(room => {
    const all = seatsOf(room)
      .map(seat => seat.seatNo)
      .sort((a, b) => a - b)
    const firstSpare = all.length - (room.spare ?? 0)
    return all.map((seatNo, at) => ({ siteCode: room.siteCode, roomNo: room.roomNo, seatNo, isSpare: at >= firstSpare }))
  })
  const free = seats.filter(seat => !taken.has(seatKey(seat.siteCode, seat.roomNo, seat.seatNo)))
  return [...free.filter(seat => seat.isSpare), ...free.filter(seat => !seat.isSpare)].map(({ isSpare: _, ...seat }) => seat)
}

/**
 * Seats for those who come late, by sign-up number; nobody who sits already is moved (domain 7.4, last rule). Whoever has a seat in another paper
 * stays at that site while it has room.
 * @returns the places, and those for whom none is left
 */
export const seatLatecomers = (
  people: readonly Latecomer[],
  rooms: readonly Room[],
  taken: ReadonlySet<string>,
  siteOf: ReadonlyMap<string, string>,
): { readonly places: readonly LatePlace[]; readonly without: readonly Latecomer[] } => {
  const free = freeSeats(rooms, taken)
  const places: LatePlace[] = []
  const without: Latecomer[] = []
  for (const person of [...people].sort((a, b) => (a.signNo < b.signNo ? -1 : a.signNo > b.signNo ? 1 : 0))) {
    const site = siteOf.get(person.signupId)
    const atSite = site === undefined ? 0 : free.findIndex(seat => seat.siteCode === site)
    const [seat] = free.splice(Math.max(atSite, 0), 1)
    if (seat === undefined) without.push(person)
    else places.push({ signupId: person.signupId, ...seat })
  }
  return { places, without }
}
