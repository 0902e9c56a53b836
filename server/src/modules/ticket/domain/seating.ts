import { improveNeighbours } from './adjacency.ts'
import { type DrawKey, drawStream, type Hmac, shuffle } from './draw.ts'
import { capacityOf, checkRooms, type Room, type RoomProblem, seatsOf } from './room.ts'

export interface Sitter {
  readonly signupId: string
  /** 报名序号: the frozen list is sorted by it before the draw. */
  readonly signNo: string
  /** Post code; two of the same should not sit side by side. */
  readonly code: string
  readonly needsAccess?: boolean
  /** People with the same text (surname and address, school class) should not sit side by side either. */
  readonly relatedKey?: string
}

export interface Placement {
  readonly signupId: string
  readonly siteCode: string
  readonly roomNo: string
  readonly seatNo: number
  readonly row: number
  readonly col: number
}

export interface SeatingPlan {
  readonly ok: true
  /** Room by room in the order of filling, seat by seat. */
  readonly placements: readonly Placement[]
  readonly capacity: number
  /** Seats that stay free, without those kept as `spare`. */
  readonly free: number
  readonly roomsUsed: number
  /** Pairs of neighbours of one post (or related) that no tried swap could part. */
  readonly conflicts: number
  /** People with accessibility needs for whom no accessible seat was left. */
  readonly withoutAccess: readonly string[]
}

export type SeatingRefusal =
  | {
      readonly ok: false
      readonly reason: 'rooms'
      readonly problems: readonly { siteCode: string; roomNo: string; problem: RoomProblem }[]
    }
  /** 2301: so many people more than seats. */
  | { readonly ok: false; readonly reason: 'shortage'; readonly shortage: number; readonly capacity: number }

/** Fewest people in the last room while the room before it can give some (domain 7.4 rule 4). */
const LEAST_IN_LAST_ROOM = 10

type Filling = { readonly room: Room; readonly capacity: number; readonly bound: Sitter[]; readonly others: Sitter[] }

/**
 * Allots seats in mode `random` (domain 7.4): the list sorted by sign-up number is shuffled with the committed seed, people who need
 * access take accessible rooms from the ground floor up, the others fill the rooms in the given order, site by site, then neighbours of one post are
 * parted by swaps. The same seed and list give the same plan.
 */
export function allocateSeats(sitters: readonly Sitter[], rooms: readonly Room[], key: DrawKey, hmac: Hmac): SeatingPlan | SeatingRefusal {
  const problems = checkRooms(rooms)
  if (problems.length > 0) return { ok: false, reason: 'rooms', problems }
  const capacity = rooms.reduce((sum, room) => sum + capacityOf(room), 0)
  if (sitters.length > capacity) return { ok: false, reason: 'shortage', shortage: sitters.length - capacity, capacity }

  const drawn = shuffle([...sitters].sort(bySignNo), drawStream(hmac, key))

  const fillings = bySite(rooms).map((room): Filling => ({ room, capacity: capacityOf(room), bound: [], others: [] }))
  const withoutAccess = placeAccess(
    drawn.filter(sitter => sitter.needsAccess),
    fillings,
  )
  const rest = drawn.filter(sitter => !sitter.needsAccess).concat(withoutAccess)
  const order = [...fillings.filter(filling => filling.bound.length > 0), ...fillings.filter(filling => filling.bound.length === 0)]
  let next = 0
  for (const filling of order) {
    const take = Math.min(filling.capacity - filling.bound.length, rest.length - next)
    for (let i = 0; i < take; i++) filling.others.push(rest[next++] as Sitter)
  }
  const used = order.filter(filling => filling.bound.length + filling.others.length > 0)
  balanceLast(used)

  const seated = used.map(filling => {
    const seats = seatsOf(filling.room)
    const people = [...filling.bound, ...filling.others]
    return { room: filling.room, pinned: filling.bound.length, seats: seats.slice(0, people.length), people }
  })
  const conflicts = improveNeighbours(seated)
  return {
    ok: true,
    placements: seated.flatMap(({ room, seats, people }) =>
      people.map((person, i) => {
        const { seatNo, row, col } = seats[i] as { seatNo: number; row: number; col: number }
        return { signupId: person.signupId, siteCode: room.siteCode, roomNo: room.roomNo, seatNo, row, col }
      }),
    ),
    capacity,
    free: capacity - sitters.length,
    roomsUsed: used.length,
    conflicts,
    withoutAccess: withoutAccess.map(sitter => sitter.signupId),
  }
}

/**
 * Allots a further group of papers so that everybody stays at the site of an earlier one (domain 7.4 rule 7). Each site is a draw of its
 * own, with `itemGroup@siteCode` in the place of the group. People without an earlier site, in the order of sign-up numbers, go to the
 * first site that has seats left.
 * @param siteOf site code by sign-up id
 */
export function allocateAtSites(
  sitters: readonly Sitter[],
  siteOf: ReadonlyMap<string, string>,
  rooms: readonly Room[],
  key: DrawKey,
  hmac: Hmac,
): SeatingPlan | SeatingRefusal {
  const problems = checkRooms(rooms)
  if (problems.length > 0) return { ok: false, reason: 'rooms', problems }
  const sites = new Map<string, { rooms: Room[]; capacity: number; sitters: Sitter[] }>()
  for (const room of rooms) {
    const site = sites.get(room.siteCode) ?? { rooms: [], capacity: 0, sitters: [] }
    site.rooms.push(room)
    site.capacity += capacityOf(room)
    sites.set(room.siteCode, site)
  }
  const siteless: Sitter[] = []
  for (const sitter of sitters) (sites.get(siteOf.get(sitter.signupId) ?? '')?.sitters ?? siteless).push(sitter)
  let unplaced = 0
  for (const sitter of siteless.sort(bySignNo)) {
    const site = [...sites.values()].find(one => one.sitters.length < one.capacity)
    if (site) site.sitters.push(sitter)
    else unplaced++
  }
  const overflow = [...sites.values()].reduce((sum, site) => sum + Math.max(0, site.sitters.length - site.capacity), 0)
  const capacity = [...sites.values()].reduce((sum, site) => sum + site.capacity, 0)
  if (unplaced + overflow > 0) return { ok: false, reason: 'shortage', shortage: unplaced + overflow, capacity }
  const plans = [...sites].map(([siteCode, site]) =>
    allocateSeats(site.sitters, site.rooms, { ...key, itemGroup: `${key.itemGroup}@${siteCode}` }, hmac),
  )
  const made = plans.filter(plan => plan.ok)
  return {
    ok: true,
    placements: made.flatMap(plan => plan.placements),
    capacity,
    free: capacity - sitters.length,
    roomsUsed: made.reduce((sum, plan) => sum + plan.roomsUsed, 0),
    conflicts: made.reduce((sum, plan) => sum + plan.conflicts, 0),
    withoutAccess: made.flatMap(plan => plan.withoutAccess),
  }
}

const bySignNo = (a: Sitter, b: Sitter): number => (a.signNo < b.signNo ? -1 : a.signNo > b.signNo ? 1 : 0)

/** Rooms of one site stay together, sites in the order of their first room. */
function bySite(rooms: readonly Room[]): Room[] {
  const sites = new Map<string, Room[]>()
  for (const room of rooms) sites.set(room.siteCode, [...(sites.get(room.siteCode) ?? []), room])
  return [...sites.values()].flat()
}

/** @returns those for whom no accessible seat was left */
function placeAccess(people: readonly Sitter[], fillings: readonly Filling[]): Sitter[] {
  const accessible = fillings.filter(filling => filling.room.accessible).sort((a, b) => (a.room.floor ?? 1) - (b.room.floor ?? 1))
  let next = 0
  for (const filling of accessible) {
    while (next < people.length && filling.bound.length < filling.capacity) filling.bound.push(people[next++] as Sitter)
  }
  return people.slice(next)
}

/** A last room of fewer than ten takes people from the room before it until both hold about the same. */
function balanceLast(used: readonly Filling[]): void {
  const last = used.at(-1)
  const previous = used.at(-2)
  if (!last || !previous) return
  const count = (filling: Filling) => filling.bound.length + filling.others.length
  if (count(last) >= LEAST_IN_LAST_ROOM) return
  const target = Math.min(last.capacity, Math.floor((count(last) + count(previous)) / 2))
  const give = Math.min(target - count(last), previous.others.length)
  if (give > 0) last.others.unshift(...previous.others.splice(previous.others.length - give, give))
}
