import type { Room, Seat } from './room.ts'

/** What makes two neighbours a conflict. */
export interface Neighbour {
  /** Two of the same, unless it is empty, should not be neighbours. */
  readonly apart: string
  /** Neither should two who share one of these. */
  readonly relatedKeys?: readonly string[]
}

/** Two neighbours who stay in conflict: the room and their seats by index. */
export interface Conflict {
  readonly room: number
  readonly seats: readonly [number, number]
}

/** A room with its people, `people[i]` on `seats[i]`. The first `pinned` stay in this room. `people` is changed in place. */
export interface SeatedRoom<P extends Neighbour> {
  readonly room: Room
  readonly pinned: number
  readonly seats: readonly Seat[]
  readonly people: P[]
}

/** How many swaps are tried for one person before the conflict is left as it is (domain 7.4 rule 6). */
const SWAPS_PER_CONFLICT = 200
/** Rounds over all rooms; a swap may open the way for another. */
const ROUNDS = 3

const isConflict = (a: Neighbour, b: Neighbour): boolean =>
  (a.apart !== '' && a.apart === b.apart) || (a.relatedKeys?.some(key => b.relatedKeys?.includes(key)) ?? false)

/** Indexes of the seats left, right, in front and behind, for each seat. */
function neighboursOf(seats: readonly Seat[]): number[][] {
  const at = new Map(seats.map((seat, i) => [seat.row * 100 + seat.col, i]))
  return seats.map(({ row, col }) =>
    [row * 100 + col - 1, row * 100 + col + 1, (row - 1) * 100 + col, (row + 1) * 100 + col].flatMap(key => at.get(key) ?? []),
  )
}

/**
 * Parts neighbours of one post by swapping people, inside the room first, then with the rooms that follow. A swap is kept only when it
 * leaves fewer conflicts than before, so the outcome depends on nothing but the input.
 * @returns pairs of neighbours that are still in conflict
 */
export function improveNeighbours<P extends Neighbour>(rooms: readonly SeatedRoom<P>[]): Conflict[] {
  const adjacent = rooms.map(room => neighboursOf(room.seats))
  /** Conflicts of `person` on a seat; the seat `except` of the same room is looked at as if it held `instead`. */
  const count = (room: number, seat: number, person: P, except = -1, instead?: P): number => {
    const { people } = rooms[room] as SeatedRoom<P>
    let conflicts = 0
    for (const next of adjacent[room]?.[seat] ?? []) {
      if (isConflict(person, (next === except ? instead : people[next]) as P)) conflicts++
    }
    return conflicts
  }
  /** Swaps when that leaves fewer conflicts. */
  const trySwap = (roomA: number, a: number, roomB: number, b: number): boolean => {
    const [peopleA, peopleB] = [(rooms[roomA] as SeatedRoom<P>).people, (rooms[roomB] as SeatedRoom<P>).people]
    const [first, second] = [peopleA[a] as P, peopleB[b] as P]
    const same = roomA === roomB
    const before = count(roomA, a, first) + count(roomB, b, second)
    const after = same
      ? count(roomA, a, second, b, first) + count(roomB, b, first, a, second)
      : count(roomA, a, second) + count(roomB, b, first)
    if (after >= before) return false
    peopleA[a] = second
    peopleB[b] = first
    return true
  }
  const part = (room: number, seat: number): boolean => {
    const here = rooms[room] as SeatedRoom<P>
    let tries = 0
    for (let other = 0; other < here.people.length && tries < SWAPS_PER_CONFLICT; other++) {
      if (other === seat) continue
      tries++
      if (trySwap(room, seat, room, other)) return true
    }
    // Inside the room the pinned may move; only the others may leave it. Positions below `pinned` no longer tell who is pinned
    // after swaps, so rooms with pinned people keep all of theirs.
    if (here.pinned > 0) return false
    for (let step = 1; step < rooms.length && tries < SWAPS_PER_CONFLICT; step++) {
      const far = (room + step) % rooms.length
      const there = rooms[far] as SeatedRoom<P>
      if (there.pinned > 0) continue
      for (let other = 0; other < there.people.length && tries < SWAPS_PER_CONFLICT; other++) {
        tries++
        if (trySwap(room, seat, far, other)) return true
      }
    }
    return false
  }
  for (let round = 0; round < ROUNDS; round++) {
    let swapped = false
    rooms.forEach(({ people }, room) => {
      for (let seat = 0; seat < people.length; seat++) {
        while (count(room, seat, people[seat] as P) > 0 && part(room, seat)) swapped = true
      }
    })
    if (!swapped) break
  }
  return rooms.flatMap(({ people }, room) =>
    people.flatMap((person, seat) =>
      (adjacent[room]?.[seat] ?? []).flatMap(next =>
        next > seat && people[next] !== undefined && isConflict(person, people[next]) ? [{ room, seats: [seat, next] as const }] : [],
      ),
    ),
  )
}
