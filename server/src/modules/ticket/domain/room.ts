import { type SeatPlace, seatsOf } from '#contract/exam/room.ts'

export { capacityOf, seatsOf } from '#contract/exam/room.ts'
export type Seat = SeatPlace

/** A room of an exam item as stored (domain 3.18 `examitem.rooms`). */
export interface Room {
  /** 01–89. */
  readonly siteCode: string
  readonly siteName?: string
  readonly siteAddress?: string
  /** 001–999, unique within the site. */
  readonly roomNo: string
  readonly roomName?: string
  readonly floor?: number
  readonly rows: number
  readonly cols: number
  /** S: columns from the door side, up and down in turn. Z: row by row. */
  readonly layout?: 'S' | 'Z'
  /** Seats that cannot be used, as `r6c5`, counted from 1. */
  readonly disabled?: readonly string[]
  readonly accessible?: boolean
  /** Seats kept free for late additions: the last of the numbering. */
  readonly spare?: number
}

export type RoomProblem = 'site-code' | 'room-no' | 'size' | 'too-many-seats' | 'disabled' | 'spare' | 'duplicate'

/** What makes a list of rooms unusable. A room of more than 99 seats must be entered as two: a seat number has two digits. */
export function checkRooms(
  rooms: readonly Room[],
): { readonly siteCode: string; readonly roomNo: string; readonly problem: RoomProblem }[] {
  const seen = new Set<string>()
  return rooms.flatMap(room => {
    const problems: RoomProblem[] = []
    const isSize = (value: number) => Number.isInteger(value) && value >= 1 && value <= 99
    const inGrid = (seat: string) => {
      const match = /^r([1-9]\d?)c([1-9]\d?)$/.exec(seat)
      return match !== null && Number(match[1]) <= room.rows && Number(match[2]) <= room.cols
    }
    if (!/^(?:0[1-9]|[1-8]\d)$/.test(room.siteCode)) problems.push('site-code')
    if (!/^\d{3}$/.test(room.roomNo) || room.roomNo === '000') problems.push('room-no')
    if (!isSize(room.rows) || !isSize(room.cols)) problems.push('size')
    else {
      const seats = seatsOf(room).length
      if (seats > 99) problems.push('too-many-seats')
      if ((room.spare ?? 0) < 0 || (room.spare ?? 0) > seats || !Number.isInteger(room.spare ?? 0)) problems.push('spare')
    }
    if (!(room.disabled ?? []).every(inGrid)) problems.push('disabled')
    const key = `${room.siteCode}-${room.roomNo}`
    if (seen.has(key)) problems.push('duplicate')
    seen.add(key)
    return problems.map(problem => ({ siteCode: room.siteCode, roomNo: room.roomNo, problem }))
  })
}
