import { fromWireTime, toWireTime } from '#contract/kernel/when.ts'
import { type RoomPack, sittingKey } from '#contract/ticket/exam-day.ts'
import type { ApiOutput } from '#web/kernel/api.ts'
import { dayOf, epochOf } from '#web/kernel/wire-time.ts'

export type DayRoom = ApiOutput<'GET /blade-ticket/day/rooms'>[number]
export interface OpenRoom {
  readonly key: string
  readonly pack: RoomPack
}

export const roomKey = (of: { readonly itemId: string; readonly siteCode: string; readonly roomNo: string }): string =>
  `${of.itemId}.${of.siteCode}.${of.roomNo}`

export interface Sitting {
  readonly key: string
  readonly siteName: string
  readonly roomNo: string
  readonly roomName: string
  readonly papers: readonly string[]
  readonly startTime: string
  readonly endTime: string
  /** Of the papers that are written in it. */
  readonly roomKeys: readonly string[]
  /** What the server counts; null where only this device knows of it. */
  readonly counts: { readonly seated: number; readonly present: number; readonly late: number; readonly absent: number } | null
  readonly isKept: boolean
  /** Its results are in: nobody is marked any more, and the server gives it out no longer. */
  readonly isClosed: boolean
}
type Place = Pick<DayRoom, 'siteName' | 'siteCode' | 'roomNo' | 'roomName' | 'itemId' | 'itemName' | 'startTime' | 'endTime'>
/** Rooms as they are opened: those that the server names, and those that only this device has. */
export const sittingsOf = (rooms: readonly DayRoom[], kept: readonly OpenRoom[]): Sitting[] => {
  const has = new Set(kept.map(one => one.key))
  const listed = new Set(rooms.map(roomKey))
  const places: readonly Place[] = [...rooms, ...kept.filter(one => !listed.has(one.key)).map(one => one.pack)]
  const counted = Map.groupBy(rooms, sittingKey)
  return [...Map.groupBy(places, sittingKey)].flatMap(([key, all]): Sitting[] => {
    const [first] = all
    if (!first) return []
    const own = counted.get(key)
    const sum = (of: 'seated' | 'present' | 'late' | 'absent') => (own ?? []).reduce((total, room) => total + room[of], 0)
    const roomKeys = all.map(roomKey)
    return [
      {
        ...{ key, siteName: first.siteName, roomNo: first.roomNo, roomName: first.roomName, startTime: first.startTime, roomKeys },
        papers: [...new Set(all.map(room => room.itemName))],
        endTime: all.map(room => room.endTime).reduce((a, b) => (a > b ? a : b)),
        counts: own === undefined ? null : { seated: sum('seated'), present: sum('present'), late: sum('late'), absent: sum('absent') },
        isKept: roomKeys.every(one => has.has(one)),
        isClosed: own?.some(room => room.closed) ?? false,
      },
    ]
  })
}

/** The sittings of today, and those of the next day that has some; a room that was taken along before its day waits with the next ones. */
export const daysOf = (
  of: { readonly rooms: readonly DayRoom[]; readonly coming: readonly DayRoom[]; readonly kept: readonly OpenRoom[] },
  now: number,
): { readonly today: readonly Sitting[]; readonly next: readonly Sitting[] } => {
  const isNow = (room: { readonly startTime: string }) => !isEarly(room, now)
  // A page that is left open over midnight has yesterday's answer: the next ones are those of today by then.
  const answered = [...new Map([...of.rooms, ...of.coming].map(room => [roomKey(room), room])).values()]
  const [ofToday, later] = [answered.filter(isNow), answered.filter(room => !isNow(room))]
  return {
    today: sittingsOf(
      ofToday,
      of.kept.filter(({ pack }) => isNow(pack)),
    ),
    next: sittingsOf(
      later,
      of.kept.filter(({ pack }) => !isNow(pack)),
    ),
  }
}

const dayMs = 86_400_000
/** The first moment of the day of a sitting. */
const dawnOf = ({ startTime }: Pick<Sitting, 'startTime'>): number => epochOf(`${dayOf(startTime)} 00:00:00`)
/** From the day before on the server gives a room out; people are marked on its day. */
export const isDayBefore = (of: Pick<Sitting, 'startTime'>, now: number): boolean => dawnOf(of) - dayMs <= now
export const isEarly = (of: Pick<Sitting, 'startTime'>, now: number): boolean => dawnOf(of) > now

/** Nobody is late or absent before the paper begins. A room to practise in has no time. */
export const hasBegun = (of: Pick<Sitting, 'startTime'>, now: number): boolean => of.startTime === '' || epochOf(of.startTime) <= now
/** `HH:mm` from which on nobody is let in. */
export const doorClosesAt = (of: { readonly startTime: string; readonly lateMinutes: number }): string => {
  const start = fromWireTime(of.startTime)
  return start === undefined ? '' : toWireTime(new Date(start.getTime() + of.lateMinutes * 60_000)).slice(11, 16)
}
