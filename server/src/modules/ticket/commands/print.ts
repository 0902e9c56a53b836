import { refuse } from '#contract/kernel/errors.ts'
import { idsOf } from '#contract/kernel/ids.ts'
import type { InputOf } from '#contract/kernel/route.ts'
import { toWireTime } from '#contract/kernel/when.ts'
import { refuseTicket } from '#contract/ticket/ticket.errors.ts'
import type { printTickets } from '#contract/ticket/ticket.routes.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type ArchiveExport, type Ctx, Refused } from '#kernel/http/context.ts'
import { PdfBusyError } from '#kernel/pdf/pool.ts'
import type { ZipEntry } from '#kernel/zip.ts'
import { type ExamRow, findExam, listPapers } from '#modules/exam/index.ts'
import { pageTickets, peopleToPrint, roomsToPrint, type TicketFilter } from '../data/ticket.repo.ts'
import type { TicketContext } from '../deps.ts'
import { sheetsOfRooms } from '../domain/room-sheet.ts'
import { type RoomLayout, roomLayouts } from '../templates/room-layouts.ts'
import { scopeOf } from '../views.ts'
import { type RoomOrder, readRoom } from './read-rooms.ts'
import { printPeople } from './render.ts'

/** People of one document; more would hold a rendering thread too long. */
const inlinePeople = 300
/** Of one printing; nobody has more. */
const mostPeople = 300_000

type PrintInput = InputOf<typeof printTickets>
/** The document of one room: made when its turn has come. */
interface Part {
  readonly name: string
  readonly people: number
  readonly make: () => Promise<Uint8Array>
}

const words: Readonly<Record<RoomLayout | 'ticket', string>> = {
  ticket: '准考证',
  desk: '桌贴',
  door: '门贴',
  sign: '签到表',
  photo: '照片对照表',
}

/** A group for each person, as progress counts them: the document of a room comes with its first. */
async function* archiveOf(parts: readonly Part[], time: Date): AsyncGenerator<readonly ZipEntry[]> {
  for (const { name, people, make } of parts) {
    yield [{ name, time, content: Buffer.from(await make()) }]
    for (let more = 1; more < people; more++) yield []
  }
}

/** Waits its turn in the rendering threads. @throws Refused ticket/busy */
const drawn = async (work: Promise<Uint8Array>): Promise<Uint8Array> => {
  try {
    return await work
  } catch (error) {
    if (error instanceof PdfBusyError) throw new Refused(refuseTicket('ticket/busy', {}, { retryAfterSeconds: 10 }))
    throw error
  }
}

/** Tickets of chosen people, and of each room where there are many. */
const ticketParts = async (context: TicketContext, ctx: Ctx, db: TenantDb, filter: TicketFilter, order: 'seat' | 'number') => {
  const type = filter.type ?? 1
  const people = await peopleToPrint(db, filter, order, mostPeople)
  // Marked as drafts while one of them is not released.
  const { rows: drafts } = await pageTickets(db, { ...filter, isLive: true, ticketState: 'made' }, { size: 1, offset: 0 })
  const document = (signupIds: readonly string[]) =>
    drawn(ctx.tx(tx => printPeople(context, tx, { examId: filter.examId ?? '0', type, signupIds, isDraft: drafts.length > 0 })))
  const rooms = Map.groupBy(people, person => `${person.siteCode}-${person.roomNo}`)
  return {
    total: people.length,
    along: {},
    whole: () => document(people.map(person => person.signupId)),
    parts: [...rooms].map(
      ([room, list]): Part => ({
        name: `${words.ticket}_${room}.pdf`,
        people: list.length,
        make: () => document(list.map(person => person.signupId)),
      }),
    ),
  }
}

/**
 * Sheets of rooms. Whoever sits in a room at one time stands on one sheet, whatever their papers; those that share their seats also share the labels,
 * the door and the photos of a later time, while each time is signed for by itself. One paper asked for brings the others of its room along: a door
 * has one sheet.
 */
const roomParts = async (context: TicketContext, ctx: Ctx, db: TenantDb, exam: ExamRow, filter: TicketFilter, layout: RoomLayout) => {
  const found = sheetsOfRooms(await listPapers(db, exam.id), await roomsToPrint(db, { ...filter, itemId: undefined }), layout === 'sign')
  const all = found.filter(room => filter.itemId === undefined || room.itemIds.includes(filter.itemId))
  const { services, file } = context
  const sheets = async (tx: TenantDb, orders: readonly RoomOrder[]) => {
    const read = []
    for (const order of orders) {
      const room = await readRoom(tx, { cipher: services.cipher, file }, exam, order, { filter, withPhotos: layout === 'photo' })
      if (room) read.push(room)
    }
    return context.pool().render({ layout, rooms: read, createdAt: tx.now.toISOString() })
  }
  const document = (orders: readonly RoomOrder[]) => drawn(ctx.tx(tx => sheets(tx, orders)))
  return {
    total: all.reduce((sum, room) => sum + room.people, 0),
    whole: () => document(all),
    /** Of a paper that was chosen: the rooms, and the papers that it brought along. */
    along:
      filter.itemId === undefined
        ? {}
        : {
            rooms: [...new Set(all.map(room => `${room.siteCode}-${room.roomNo}`))],
            itemIds: [...new Set(all.flatMap(room => room.itemIds))],
          },
    parts: all.map(
      (room): Part => ({
        name: `${words[layout]}_${room.itemCode}_${room.siteCode}-${room.roomNo}.pdf`,
        people: room.people,
        make: () => document([room]),
      }),
    ),
  }
}

/**
 * Tickets, or the sheets of rooms, of what was asked for: up to 300 people in one document, more as an archive with a document for each room, which
 * the queue makes (domain 5.2 exportPDFView).
 */
export const planPrint = async (context: TicketContext, ctx: Ctx, input: PrintInput): Promise<ArchiveExport> => {
  const { examId, itemId, siteCode, roomNo, type = 1, order = 'seat' } = input
  const layout = ([...roomLayouts, 'ticket'] as const).find(one => one === (input.layout ?? 'ticket'))
  if (layout === undefined) throw new Refused(refuseTicket('ticket/layout', {}))
  const ids = input.ids === undefined ? undefined : idsOf(input.ids)
  const filter: TicketFilter = { examId, itemId, type, siteCode, roomNo, ids, scope: scopeOf(ctx.session) }
  const { total, whole, parts, paper, along } = await ctx.tx(async db => {
    const exam = await findExam(db, examId)
    if (!exam) throw new Refused(refuse('kernel/not-found', {}))
    const asked = itemId === undefined ? undefined : (await listPapers(db, examId)).find(one => one.id === itemId)
    const made =
      layout === 'ticket' ? await ticketParts(context, ctx, db, filter, order) : await roomParts(context, ctx, db, exam, filter, layout)
    return { ...made, paper: asked?.itemName ?? null }
  })
  if (total === 0) throw new Refused(refuse('kernel/not-found', {}))
  const name = `${words[layout]}_${toWireTime(ctx.arrivedAt).replace(/\D/g, '')}`
  return {
    fileName: total > inlinePeople ? `${name}.zip` : `${name}.pdf`,
    total,
    audit: {
      ...{ action: 'ticket.printed', entity: 'examination', entityId: examId },
      // Whose they were can be told from it: the people may ask (P6).
      after: {
        layout,
        people: total,
        paper,
        type,
        roomNo: roomNo ?? null,
        siteCode: siteCode ?? null,
        itemId: itemId ?? null,
        ids: ids ?? null,
        ...along,
        ...filter.scope,
      },
    },
    mostInline: inlinePeople,
    whole: async () => ({ body: Buffer.from(await whole()), mime: 'application/pdf', name: `${name}.pdf`, inline: true }),
    archive: archiveOf(parts, ctx.arrivedAt),
  }
}
