/**
 * Marks that are made at the door. Devices may be without a network, and two of them may stand at one door, so every mark says which marks it
 * replaces: those that its device knew of. A mark that was replaced no longer counts. Of those that are left, made without knowing of each other,
 * one counts by a rule that does not ask in which order they arrive: whoever was seen is there, and was there from the first time on.
 */
export const markKinds = {
  /** Taken back: nothing is known. */
  none: 0,
  present: 1,
  late: 2,
  absent: 3,
  /** A note beside; it says nothing about attendance. */
  note: 4,
} as const

export interface DayMark {
  /** Given by the device. */
  readonly markId: string
  readonly ticketId: string
  readonly kind: number
  readonly note: string
  /** When it was made, in milliseconds. */
  readonly at: number
  /** Marks of the same ticket that its device knew of. */
  readonly replaces: readonly string[]
}

const { none, present, late, absent, note } = markKinds
/** Somebody who was seen is there, whatever a device says that did not know of it. */
const strength: Readonly<Record<number, number>> = { [present]: 2, [late]: 2, [absent]: 1, [none]: 0 }

/** The mark of one ticket that counts; undefined while there is none. */
export const countingMark = <M extends DayMark>(marks: readonly M[]): M | undefined => {
  const attendance = marks.filter(mark => mark.kind !== note)
  const replaced = new Set(attendance.flatMap(mark => mark.replaces))
  const [first] = attendance
    .filter(mark => !replaced.has(mark.markId))
    .sort((a, b) => (strength[b.kind] ?? 0) - (strength[a.kind] ?? 0) || a.at - b.at || (a.markId < b.markId ? -1 : 1))
  return first
}

/** Attendance of one ticket: 0 nothing known, 1 present, 2 late, 3 absent. */
export const attendanceOf = (marks: readonly DayMark[]): number => countingMark(marks)?.kind ?? none

/** Who stands at a door has one list, however many papers are written behind it at the same time. */
export const sittingKey = (of: { readonly startTime: string; readonly siteCode: string; readonly roomNo: string }): string =>
  `${of.startTime.slice(0, 16).replace(/\D/g, '')}.${of.siteCode}.${of.roomNo}`

/** What a device keeps of a room: read from the server, signed by it, and of no use after the day. */
export interface RoomPack {
  readonly examId: string
  readonly examName: string
  readonly itemId: string
  readonly itemName: string
  readonly startTime: string
  readonly endTime: string
  /** Nobody comes in so many minutes after the start. */
  readonly lateMinutes: number
  readonly siteCode: string
  readonly siteName: string
  readonly roomNo: string
  readonly roomName: string
  readonly userId: string
  readonly issuedAt: number
  readonly expiresAt: number
  readonly people: readonly PackPerson[]
  /** Codes of tickets of this paper that do not hold any more. */
  readonly voidCodes: readonly string[]
  readonly clauses: readonly { readonly code: string; readonly zh: string; readonly en: string }[]
}
export interface PackPerson {
  readonly ticketId: string
  readonly ticketNo: string
  readonly name: string
  readonly idCardMask: string
  readonly seatNo: string
  /** What the QR of the ticket ends with. */
  readonly code: string
  /** What was granted to the person: keys of `accommodationKinds`. Packs of an earlier version are without. */
  readonly help?: readonly string[]
  readonly extraMinutes?: number
  /** A JPEG in base64; empty without one. */
  readonly photo: string
}

/** What a scan or a typed text means: the end of a ticket's address, or a number as it is printed, with blanks in groups. */
export const readTicketCode = (text: string): { readonly code: string } | { readonly ticketNo: string } | undefined => {
  const scanned = /\/t\/[0-9A-Za-z]{1,12}-([\w-]{43})(?:[?#].*)?$/.exec(text.trim())
  if (scanned?.[1] !== undefined) return { code: scanned[1] }
  const typed = text.replace(/[\s-]/g, '').toUpperCase()
  return /^[0-9A-Z]{4,20}$/.test(typed) ? { ticketNo: typed } : undefined
}
