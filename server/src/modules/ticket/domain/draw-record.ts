import type { Room } from './room.ts'
import type { Placement, SeatingMode, Sitter } from './seating.ts'

export interface DrawFacts {
  readonly examId: string
  readonly itemGroup: string
  readonly version: number
  readonly mode: SeatingMode
  readonly seedCommit: string
  readonly rooms: readonly Room[]
  readonly sitters: readonly Sitter[]
  /** Where people have to stay, by sign-up; undefined for the first draw of an examination. */
  readonly siteOf?: ReadonlyMap<string, string> | undefined
  readonly placements: readonly Placement[]
}

/** What keeps somebody’s seat from being guessed from its hash, by sign-up. */
export type Salts = ReadonlyMap<string, string>

/** What of a room the draw looks at, in a fixed order. */
const roomOf = ({ siteCode, roomNo, rows, cols, layout = 'S', disabled = [], accessible = false, floor = 1, spare = 0 }: Room) => ({
  ...{ siteCode, roomNo, rows, cols, layout, disabled, accessible, floor, spare },
})

/**
 * All that a draw of seats was made from but the seed, and its outcome: a first line with the name of the format, a second with the rules and the
 * rooms as JSON, then a line for each person in the order of sign-up numbers:
 * `number|post|unit|needs access|related|site to stay at|site|room|seat|salt`. Related people share a number; names, schools and addresses are not in
 * it. The salts make the tree over the seats again.
 */
export const drawRecord = (facts: DrawFacts, salts: Salts): string => {
  const { examId, itemGroup, version, mode, seedCommit, siteOf } = facts
  const placeOf = new Map(facts.placements.map(place => [place.signupId, place]))
  const sitters = [...facts.sitters].sort((a, b) => (a.signNo < b.signNo ? -1 : a.signNo > b.signNo ? 1 : 0))
  const sharers = new Map<string, number>()
  for (const { relatedKeys = [] } of sitters) for (const key of relatedKeys) sharers.set(key, (sharers.get(key) ?? 0) + 1)
  const numbers = new Map<string, number>()
  const numberOf = (key: string): number => {
    const known = numbers.get(key) ?? numbers.size + 1
    numbers.set(key, known)
    return known
  }
  const header = { examId, itemGroup, version, mode, seedCommit, keepsSites: siteOf !== undefined, rooms: facts.rooms.map(roomOf) }
  const lines = sitters.map(({ signupId, signNo, code, unit = '', needsAccess = false, relatedKeys = [] }) => {
    const place = placeOf.get(signupId)
    const related = relatedKeys.filter(key => (sharers.get(key) ?? 0) > 1).map(numberOf)
    return [
      ...[signNo, code, unit, needsAccess ? 1 : 0, related.join(','), siteOf?.get(signupId) ?? ''],
      ...[place?.siteCode, place?.roomNo, place?.seatNo, salts.get(signupId)],
    ].join('|')
  })
  return `${['kaopu-seats-2', JSON.stringify(header), ...lines].join('\n')}\n`
}
