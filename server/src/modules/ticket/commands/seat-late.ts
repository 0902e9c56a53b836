import { refuse } from '#contract/kernel/errors.ts'
import type { InputOf, OutputOf } from '#contract/kernel/route.ts'
import { refuseTicket } from '#contract/ticket/ticket.errors.ts'
import type { seatLate } from '#contract/ticket/ticket.routes.ts'
import { audit } from '#kernel/audit.ts'
import { newToken } from '#kernel/crypto/token.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type Ctx, Refused } from '#kernel/http/context.ts'
import { insistOnGate } from '#kernel/two-persons.ts'
import { type ExamRow, listPapers, type PaperRow } from '#modules/exam/index.ts'
import { dropPages } from '../data/change.repo.ts'
import { type EligibleRow, listEligible } from '../data/eligible.repo.ts'
import { namesOf, publishTicketsOf, seatsTaken } from '../data/late.repo.ts'
import { insertTickets, type NewTicket, placesOf, usedNumbers } from '../data/ticket.repo.ts'
import { type LatePlace, seatKey, seatLatecomers } from '../domain/late-seats.ts'
import { groupPapers, roomsOfGroup, typeOfPaper } from '../domain/paper-group.ts'
import { pickNumber } from '../domain/pick-number.ts'
import type { Room } from '../domain/room.ts'
import { examFor, lockTickets, papersFor } from './allocate.ts'
import { orderNotices, orderRendering } from './orders.ts'
import { unprintable } from './release.ts'
import { needWhole } from './whole.ts'

type Outcome = OutputOf<typeof seatLate>

/** Eligible people without a ticket of these papers; one that the office made void was made so on purpose. */
const latecomersOf = async (db: TenantDb, examId: string, papers: readonly PaperRow[]) => {
  const ids = papers.map(paper => paper.id)
  const [eligible, seats] = [await listEligible(db, examId, ids), await seatsTaken(db, examId, ids)]
  const had = new Set(seats.filter(seat => !seat.isByRule).map(seat => `${seat.signupId} ${seat.itemId}`))
  return {
    people: eligible.filter(person => person.itemIds.every(itemId => !had.has(`${person.signupId} ${itemId}`))),
    taken: new Set(seats.filter(seat => !seat.isVoid).map(seat => seatKey(seat.siteCode, seat.roomNo, Number(seat.seatNo)))),
  }
}

/** One row for each paper that the person sits; number and code are those of the person's other papers, if there are any. */
const rowsOf = async (
  db: TenantDb,
  exam: ExamRow,
  {
    papers,
    rooms,
    people,
    places,
    known,
  }: {
    readonly papers: readonly PaperRow[]
    readonly rooms: readonly Room[]
    readonly people: readonly EligibleRow[]
    readonly places: readonly LatePlace[]
    readonly known: ReadonlyMap<string, { readonly ticketNo: string; readonly qrToken: string }>
  },
): Promise<NewTicket[]> => {
  const used = await usedNumbers(db, exam.id)
  return places.flatMap(place => {
    const person = people.find(one => one.signupId === place.signupId)
    const room = rooms.find(one => one.siteCode === place.siteCode && one.roomNo === place.roomNo)
    if (!person || !room) throw new Error('a seat was given to nobody or nowhere')
    const numbered = { siteNo: Number(place.siteCode), roomNo: Number(place.roomNo), seatNo: place.seatNo }
    const kept = known.get(place.signupId) ?? {
      ticketNo: pickNumber({ year: exam.year, examNo: exam.examNo, ...numbered }, used),
      qrToken: newToken(),
    }
    return papers
      .filter(paper => person.itemIds.includes(paper.id))
      .map(paper => ({
        ...{ itemId: paper.id, signupId: person.signupId, userId: person.userId, ticketNo: kept.ticketNo, qrToken: kept.qrToken },
        ...{ siteCode: place.siteCode, siteName: room.siteName ?? '', siteAddress: room.siteAddress ?? '' },
        ...{ roomNo: place.roomNo, roomName: room.roomName ?? '', floor: room.floor ?? null },
        seatNo: String(place.seatNo).padStart(2, '0'),
        ...{ reportTime: paper.reportTime, startTime: paper.startTime, endTime: paper.endTime, allotVersion: paper.allotVersion },
      }))
  })
}

/** Which seats latecomers get; of one person, or of all. */
const planSeats = async (
  db: TenantDb,
  exam: ExamRow,
  papers: readonly PaperRow[],
  of: { readonly rooms: readonly Room[]; readonly signupId?: string },
) => {
  const { people: all, taken } = await latecomersOf(db, exam.id, papers)
  const people = of.signupId === undefined ? all : all.filter(person => person.signupId === of.signupId)
  const known = new Map((await placesOf(db, exam.id, 1)).map(place => [place.signupId, place]))
  const siteOf = new Map([...known].map(([holder, { siteCode }]) => [holder, siteCode]))
  return { people, rooms: of.rooms, known, ...seatLatecomers(people, of.rooms, taken, siteOf) }
}

/** Writes the tickets of a plan. Papers that are released have them released at once, and their holders are told. */
const giveSeats = async (
  ctx: Ctx,
  db: TenantDb,
  exam: ExamRow,
  papers: readonly PaperRow[],
  plan: Awaited<ReturnType<typeof planSeats>>,
): Promise<void> => {
  const { places, without } = plan
  if (without.length > 0) throw new Refused(refuseTicket('ticket/shortage', { shortage: without.length }))
  if (places.length === 0) return
  const isPublic = papers.some(paper => paper.ticketState === 'released')
  const signupIds = places.map(place => place.signupId)
  const problems = isPublic ? unprintable(await namesOf(db, signupIds)) : []
  if (problems.length > 0) throw new Refused(refuseTicket('ticket/glyphs', { count: problems.length }, { data: { problems } }))

  await insertTickets(db, exam.id, 1, await rowsOf(db, exam, { papers, ...plan }))
  const itemIds = papers.map(paper => paper.id)
  if (isPublic) {
    // What they hold of other papers shows this one too from now on.
    await dropPages(db, signupIds, 1)
    await publishTicketsOf(db, exam.id, itemIds, signupIds)
    await orderRendering(db, { renderId: null, examId: exam.id, type: 1, itemIds: [], signupIds })
    const eventKey = `ticket-late:${itemIds[0]}:${db.now.getTime()}`
    await orderNotices(db, { examId: exam.id, type: 1, signupIds, eventKey, sms: true, event: 'released' })
  }
  await audit(db, ctx, {
    action: 'ticket.seated-late',
    entity: 'examination',
    entityId: exam.id,
    after: { papers: itemIds, signups: signupIds, released: isPublic },
  })
}

/**
 * Gives those who became eligible after the draw seats that are free, spare ones first, and moves nobody (domain 7.4, last rule). Where the papers
 * are released already the new tickets are released with them: rendered by the queue, their holders told.
 *
 * Refuses 2301 (no seat is left for somebody), 2302 (ended), 2304 (nothing is drawn yet), 2311 (a name that no font can print).
 */
export const seatLatecomersOf = async (ctx: Ctx, db: TenantDb, input: InputOf<typeof seatLate>): Promise<Outcome> => {
  needWhole(ctx)
  await lockTickets(db, input.examId)
  const exam = await examFor(db, input.examId, true)
  const papers = await papersFor(db, exam.id, [input.itemId])
  const itemNames = papers.map(paper => paper.itemName).join('、')
  if (papers.some(paper => typeOfPaper(paper) === 2)) throw new Refused(refuseTicket('ticket/interview-by-import', { items: itemNames }))
  if (papers.some(paper => paper.ticketState === 'none')) throw new Refused(refuseTicket('ticket/not-made', { items: itemNames }))
  if (papers.some(paper => paper.ticketState === 'ended' || paper.endTime <= db.now)) throw new Refused(refuseTicket('ticket/released', {}))
  const isPublic = papers.some(paper => paper.ticketState === 'released')
  if (isPublic && !ctx.session?.permissions.has('ticket_release')) throw new Refused(refuse('kernel/forbidden', {}))

  const plan = await planSeats(db, exam, papers, { rooms: roomsOfGroup(papers) as readonly Room[] })
  const shortage = plan.without.length
  if (input.dryRun === 1) return { late: plan.people.length, seated: plan.places.length, shortage }
  await giveSeats(ctx, db, exam, papers, plan)
  return { late: plan.people.length, seated: plan.places.length, shortage }
}

/**
 * Gives one person who has the place back a free seat in every written paper that has seats and is still to come, spare ones first. A ticket that the
 * office itself made void stays so. Refuses 2301 where no seat is left.
 * @returns in how many papers
 */
export const seatAgain = async (ctx: Ctx, db: TenantDb, examId: string, signupId: string): Promise<number> => {
  insistOnGate(db, 'restore')
  await lockTickets(db, examId)
  const exam = await examFor(db, examId, true)
  let seats = 0
  for (const group of groupPapers((await listPapers(db, examId)).filter(paper => typeOfPaper(paper) === 1))) {
    const papers = group.filter(({ ticketState, endTime }) => (ticketState === 'made' || ticketState === 'released') && endTime > db.now)
    if (papers.length === 0) continue
    const plan = await planSeats(db, exam, papers, { rooms: roomsOfGroup(group) as readonly Room[], signupId })
    await giveSeats(ctx, db, exam, papers, plan)
    seats += plan.places.length === 0 ? 0 : papers.filter(paper => plan.people[0]?.itemIds.includes(paper.id)).length
  }
  return seats
}
