import { Type } from 'typebox'
import { markOf, shows, showsWhole } from '../kernel/field-rule.ts'
import { pageInput, pageOf } from '../kernel/page.ts'
import { defineRoute } from '../kernel/route.ts'
import { day, id, int, named, nullable, optional, strict, text } from '../kernel/schema.ts'
import { ticketNoun } from './ticket.noun.ts'

/** A number that a device gives to what it has written, so that nothing is taken twice. */
const uuid = () =>
  named(
    { zh: '设备编号', en: 'Number of the device' },
    Type.String({ pattern: '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$' }),
  )
const ticketId = () => named({ zh: '准考证', en: 'Ticket' }, id())
const device = () => named({ zh: '设备', en: 'Device' }, text(40))
const milliseconds = () => named({ zh: '时间', en: 'Time' }, Type.Integer({ minimum: 0, maximum: 9_999_999_999_999 }))
const room = {
  itemId: id(),
  siteCode: named({ zh: '考点代码', en: 'Site code' }, Type.String({ pattern: '^\\d{2}$' })),
  roomNo: named({ zh: '考场号', en: 'Room' }, Type.String({ pattern: '^\\d{3}$' })),
}

/** Rooms of the papers of one day, of the next day that has some, or of one examination, with how many have come. A site's staff see their own. */
export const dayRooms = defineRoute({
  method: 'GET',
  path: '/blade-ticket/day/rooms',
  access: { staff: 'examday_view' },
  input: strict({
    examId: optional(id()),
    day: optional(named({ zh: '日期', en: 'Day' }, day())),
    next: optional(named({ zh: '下一场', en: 'The next ones' }, Type.Literal(1))),
  }),
  output: Type.Array(
    Type.Object({
      examId: Type.String(),
      examName: Type.String(),
      itemId: Type.String(),
      itemName: Type.String(),
      startTime: Type.String(),
      endTime: Type.String(),
      siteCode: Type.String(),
      siteName: Type.String(),
      roomNo: Type.String(),
      roomName: Type.String(),
      seated: Type.Integer(),
      present: Type.Integer(),
      late: Type.Integer(),
      absent: Type.Integer(),
      violations: Type.Integer(),
      /** Of those present or absent, how many nobody marked in the room: their result says so. */
      byResult: Type.Integer(),
      /** Notes that were written down in the room. */
      notes: Type.Integer(),
      /** Results are in: nobody is marked any more. */
      closed: Type.Boolean(),
    }),
  ),
  tx: 'read',
  background: true,
})

/** What a device keeps of a room for the day: a text, the server's signature over it, and the key to check it with. */
export const dayPack = defineRoute({
  method: 'GET',
  path: '/blade-ticket/day/pack',
  access: { staff: 'examday_mark' },
  input: strict(room),
  tells: (['name', 'idCard', 'ticketNo', 'photo'] as const).map(field => markOf(ticketNoun, field)),
  output: Type.Object({
    /** JSON of a `RoomPack`, byte for byte as it was signed. */
    pack: Type.String(),
    /** ECDSA over P-256 and SHA-256, base64. */
    signature: Type.String(),
    key: Type.Object({ kty: Type.String(), crv: Type.String(), x: Type.String(), y: Type.String() }),
  }),
  tx: 'own',
})

const mark = Type.Object({
  markId: Type.String(),
  ticketId: Type.String(),
  kind: Type.Integer(),
  note: Type.String(),
  at: Type.Integer(),
  replaces: Type.Array(Type.String()),
})

/** The marks of a room, whoever made them. */
export const dayMarks = defineRoute({
  method: 'GET',
  path: '/blade-ticket/day/marks',
  access: { staff: 'examday_mark' },
  input: strict(room),
  output: Type.Array(mark),
  tx: 'read',
  background: true,
})

/** Marks of a device, also those it made without a network; one that is here already is not taken twice. */
export const sendDayMarks = defineRoute({
  method: 'POST',
  path: '/blade-ticket/day/marks',
  access: { staff: 'examday_mark' },
  input: strict({
    device: device(),
    marks: named(
      { zh: '标记', en: 'Marks' },
      Type.Array(
        strict({
          markId: uuid(),
          ticketId: ticketId(),
          /** 0 taken back, 1 present, 2 late, 3 absent, 4 note. */
          kind: named({ zh: '到考情况', en: 'Attendance' }, int(0, 4)),
          note: optional(named({ zh: '备注', en: 'Note' }, text(200))),
          at: milliseconds(),
          replaces: optional(named({ zh: '取代的标记', en: 'Marks replaced' }, Type.Array(uuid(), { maxItems: 50 }))),
        }),
        { minItems: 1, maxItems: 200 },
      ),
    ),
  }),
  output: Type.Object({
    taken: Type.Array(Type.String()),
    refused: Type.Array(Type.Object({ markId: Type.String(), msg: Type.String() })),
  }),
  means: 'marks who has come to a room, is late or absent',
})

/** Everything that was ever marked of one ticket, by whom and on which device. */
export const dayTrail = defineRoute({
  method: 'GET',
  path: '/blade-ticket/day/trail',
  access: { staff: 'examday_view' },
  input: strict({ ticketId: ticketId() }),
  output: Type.Array(
    Type.Object({
      ...mark.properties,
      counts: Type.Boolean(),
      device: Type.String(),
      by: Type.String(),
      madeTime: Type.String(),
      receivedTime: Type.String(),
      /** What the clock of the device said, where that was not on the day of the paper: it has to be set right. */
      saidTime: Type.String(),
    }),
  ),
  tx: 'read',
})

/** Notes that were written down in the rooms of an examination, the latest first. */
export const dayNotes = defineRoute({
  method: 'GET',
  path: '/blade-ticket/day/notes',
  access: { staff: 'examday_view' },
  input: strict({ ...pageInput, examId: id(), itemId: optional(id()) }),
  output: pageOf(
    Type.Object({
      id: Type.String(),
      itemName: Type.String(),
      siteName: Type.String(),
      roomNo: Type.String(),
      seatNo: Type.String(),
      ticketNo: shows(ticketNoun, 'ticketNo', Type.String()),
      name: shows(ticketNoun, 'name', Type.String()),
      note: Type.String(),
      /** As the marks of the room stand now: 0 nothing known, 1 present, 2 late, 3 absent. */
      state: Type.Integer(),
      by: Type.String(),
      madeTime: Type.String(),
    }),
  ),
  tx: 'read',
})

const evidenceBytes = 8 * 1024 * 1024
const signatureBytes = 512 * 1024

/** A violation, written down in the room: the clause, what happened, pictures, and the signatures of two invigilators. */
export const fileViolation = defineRoute({
  method: 'POST',
  path: '/blade-ticket/day/violation',
  access: { staff: 'examday_mark' },
  input: strict({
    violationId: uuid(),
    ticketId: ticketId(),
    clause: named({ zh: '违纪条款', en: 'Clause' }, Type.String({ minLength: 1, maxLength: 20 })),
    facts: named({ zh: '违纪事实', en: 'What happened' }, Type.String({ minLength: 5, maxLength: 1_000 })),
    at: milliseconds(),
    firstSigner: named({ zh: '监考员一', en: 'First invigilator' }, Type.String({ minLength: 2, maxLength: 50 })),
    secondSigner: named({ zh: '监考员二', en: 'Second invigilator' }, Type.String({ minLength: 2, maxLength: 50 })),
    device: device(),
  }),
  files: [
    { name: 'evidence', maxBytes: evidenceBytes, maxCount: 3 },
    { name: 'firstSignature', maxBytes: signatureBytes, maxCount: 1 },
    { name: 'secondSignature', maxBytes: signatureBytes, maxCount: 1 },
  ],
  output: Type.Object({ id: Type.String() }),
  tx: 'own',
  means: 'files a violation with evidence and two signatures',
})

const violation = {
  id: Type.String(),
  itemName: Type.String(),
  siteName: Type.String(),
  roomNo: Type.String(),
  seatNo: Type.String(),
  ticketNo: shows(ticketNoun, 'ticketNo', Type.String()),
  name: shows(ticketNoun, 'name', Type.String()),
  clause: Type.String(),
  facts: Type.String(),
  happenedTime: Type.String(),
  firstSigner: Type.String(),
  secondSigner: Type.String(),
  filedBy: Type.String(),
  filedTime: Type.String(),
  /** 0 waiting, 1 confirmed, 2 dismissed. */
  state: Type.Integer(),
  decision: nullable(Type.String()),
  decidedBy: nullable(Type.String()),
  decidedTime: nullable(Type.String()),
  version: Type.Integer(),
}

export const violationList = defineRoute({
  method: 'GET',
  path: '/blade-ticket/day/violations',
  access: { staff: 'examday_view' },
  input: strict({ ...pageInput, examId: id(), itemId: optional(id()), state: optional(named({ zh: '状态', en: 'State' }, int(0, 2))) }),
  output: pageOf(Type.Object(violation)),
  tx: 'read',
})

export const violationOne = defineRoute({
  method: 'GET',
  path: '/blade-ticket/day/violation',
  access: { staff: 'examday_view' },
  input: strict({ id: id() }),
  output: Type.Object({
    ...violation,
    /** Links to the pictures, ten minutes long. */
    evidence: showsWhole(ticketNoun, 'photo', Type.Array(Type.String())),
    signatures: Type.Array(Type.String()),
  }),
})

/** Confirmed (1) or dismissed (2) with reasons, by somebody who did not file it. */
export const decideViolation = defineRoute({
  method: 'POST',
  path: '/blade-ticket/day/decideViolation',
  access: { staff: 'examday_decide' },
  input: strict({
    id: id(),
    outcome: named({ zh: '认定结果', en: 'Outcome' }, int(1, 2)),
    decision: named({ zh: '认定意见', en: 'Reasons' }, Type.String({ minLength: 2, maxLength: 500 })),
    version: optional(int(0, 2_147_483_647)),
  }),
  output: Type.Object({ id: Type.String(), state: Type.Integer() }),
  means: 'decides about a violation that was filed',
})

export const examDayRoutes = [
  dayRooms,
  dayPack,
  dayMarks,
  sendDayMarks,
  dayTrail,
  dayNotes,
  fileViolation,
  violationList,
  violationOne,
  decideViolation,
] as const
