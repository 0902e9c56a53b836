import type { Room } from '../wire.ts'

/** A site and a room of the tenant, as their lists give them. */
export interface SiteRow {
  readonly siteCode: string
  readonly siteName: string
  readonly siteAddress?: string | null
}
export interface SiteRoomRow {
  /** `01-003`. */
  readonly roomCode: string
  readonly roomName?: string | null
  readonly floor: number
  readonly rows: number
  readonly cols: number
  readonly layout: string
  readonly spare: number
  readonly accessible: number | boolean
}

/** The rooms of the chosen sites as a paper has them; one whose site is not known is left out. */
export const roomsOfSites = (sites: readonly SiteRow[], rooms: readonly SiteRoomRow[]): readonly Room[] => {
  const byCode = new Map(sites.map(site => [site.siteCode, site]))
  return rooms.flatMap(room => {
    const [siteCode = '', roomNo = ''] = room.roomCode.split('-')
    const site = byCode.get(siteCode)
    if (site === undefined) return []
    return [
      {
        siteCode,
        siteName: site.siteName,
        siteAddress: site.siteAddress ?? '',
        roomNo,
        roomName: room.roomName ?? '',
        floor: room.floor,
        rows: room.rows,
        cols: room.cols,
        layout: room.layout === 'Z' ? 'Z' : 'S',
        disabled: [],
        accessible: Number(room.accessible) === 1,
        spare: room.spare,
      },
    ]
  })
}

const keyOf = ({ siteCode, roomNo }: Room): string => `${siteCode}-${roomNo}`
/** The rooms of a paper with others added; what is there already stays as it is, with its closed seats. */
export const withRooms = (own: readonly Room[], added: readonly Room[]): readonly Room[] => {
  const known = new Set(own.map(keyOf))
  return [...own, ...added.filter(room => !known.has(keyOf(room)))].sort((a, b) => keyOf(a).localeCompare(keyOf(b)))
}

interface Counted {
  readonly itemId: string
  readonly seatGroup: string | null
  readonly startTime: string
  readonly eligible?: number
}
/**
 * How many people need one of the seats that a paper shares: those of one hour sit at the same time, those of another hour sit where others sat.
 * People who sit at one hour only are not added up, so it may be a few more.
 */
export const neededSeats = (papers: readonly Counted[], of: Counted): number => {
  const sharing = of.seatGroup === null ? [of] : papers.filter(paper => paper.seatGroup === of.seatGroup)
  const byHour = new Map<string, number>()
  for (const { startTime, eligible = 0 } of sharing) byHour.set(startTime, (byHour.get(startTime) ?? 0) + eligible)
  return Math.max(0, ...byHour.values())
}
