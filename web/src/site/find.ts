import { type PackPerson, readTicketCode, sittingKey } from '#contract/ticket/exam-day.ts'
import type { OpenRoom } from './sittings.ts'

/** Somebody with the paper that they write in a room. */
export interface Seated {
  readonly room: OpenRoom
  readonly person: PackPerson
}

export const seatedIn = (rooms: readonly OpenRoom[]): Seated[] =>
  rooms
    .flatMap(room => room.pack.people.map(person => ({ room, person })))
    .sort((a, b) => Number(a.person.seatNo) - Number(b.person.seatNo))

/** Whether somebody is meant by what was typed: a part of the name, the seat, or digits of the ticket number in a row. */
export const isMeant = ({ person }: Seated, typed: string): boolean => {
  const text = typed.replace(/[\s-]/g, '').toUpperCase()
  if (text === '') return true
  if (/^\d{1,2}$/.test(text)) return Number(person.seatNo) === Number(text)
  return person.name.replace(/\s/g, '').toUpperCase().includes(text) || person.ticketNo.toUpperCase().includes(text)
}

/** Where somebody sits whom this room does not have. */
export interface Place {
  readonly ticketId: string
  readonly name: string
  readonly ticketNo: string
  readonly itemName: string
  readonly startTime: string
  readonly siteName: string
  readonly roomNo: string
  readonly roomName: string
  readonly seatNo: string
  /** Address of the room on this page. */
  readonly key: string
}

const placeOf = ({ room: { pack }, person }: Seated): Place => ({
  ...{ ticketId: person.ticketId, name: person.name, ticketNo: person.ticketNo, seatNo: person.seatNo, key: sittingKey(pack) },
  ...{ itemName: pack.itemName, startTime: pack.startTime, siteName: pack.siteName, roomNo: pack.roomNo, roomName: pack.roomName },
})

/** People of rooms that lie on this device, by a scanned code, a part of the name or of the ticket number. A seat alone names somebody in every room. */
export const findIn = (rooms: readonly OpenRoom[], text: string): Place[] => {
  const meant = readTicketCode(text)
  const isSeat = text.replace(/\s/g, '').length < 2 || /^\d{1,2}$/.test(text.trim())
  if (!(meant && 'code' in meant) && isSeat) return []
  const found = seatedIn(rooms).filter(one => (meant && 'code' in meant ? one.person.code === meant.code : isMeant(one, text)))
  return found.map(placeOf)
}
