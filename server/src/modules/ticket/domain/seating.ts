import { type Conflict, improveNeighbours } from './adjacency.ts'
import { type DrawKey, drawStream, type Hmac, shuffle } from './draw.ts'
import { capacityOf, checkRooms, type Room, type RoomProblem, type Seat, seatsOf } from './room.ts'

export interface Sitter {
  readonly signupId: string
  /** 报名序号: the frozen list is sorted by it before the draw. */
  readonly signNo: string
  /** Post code; two of the same should not sit side by side. */
  readonly code: string
  /** Unit of the post. */
  readonly unit?: string
  readonly needsAccess?: boolean
  /** People who share one of these texts (surname and address, school class) should not sit side by side either. */
  readonly relatedKeys?: readonly string[]
}

/**
 * How people come to their seats (domain 7.4 rule 3). `random`: all are shuffled. `unit` and `code`: shuffled inside each unit or post, then
 * spread evenly over the rooms. `post`: each post sits together, shuffled inside, because their papers differ.
 */
export const seatingModes = ['random', 'post', 'unit', 'code'] as const
export type SeatingMode = (typeof seatingModes)[number]

/** Two neighbours who should be apart and are not. */
export interface SeatConflict {
  readonly siteCode: string
  readonly roomNo: string
  readonly seats: readonly [number, number]
  readonly signupIds: readonly [string, string]
  readonly why: 'post' | 'unit' | 'related'
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
  readonly conflicts: readonly SeatConflict[]
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

type Filling = { readonly room: Room; readonly capacity: number; readonly bound: Seated[]; readonly others: Seated[] }

/**
 * Allots seats (domain 7.4): the list sorted by sign-up number is ordered with the committed seed as the mode says, people who need
 * access take accessible rooms from the ground floor up, the others fill the rooms in the given order, site by site, then neighbours of one post are
 * parted by swaps. The same seed, mode and list give the same plan.
 */
export function allocateSeats(
  sitters: readonly Sitter[],
  rooms: readonly Room[],
  key: DrawKey,
  hmac: Hmac,
  mode: SeatingMode = 'random',
): SeatingPlan | SeatingRefusal {
  const problems = checkRooms(rooms)
  if (problems.length > 0) return { ok: false, reason: 'rooms', problems }
  const capacity = rooms.reduce((sum, room) => sum + capacityOf(room), 0)
  if (sitters.length > capacity) return { ok: false, reason: 'shortage', shortage: sitters.length - capacity, capacity }

  const drawn = order(
    [...sitters].sort(bySignNo).map(sitter => seatedAs(sitter, mode)),
    mode,
    drawStream(hmac, key),
  )

  const fillings = bySite(rooms).map((room): Filling => ({ room, capacity: capacityOf(room), bound: [], others: [] }))
  const withoutAccess = placeAccess(
    drawn.filter(sitter => sitter.needsAccess),
    fillings,
  )
  const rest = drawn.filter(sitter => !sitter.needsAccess).concat(withoutAccess)
  const inTurn = [...fillings.filter(filling => filling.bound.length > 0), ...fillings.filter(filling => filling.bound.length === 0)]
  let next = 0
  for (const filling of inTurn) {
    const take = Math.min(filling.capacity - filling.bound.length, rest.length - next)
    for (let i = 0; i < take; i++) filling.others.push(rest[next++] as Seated)
  }
  const used = inTurn.filter(filling => filling.bound.length + filling.others.length > 0)
  balanceLast(used)

  const seated = used.map(filling => {
    const seats = seatsOf(filling.room)
    const people = [...filling.bound, ...filling.others]
    return { room: filling.room, pinned: filling.bound.length, seats: seats.slice(0, people.length), people }
  })
  const conflicts = improveNeighbours(seated)
  const why = { random: 'post', code: 'post', unit: 'unit', post: 'related' } as const
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
    conflicts: conflicts.map(conflict => conflictOf(seated, conflict, why[mode])),
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
  mode: SeatingMode = 'random',
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
    allocateSeats(site.sitters, site.rooms, { ...key, itemGroup: `${key.itemGroup}@${siteCode}` }, hmac, mode),
  )
  const made = plans.filter(plan => plan.ok)
  return {
    ok: true,
    placements: made.flatMap(plan => plan.placements),
    capacity,
    free: capacity - sitters.length,
    roomsUsed: made.reduce((sum, plan) => sum + plan.roomsUsed, 0),
    conflicts: made.flatMap(plan => plan.conflicts),
    withoutAccess: made.flatMap(plan => plan.withoutAccess),
  }
}

const bySignNo = (a: Sitter, b: Sitter): number => (a.signNo < b.signNo ? -1 : a.signNo > b.signNo ? 1 : 0)

/** A sitter with what keeps two of them apart: the post, the unit, or in mode `post` nothing but how they are related. */
interface Seated extends Sitter {
  readonly apart: string
}
const seatedAs = (sitter: Sitter, mode: SeatingMode): Seated => ({
  ...sitter,
  apart: mode === 'post' ? '' : mode === 'unit' ? (sitter.unit ?? '') : sitter.code,
})

/** The list in the order of the draw (rule 3). */
function order(people: readonly Seated[], mode: SeatingMode, next: (below: number) => number): Seated[] {
  if (mode === 'random') return shuffle(people, next)
  const groups = Map.groupBy(people, person => (mode === 'unit' ? (person.unit ?? '') : person.code))
  const drawn = [...groups].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, members]) => shuffle(members, next))
  if (mode === 'post') return drawn.flat()
  // Each group is spread evenly over the whole: its k-th of n stands at (k + ½) / n.
  return drawn
    .flatMap((members, group) => members.map((person, k) => ({ person, group, at: (2 * k + 1) / (2 * members.length) })))
    .sort((a, b) => a.at - b.at || a.group - b.group)
    .map(({ person }) => person)
}

const conflictOf = (
  seated: readonly { readonly room: Room; readonly seats: readonly Seat[]; readonly people: readonly Seated[] }[],
  { room, seats: [a, b] }: Conflict,
  why: SeatConflict['why'],
): SeatConflict => {
  const { room: of, seats, people } = seated[room] as (typeof seated)[number]
  const [first, second] = [people[a] as Seated, people[b] as Seated]
  return {
    siteCode: of.siteCode,
    roomNo: of.roomNo,
    seats: [(seats[a] as Seat).seatNo, (seats[b] as Seat).seatNo],
    signupIds: [first.signupId, second.signupId],
    why: first.apart !== '' && first.apart === second.apart ? why : 'related',
  }
}

/** Rooms of one site stay together, sites in the order of their first room. */
function bySite(rooms: readonly Room[]): Room[] {
  const sites = new Map<string, Room[]>()
  for (const room of rooms) sites.set(room.siteCode, [...(sites.get(room.siteCode) ?? []), room])
  return [...sites.values()].flat()
}

/** @returns those for whom no accessible seat was left */
function placeAccess(people: readonly Seated[], fillings: readonly Filling[]): Seated[] {
  const accessible = fillings.filter(filling => filling.room.accessible).sort((a, b) => (a.room.floor ?? 1) - (b.room.floor ?? 1))
  let next = 0
  for (const filling of accessible) {
    while (next < people.length && filling.bound.length < filling.capacity) filling.bound.push(people[next++] as Seated)
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
