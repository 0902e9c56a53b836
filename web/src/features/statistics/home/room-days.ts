import { sittingKey } from '#contract/ticket/exam-day.ts'
import type { ApiOutput } from '../../../kernel/api.ts'

type Room = ApiOutput<'GET /blade-ticket/day/rooms'>[number]

interface Sitting extends Pick<Room, 'roomNo' | 'roomName' | 'siteName' | 'seated'> {
  readonly key: string
  readonly papers: readonly string[]
  readonly begin: string
  readonly end: string
}
const sittingOf = (key: string, all: readonly Room[]): Sitting[] => {
  const [first] = all
  if (first === undefined) return []
  const { roomNo, roomName, siteName, startTime } = first
  return [
    {
      ...{ key, roomNo, roomName, siteName },
      papers: [...new Set(all.map(room => room.itemName))],
      begin: startTime.slice(11, 16),
      end: all
        .map(room => room.endTime)
        .reduce((a, b) => (a > b ? a : b))
        .slice(11, 16),
      seated: all.reduce((sum, room) => sum + room.seated, 0),
    },
  ]
}

/** Rooms by their day, as they are opened: one at one time is one, whatever papers are written in it. */
export const roomsByDay = (rooms: readonly Room[]): { readonly day: string; readonly rooms: readonly Sitting[] }[] =>
  [...Map.groupBy(rooms, room => room.startTime.slice(0, 10))].map(([day, all]) => ({
    day,
    rooms: [...Map.groupBy(all, sittingKey)].flatMap(([key, some]) => sittingOf(key, some)),
  }))

/** Where a room is opened on the day: its list where the device has it, else the rooms to choose from. */
export const placeOfRoom = (key: string): string => `/site#${key}`
