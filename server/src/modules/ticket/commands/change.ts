import { refuse } from '#contract/kernel/errors.ts'
import { can } from '#contract/kernel/machine.ts'
import type { InputOf } from '#contract/kernel/route.ts'
import { endOfWindow, fromWireTime } from '#contract/kernel/when.ts'
import { refuseTicket } from '#contract/ticket/ticket.errors.ts'
import type { delTicketList } from '#contract/ticket/ticket.routes.ts'
import { ticketMachine } from '#contract/ticket/ticket.state.ts'
import { audit } from '#kernel/audit.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { transition } from '#kernel/db/transition.ts'
import { type Ctx, Refused } from '#kernel/http/context.ts'
import { findExam, findPaper } from '#modules/exam/index.ts'
import {
  dropPages,
  isSeatTaken,
  type RoomTexts,
  raiseVersion,
  removeMade,
  roomOfTickets,
  type SeatPlace,
  writeNumber,
  writePlace,
  writeTimes,
} from '../data/change.repo.ts'
import { dropRevealedSeed } from '../data/seed.repo.ts'
import { findTicket, lockTicket, type TicketRow, ticketsOf, usedNumbers } from '../data/ticket.repo.ts'
import { pickNumber } from '../domain/pick-number.ts'
import { type Room, seatsOf } from '../domain/room.ts'
import { viewTicket } from '../views.ts'
import { lockTickets, papersFor } from './allocate.ts'
import { orderNotices, orderRendering } from './orders.ts'
import { needWhole } from './whole.ts'

export interface TicketChange {
  readonly id: string
  readonly version?: number
  readonly siteCode?: string
  readonly roomNo?: string
  readonly seatNo?: string
  readonly startTime?: string
  readonly endTime?: string
  readonly reportTime?: string | null
  readonly remark?: string | null
}

const isPublic = (row: TicketRow): boolean => row.ticketState === 'released' || row.ticketState === 'downloaded'

const ownLock = async (db: TenantDb, id: string): Promise<TicketRow> => {
  const seen = await findTicket(db, id)
  if (!seen) throw new Refused(refuse('kernel/not-found', {}))
  await lockTickets(db, seen.examId)
  const row = await lockTicket(db, id)
  if (!row) throw new Refused(refuse('kernel/not-found', {}))
  return row
}

/** The person's pages no longer show the truth: made anew, at once when they are public, else with the release. */
const renew = async (db: TenantDb, row: TicketRow): Promise<void> => {
  await dropPages(db, [row.signupId], row.type)
  const rows = await ticketsOf(db, [row.signupId], row.type)
  if (rows.some(isPublic))
    await orderRendering(db, { renderId: null, examId: row.examId, type: row.type, itemIds: [], signupIds: [row.signupId] })
}

const tell = (db: TenantDb, row: TicketRow, event: 'changed' | 'voided'): Promise<void> =>
  orderNotices(db, {
    examId: row.examId,
    type: row.type,
    signupIds: [row.signupId],
    eventKey: `ticket-${event}:${row.id}:${row.version + 1}`,
    event,
  })

/**
 * The holder's data changed (domain 3.17): pages are made anew, public ones as the next version whose news the holder has to confirm.
 * @returns how many tickets it concerns
 */
export const renewTicketsOf = async (db: TenantDb, signupIds: readonly string[]): Promise<number> => {
  let count = 0
  for (const signupId of signupIds)
    for (const type of [1, 2] as const) {
      const [seen] = await ticketsOf(db, [signupId], type)
      if (!seen) continue
      await lockTickets(db, seen.examId)
      const rows = (await ticketsOf(db, [signupId], type)).filter(row => row.ticketState !== 'void')
      const [first] = rows
      if (!first) continue
      const shown = rows.find(isPublic)
      await raiseVersion(
        db,
        rows.map(row => row.id),
        shown !== undefined,
      )
      await renew(db, first)
      if (shown) await tell(db, shown, 'changed')
      count += rows.length
    }
  return count
}

const moment = (text: string | undefined, kept: Date): Date => {
  if (text === undefined) return kept
  const instant = fromWireTime(text)
  if (!instant) throw new Refused(refuse('kernel/invalid-input', {}))
  return instant
}

/**
 * Changes one seat, time or remark. Papers of the same seat group move together. A public ticket keeps its number, is rendered anew as
 * the next version, and its holder has to confirm the news (domain 4.6). 2305 when the seat is taken or does not exist.
 */
const saveChange = async (ctx: Ctx, db: TenantDb, change: TicketChange): Promise<TicketRow> => {
  const row = await ownLock(db, change.id)
  if (change.version !== undefined && change.version !== row.version) throw new Refused(refuse('kernel/changed-meanwhile', {}))
  if (!can(ticketMachine, row.ticketState, 'void')) throw new Refused(refuseTicket('ticket/void', {}))
  const place = {
    siteCode: change.siteCode ?? row.siteCode,
    roomNo: change.roomNo ?? row.roomNo,
    seatNo: (change.seatNo ?? row.seatNo).padStart(2, '0'),
  }
  const isMove = place.siteCode !== row.siteCode || place.roomNo !== row.roomNo || place.seatNo !== row.seatNo
  const all = await ticketsOf(db, [row.signupId], row.type)
  const together = all.filter(
    one => one.ticketState !== 'void' && (one.id === row.id || (row.seatGroup !== null && one.seatGroup === row.seatGroup)),
  )
  const room = isMove ? await roomFor(db, row, together, place) : undefined
  const times = {
    startTime: moment(change.startTime, row.startTime),
    endTime: endOfWindow(moment(change.endTime, row.endTime)),
    reportTime:
      change.reportTime === undefined ? row.reportTime : change.reportTime === null ? null : moment(change.reportTime, row.startTime),
  }
  if (times.endTime <= times.startTime || (times.reportTime && times.reportTime > times.endTime))
    throw new Refused(refuse('kernel/invalid-input', {}))
  const remark = change.remark === undefined ? row.remark : change.remark
  const wasPublic = isPublic(row)

  const ids = together.map(one => one.id)
  await writeTimes(db, row.id, times, remark)
  if (room) await writePlace(db, ids, place, room)
  if (isMove && !all.some(one => one.releasedAt !== null)) await renumber(db, row, all, together, place)
  await raiseVersion(db, ids, wasPublic)
  await renew(db, row)
  if (wasPublic) await tell(db, row, 'changed')
  const saved = await findTicket(db, row.id)
  if (!saved) throw new Refused(refuse('kernel/not-found', {}))
  const view = (one: TicketRow) => ({
    ticketNo: one.ticketNo,
    seat: `${one.siteCode}-${one.roomNo}-${one.seatNo}`,
    startTime: one.startTime,
    endTime: one.endTime,
    reportTime: one.reportTime,
    remark: one.remark,
  })
  await audit(db, ctx, { action: 'ticket.changed', entity: 'ticket', entityId: row.id, before: view(row), after: view(saved) })
  return saved
}

const roomFor = async (db: TenantDb, row: TicketRow, together: readonly TicketRow[], place: SeatPlace): Promise<RoomTexts> => {
  const paper = await findPaper(db, row.itemId)
  const group = paper ? await papersFor(db, row.examId, [paper.id]) : []
  const rooms = (group.find(one => one.rooms.length > 0)?.rooms ?? []) as readonly Room[]
  const room = rooms.find(one => one.siteCode === place.siteCode && one.roomNo === place.roomNo)
  const of = { examId: row.examId, itemIds: together.map(one => one.itemId), signupId: row.signupId }
  // Of a room that came with an imported plan nobody knows how many seats it has: any number but 00 will do.
  const known = room ? undefined : await roomOfTickets(db, of, place)
  const isSeat = room ? seatsOf(room).some(seat => seat.seatNo === Number(place.seatNo)) : known !== undefined && Number(place.seatNo) > 0
  const found = room ?? known
  if (!found || !isSeat) throw new Refused(refuseTicket('ticket/no-such-seat', {}))
  if (await isSeatTaken(db, of, place)) throw new Refused(refuseTicket('ticket/seat-taken', {}))
  return found
}

/** Before anything is public the number follows the seat of the person's first group of papers. */
const renumber = async (
  db: TenantDb,
  row: TicketRow,
  all: readonly TicketRow[],
  together: readonly TicketRow[],
  place: SeatPlace,
): Promise<void> => {
  const first = all.find(one => one.ticketState !== 'void')
  const exam = await findExam(db, row.examId)
  if (!exam || !together.some(one => one.id === first?.id)) return
  const used = await usedNumbers(db, row.examId)
  used.delete(row.ticketNo)
  const ticketNo = pickNumber(
    { year: exam.year, examNo: exam.examNo, siteNo: Number(place.siteCode), roomNo: Number(place.roomNo), seatNo: Number(place.seatNo) },
    used,
  )
  await writeNumber(db, row.signupId, row.type, ticketNo)
}

/** Makes one ticket void. A public one needs a reason and its holder is told. */
const voidTicket = async (ctx: Ctx, db: TenantDb, id: string, reason: string | undefined): Promise<void> => {
  const row = await ownLock(db, id)
  if (row.ticketState === 'void') throw new Refused(refuseTicket('ticket/void', {}))
  if (isPublic(row) && (reason ?? '').trim() === '') throw new Refused(refuseTicket('ticket/reason', {}))
  const moved = await transition(db, 'ticket', id, { from: row.ticketState, to: 'void', column: 'ticket_state' })
  if (!moved) throw new Refused(refuse('kernel/changed-meanwhile', {}))
  await renew(db, row)
  if (isPublic(row)) await tell(db, row, 'voided')
  await audit(db, ctx, {
    action: 'ticket.voided',
    entity: 'ticket',
    entityId: id,
    before: { ticketState: row.ticketState, ticketNo: row.ticketNo },
    after: { ticketState: 'void' },
    ...(reason ? { reason } : {}),
  })
}

/** Clears the seats of papers that are not released (made → none). A seed that has been revealed is thrown away: the next draw needs a secret one. */
const clearSeats = async (ctx: Ctx, db: TenantDb, examId: string, itemId: string, confirm: string): Promise<number> => {
  await lockTickets(db, examId)
  const exam = await findExam(db, examId)
  if (!exam) throw new Refused(refuse('kernel/not-found', {}))
  const papers = await papersFor(db, examId, [itemId])
  if (confirm !== exam.examCode) throw new Refused(refuseTicket('ticket/confirm', { examCode: exam.examCode }))
  if (papers.some(paper => paper.ticketState === 'released' || paper.ticketState === 'ended'))
    throw new Refused(refuseTicket('ticket/released', {}))
  const ids = papers.map(paper => paper.id)
  const removed = await removeMade(db, examId, ids)
  for (const paper of papers.filter(one => one.ticketState === 'made')) {
    if (!(await transition(db, 'exam_item', paper.id, { from: 'made', to: 'none', column: 'ticket_state' })))
      throw new Refused(refuse('kernel/changed-meanwhile', {}))
    await dropRevealedSeed(db, paper.id)
  }
  await audit(db, ctx, { action: 'ticket.cleared', entity: 'examination', entityId: examId, after: { papers: ids, removed } })
  return removed
}

/** The change as its answer shows it. */
export const saveTicketChange = async (ctx: Ctx, db: TenantDb, change: TicketChange) => viewTicket(await saveChange(ctx, db, change))

/** Makes tickets void: all of them or none. */
export const voidTickets = async (
  ctx: Ctx,
  db: TenantDb,
  ids: readonly string[],
  reason: string | undefined,
): Promise<{ removed: number }> => {
  if (ids.length === 0) throw new Refused(refuse('kernel/select-one', {}))
  // In one order, so that two who void the same do not wait for each other.
  for (const id of [...ids].sort()) await voidTicket(ctx, db, id, reason)
  return { removed: ids.length }
}
export const voidOneTicket = async (ctx: Ctx, db: TenantDb, id: string, reason: string | undefined): Promise<{ id: string }> => {
  await voidTicket(ctx, db, id, reason)
  return { id }
}

export const clearTickets = async (ctx: Ctx, db: TenantDb, { examId, itemId, confirm }: InputOf<typeof delTicketList>) => {
  needWhole(ctx)
  return { removed: await clearSeats(ctx, db, examId, itemId, confirm) }
}
