import { refuse } from '#contract/kernel/errors.ts'
import { sliceOf, toPage } from '#contract/kernel/page.ts'
import { isRefusal, type Refusal } from '#contract/kernel/refusal.ts'
import type { InputOf, OutputOf } from '#contract/kernel/route.ts'
import { fromWireTime, toWireDay, toWireTime } from '#contract/kernel/when.ts'
import type { dayMarks, dayNotes, dayPack, dayRooms, dayTrail, sendDayMarks } from '#contract/ticket/exam-day.routes.ts'
import { attendanceOf, countingMark, type RoomPack } from '#contract/ticket/exam-day.ts'
import { refuseTicket } from '#contract/ticket/ticket.errors.ts'
import { audit } from '#kernel/audit.ts'
import { lock } from '#kernel/db/lock.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type Ctx, Refused } from '#kernel/http/context.ts'
import { findExam, findPaper, type PaperRow } from '#modules/exam/index.ts'
import { readDictionaries } from '#modules/reference/index.ts'
import { listHelp } from '../data/accommodation.repo.ts'
import { photoOf } from '../data/eligible.repo.ts'
import {
  addMarks,
  type DayMarkRow,
  listDayRooms,
  listMarks,
  listMarksById,
  type NewMark,
  nextStart,
  pageNotes,
  writeStates,
} from '../data/exam-day.repo.ts'
import { findTicket, pageTickets, type TicketRow } from '../data/ticket.repo.ts'
import type { TicketContext } from '../deps.ts'
import { me, scopeOf } from '../views.ts'

const dayMs = 86_400_000
/** Seats of a room; more stand in none. */
const roomSize = 200
/** What dictionary the clauses of violations are in. */
const clauses = 'violation_clause'

/** The first moment of the day of `at`, as the office counts days. */
const dawnOf = (at: Date): Date => fromWireTime(`${toWireDay(at)} 00:00:00`) as Date

/** The rooms that somebody looks after: today's, those of a day, or of one examination whatever the day. */
export const listRooms = async (
  ctx: Ctx,
  db: TenantDb,
  { examId, day, next }: InputOf<typeof dayRooms>,
): Promise<OutputOf<typeof dayRooms>> => {
  const tomorrow = new Date(dawnOf(ctx.arrivedAt).getTime() + dayMs)
  const coming = next === 1 ? await nextStart(db, { from: tomorrow, scope: scopeOf(ctx.session) }) : undefined
  if (next === 1 && coming === undefined) return []
  const dawn = coming
    ? dawnOf(coming)
    : day === undefined
      ? dawnOf(ctx.arrivedAt)
      : (fromWireTime(`${day} 00:00:00`) ?? dawnOf(ctx.arrivedAt))
  const span = examId !== undefined && day === undefined ? {} : { from: dawn, to: new Date(dawn.getTime() + dayMs) }
  const rooms = await listDayRooms(db, { examId, ...span, scope: scopeOf(ctx.session) })
  return rooms.map(({ startTime, endTime, ...room }) => ({ ...room, startTime: toWireTime(startTime), endTime: toWireTime(endTime) }))
}

interface RoomName {
  readonly itemId: string
  readonly siteCode: string
  readonly roomNo: string
}
const ticketsOfRoom = async (ctx: Ctx, db: TenantDb, room: RoomName): Promise<readonly TicketRow[]> => {
  const filter = { itemId: room.itemId, siteCode: room.siteCode, roomNo: room.roomNo, scope: scopeOf(ctx.session) }
  return (await pageTickets(db, filter, { size: roomSize, offset: 0 })).rows.filter(row => row.releasedAt !== null)
}

/** A room as a device keeps it. It ends with the day, and a day before is as early as it is given out. */
export const readPack = async (context: TicketContext, ctx: Ctx, input: InputOf<typeof dayPack>): Promise<OutputOf<typeof dayPack>> => {
  const { paper, exam, rows, dictionaries, photos, granted } = await ctx.tx(async db => {
    const all = await ticketsOfRoom(ctx, db, input)
    const [first] = all
    const paper = first && (await findPaper(db, input.itemId))
    const exam = paper && (await findExam(db, paper.examId))
    if (!paper || !exam) throw new Refused(refuse('kernel/not-found', {}))
    const closed = outsideDay(paper, ctx.arrivedAt, dayMs)
    if (closed) throw new Refused(closed)
    const photos = new Map<string, string>()
    for (const row of all) {
      const fileId = row.ticketState === 'void' ? undefined : await photoOf(db, row.signupId)
      const file = fileId === undefined ? undefined : await context.file.find(db, fileId)
      if (file?.ext === 'jpg') photos.set(row.id, (await context.file.read(file)).toString('base64'))
    }
    await audit(db, ctx, {
      action: 'exam-day.pack-read',
      entity: 'exam-item',
      entityId: paper.id,
      after: { siteCode: input.siteCode, roomNo: input.roomNo, people: all.length },
    })
    const granted = await listHelp(
      db,
      all.map(row => row.signupId),
    )
    return { paper, exam, rows: all, photos, granted, dictionaries: await readDictionaries(db, [clauses]) }
  })
  const live = rows.filter(row => row.ticketState !== 'void')
  const liveCodes = new Set(live.map(row => row.qrToken))
  const [first] = rows
  const pack: RoomPack = {
    examId: exam.id,
    examName: exam.examName,
    itemId: paper.id,
    itemName: paper.itemName,
    startTime: toWireTime(paper.startTime),
    endTime: toWireTime(paper.endTime),
    lateMinutes: paper.lateMinutes,
    siteCode: input.siteCode,
    siteName: first?.siteName ?? '',
    roomNo: input.roomNo,
    roomName: first?.roomName ?? '',
    userId: me(ctx),
    issuedAt: ctx.arrivedAt.getTime(),
    expiresAt: dawnOf(paper.startTime).getTime() + dayMs,
    people: live.map(row => ({
      ticketId: row.id,
      ticketNo: row.ticketNo,
      name: row.name,
      idCardMask: row.idCardMask,
      seatNo: row.seatNo,
      code: row.qrToken,
      help: granted.get(row.signupId)?.kinds ?? [],
      extraMinutes: granted.get(row.signupId)?.extraMinutes ?? 0,
      photo: photos.get(row.id) ?? '',
    })),
    voidCodes: rows.filter(row => !liveCodes.has(row.qrToken)).map(row => row.qrToken),
    clauses: (dictionaries[clauses] ?? []).map(({ key, zh, en }) => ({ code: key, zh, en })),
  }
  const text = JSON.stringify(pack)
  return { pack: text, signature: context.signer().sign(text), key: context.signer().publicKey }
}

/** Marks are made on the day, and come in until the results do: a phone may find a network again only in the evening. */
const outsideDay = (paper: PaperRow, at: Date, aheadMs: number): Refusal | undefined =>
  at.getTime() < dawnOf(paper.startTime).getTime() - aheadMs
    ? refuseTicket('ticket/day-early', { paper: paper.itemName, day: toWireDay(paper.startTime) })
    : paper.scoreState === 'none'
      ? undefined
      : refuseTicket('ticket/day-over', { paper: paper.itemName })

const shown = ({ markId, ticketId, kind, note, at, replaces }: DayMarkRow) => ({
  markId,
  ticketId,
  kind,
  note,
  at,
  replaces: [...replaces],
})

export const readMarks = async (ctx: Ctx, db: TenantDb, input: InputOf<typeof dayMarks>): Promise<OutputOf<typeof dayMarks>> => {
  const rows = await ticketsOfRoom(ctx, db, input)
  return (
    await listMarks(
      db,
      rows.map(row => row.id),
    )
  ).map(shown)
}

/** A clock may be so far ahead and is still taken for right. */
const aheadMs = 5 * 60_000
/**
 * When a mark was made. One of a clock that stands at 1970, or on another day than the paper, is as old as its arrival, with what the clock said beside it;
 * none is of the future.
 */
const timeOf = (paper: PaperRow, saidMs: number, arrivedAt: Date): { readonly madeAt: Date; readonly saidAt: Date | null } => {
  const isOff =
    saidMs < dawnOf(paper.startTime).getTime() ||
    saidMs >= dawnOf(paper.endTime).getTime() + dayMs ||
    saidMs > arrivedAt.getTime() + aheadMs
  return isOff ? { madeAt: arrivedAt, saidAt: new Date(saidMs) } : { madeAt: new Date(Math.min(saidMs, arrivedAt.getTime())), saidAt: null }
}
/** Whether a mark says what the first of its number has said; the time of a clock that ran ahead was cut when it came. */
const isSameMark = (
  first: Pick<DayMarkRow, 'ticketId' | 'kind' | 'madeAt' | 'saidAt' | 'receivedAt'>,
  mark: Pick<NewMark, 'ticketId' | 'kind'>,
  saidMs: number | undefined,
): boolean => {
  const [was, came] = [(first.saidAt ?? first.madeAt).getTime(), first.receivedAt.getTime()]
  const isSameTime =
    saidMs === was || (saidMs !== undefined && first.saidAt === null && was === came && saidMs > came && saidMs <= came + aheadMs)
  return first.ticketId === mark.ticketId && first.kind === mark.kind && isSameTime
}

/**
 * Takes the marks of a device, each by itself: one that may not be taken is named with its reason and keeps no other from being taken. What all
 * marks of a ticket come to is worked out anew under a lock of the paper, so two devices that send at once agree.
 */
export const takeMarks = async (ctx: Ctx, db: TenantDb, input: InputOf<typeof sendDayMarks>): Promise<OutputOf<typeof sendDayMarks>> => {
  const refused: { markId: string; msg: string }[] = []
  const sent: NewMark[] = []
  const papers = new Map<string, Refusal | PaperRow>()
  for (const mark of input.marks) {
    const ticket = await findTicket(db, mark.ticketId, scopeOf(ctx.session))
    const no = (refusal: Refusal) => void refused.push({ markId: mark.markId, msg: ctx.say(refusal.text) })
    if (!ticket || ticket.releasedAt === null) {
      no(refuse('kernel/not-found', {}))
      continue
    }
    const known = papers.get(ticket.itemId) ?? (await openPaper(db, ticket.itemId, ctx.arrivedAt))
    papers.set(ticket.itemId, known)
    if (isRefusal(known)) {
      no(known)
      continue
    }
    if (ticket.ticketState === 'void') {
      no(refuseTicket('ticket/day-void', { ticketNo: ticket.ticketNo }))
      continue
    }
    const { markId, ticketId, kind, note = '', replaces = [] } = mark
    const time = timeOf(known, mark.at, ctx.arrivedAt)
    sent.push({ markId, ticketId, kind, note, replaces, at: time.madeAt.getTime(), ...time, examId: ticket.examId, itemId: ticket.itemId })
  }
  for (const itemId of [...new Set(sent.map(one => one.itemId))].sort()) await lock(db, `exam-day|${itemId}`)
  const here = new Map<string, Pick<DayMarkRow, 'ticketId' | 'kind' | 'madeAt' | 'saidAt' | 'receivedAt'>>()
  for (const one of await listMarksById(
    db,
    sent.map(({ markId }) => markId),
  ))
    here.set(one.markId, one)
  const good: NewMark[] = []
  for (const one of sent) {
    const first = here.get(one.markId)
    if (
      first &&
      !isSameMark(first, one, input.marks.find(({ markId, ticketId }) => markId === one.markId && ticketId === one.ticketId)?.at)
    ) {
      refused.push({ markId: one.markId, msg: ctx.say(refuseTicket('ticket/mark-conflict', {}).text) })
      // The device keeps it as not taken; the office reads in the trail what was said under one number.
      await audit(db, ctx, {
        action: 'exam-day.mark-conflict',
        entity: 'exam-item',
        entityId: one.itemId,
        before: { ticketId: first.ticketId, kind: first.kind, madeTime: toWireTime(first.madeAt) },
        after: { device: input.device, markId: one.markId, ticketId: one.ticketId, kind: one.kind, madeTime: toWireTime(one.madeAt) },
      })
      continue
    }
    if (!first) here.set(one.markId, { ...one, receivedAt: ctx.arrivedAt })
    good.push(one)
  }
  const added = good.length === 0 ? 0 : await addMarks(db, input.device, good)
  if (added > 0) {
    const byTicket = Map.groupBy(await listMarks(db, [...new Set(good.map(one => one.ticketId))]), one => one.ticketId)
    const placeOf = new Map(good.map(one => [one.ticketId, one]))
    await writeStates(
      db,
      [...byTicket].flatMap(([ticketId, marks]) => {
        const place = placeOf.get(ticketId)
        return place ? [{ ticketId, examId: place.examId, itemId: place.itemId, state: attendanceOf(marks) }] : []
      }),
    )
    for (const [itemId, marks] of Map.groupBy(good, one => one.itemId))
      await audit(db, ctx, {
        action: 'exam-day.marked',
        entity: 'exam-item',
        entityId: itemId,
        after: { device: input.device, marks: marks.length },
      })
  }
  return { taken: good.map(one => one.markId), refused }
}

const openPaper = async (db: TenantDb, itemId: string, at: Date): Promise<PaperRow | Refusal> => {
  const paper = await findPaper(db, itemId)
  if (!paper) return refuse('kernel/not-found', {})
  return outsideDay(paper, at, 0) ?? paper
}

export const readTrail = async (ctx: Ctx, db: TenantDb, ticketId: string): Promise<OutputOf<typeof dayTrail> | Refusal> => {
  if (!(await findTicket(db, ticketId, scopeOf(ctx.session)))) return refuse('kernel/not-found', {})
  const marks = await listMarks(db, [ticketId])
  const counting = countingMark(marks)
  return marks.map(mark => ({
    ...shown(mark),
    counts: mark.markId === counting?.markId,
    device: mark.device,
    by: mark.by,
    madeTime: toWireTime(mark.madeAt),
    receivedTime: toWireTime(mark.receivedAt),
    saidTime: mark.saidAt === null ? '' : toWireTime(mark.saidAt),
  }))
}

export const listNotes = async (ctx: Ctx, db: TenantDb, input: InputOf<typeof dayNotes>) => {
  const { current, size, offset, examId, itemId } = sliceOf(input)
  const { rows, total } = await pageNotes(db, { examId, itemId, scope: scopeOf(ctx.session) }, { size, offset })
  return toPage(
    rows.map(({ madeAt, ...row }) => ({ ...row, madeTime: toWireTime(madeAt) })),
    total,
    current,
    size,
  )
}
