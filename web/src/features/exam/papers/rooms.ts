import { mostSeats, seatKey, seatsOf } from '#contract/exam/room.ts'
import type { Room } from '../wire.ts'

export type RoomFault = 'siteCode' | 'siteName' | 'roomNo' | 'size' | 'tooMany' | 'spare' | 'double'

const pad = (value: number, width: number) => String(value).padStart(width, '0')

/** A further room like the last one, with the next number. */
export const nextRoom = (rooms: readonly Room[]): Room => {
  const last = rooms.at(-1)
  const base: Room = last ?? {
    siteCode: '01',
    siteName: '',
    siteAddress: '',
    roomNo: '000',
    roomName: '',
    floor: 1,
    rows: 6,
    cols: 5,
    layout: 'S',
    disabled: [],
    accessible: false,
    spare: 0,
  }
  const used = rooms.filter(room => room.siteCode === base.siteCode).map(room => Number(room.roomNo) || 0)
  return { ...base, roomNo: pad(Math.max(0, ...used) + 1, 3), roomName: '', disabled: [], accessible: false }
}

/** What is wrong with each room, in the order of the list (domain 7.4). */
export const faultsOf = (rooms: readonly Room[]): readonly (readonly RoomFault[])[] =>
  rooms.map((room, index) => {
    const site = Number(room.siteCode)
    const isSize = (value: number) => Number.isInteger(value) && value >= 1 && value <= 30
    const seats = isSize(room.rows) && isSize(room.cols) ? seatsOf(room).length : 0
    return [
      ...(/^\d{2}$/.test(room.siteCode) && site >= 1 && site <= 89 ? [] : (['siteCode'] as const)),
      ...(room.siteName.trim() === '' ? (['siteName'] as const) : []),
      ...(/^\d{3}$/.test(room.roomNo) && Number(room.roomNo) >= 1 ? [] : (['roomNo'] as const)),
      ...(isSize(room.rows) && isSize(room.cols) ? [] : (['size'] as const)),
      ...(seats > mostSeats ? (['tooMany'] as const) : []),
      ...(Number.isInteger(room.spare) && room.spare >= 0 && room.spare <= seats ? [] : (['spare'] as const)),
      ...(rooms.some((other, at) => at < index && other.siteCode === room.siteCode && other.roomNo === room.roomNo)
        ? (['double'] as const)
        : []),
    ]
  })

export const toggled = (room: Room, row: number, col: number): Room => {
  const key = seatKey(row, col)
  return {
    ...room,
    disabled: room.disabled.includes(key) ? room.disabled.filter(seat => seat !== key) : [...room.disabled, key],
  }
}

/** Disabled seats that the room no longer has are forgotten. */
export const resized = (room: Room, part: Partial<Pick<Room, 'rows' | 'cols'>>): Room => {
  const next = { ...room, ...part }
  return {
    ...next,
    disabled: next.disabled.filter(seat => {
      const [row = 0, col = 0] = (seat.match(/\d+/g) ?? []).map(Number)
      return row <= next.rows && col <= next.cols
    }),
  }
}
