import { createHmac } from 'node:crypto'
import { refuse } from '#contract/kernel/errors.ts'
import type { OutputOf } from '#contract/kernel/route.ts'
import { refuseTicket } from '#contract/ticket/ticket.errors.ts'
import type { creTicketEnd } from '#contract/ticket/ticket.routes.ts'
import { audit } from '#kernel/audit.ts'
import { newToken } from '#kernel/crypto/token.ts'
import { lock } from '#kernel/db/lock.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { transition } from '#kernel/db/transition.ts'
import { type Ctx, Refused } from '#kernel/http/context.ts'
import { randomBytes } from '#kernel/random.ts'
import { type ExamRow, findExam, listPapers, lockExam, type PaperRow } from '#modules/exam/index.ts'
import { openContent } from '#modules/signup/index.ts'
import { countPending, type EligibleRow, listEligible, listRelations } from '../data/eligible.repo.ts'
import { dropRevealedSeed } from '../data/seed.repo.ts'
import { insertTickets, type NewTicket, placesOf, usedNumbers } from '../data/ticket.repo.ts'
import type { TicketContext } from '../deps.ts'
import type { Hmac } from '../domain/draw.ts'
import type { DrawFacts } from '../domain/draw-record.ts'
import { groupPapers, roomsOfGroup, typeOfPaper, withGroups } from '../domain/paper-group.ts'
import { pickNumber } from '../domain/pick-number.ts'
import { relatedKeysOf } from '../domain/related.ts'
import { capacityOf, type Room } from '../domain/room.ts'
import { allocateAtSites, allocateSeats, type SeatingMode, type SeatingPlan, type SeatingRefusal, type Sitter } from '../domain/seating.ts'
import { type LeftOut, leftOutOf } from '../left-out.ts'
import { keepDraw } from './draw-record.ts'
import { ensureSeeds, readSeed } from './seed.ts'

export interface AllocateInput {
  readonly examId: string
  readonly itemIds: readonly string[]
  readonly mode: SeatingMode
  readonly dryRun: boolean
  readonly force: boolean
}
type Plan = OutputOf<typeof creTicketEnd>

const hmac: Hmac = (key, data) => createHmac('sha256', key).update(data).digest()
const names = (papers: readonly PaperRow[]): string => papers.map(paper => paper.itemName).join('、')

/** All runs, releases and changes of seats of one examination wait for each other (domain 4.10). */
export const lockTickets = (db: TenantDb, examId: string): Promise<void> => lock(db, `ticket|${examId}`)

/** The chosen papers and those that share seats with them; refuses what can never be allocated here. */
export const papersFor = async (db: TenantDb, examId: string, itemIds: readonly string[]): Promise<PaperRow[]> => {
  const all = await listPapers(db, examId)
  if (itemIds.length === 0 || !itemIds.every(id => all.some(paper => paper.id === id))) throw new Refused(refuse('kernel/not-found', {}))
  return withGroups(all, itemIds)
}

export const examFor = async (db: TenantDb, examId: string, isLocked: boolean): Promise<ExamRow> => {
  const exam = isLocked ? await lockExam(db, examId) : await findExam(db, examId)
  if (!exam) throw new Refused(refuse('kernel/not-found', {}))
  if (exam.state !== 'released') throw new Refused(refuseTicket('ticket/exam-state', {}))
  return exam
}

const checkStates = (papers: readonly PaperRow[]): void => {
  const interviews = papers.filter(paper => typeOfPaper(paper) === 2)
  if (interviews.length > 0) throw new Refused(refuseTicket('ticket/interview-by-import', { items: names(interviews) }))
  if (papers.some(paper => paper.ticketState === 'released' || paper.ticketState === 'ended'))
    throw new Refused(refuseTicket('ticket/released', {}))
  const made = papers.filter(paper => paper.ticketState === 'made')
  if (made.length > 0) throw new Refused(refuseTicket('ticket/made', { items: names(made) }))
}

interface GroupPlan {
  readonly papers: readonly PaperRow[]
  readonly rooms: readonly Room[]
  readonly sitters: readonly EligibleRow[]
  readonly seats: number
  readonly outcome: SeatingPlan | SeatingRefusal
  /** What the draw was made from, with its outcome; undefined where it came to none. */
  readonly facts: DrawFacts | undefined
}

/** So many conflicts are listed; beside more of them nobody reads each. */
const shownConflicts = 200

/** Texts that only people who may know each other share, by sign-up. */
const relationsOf = async (db: TenantDb, { services }: TicketContext, examId: string): Promise<ReadonlyMap<string, readonly string[]>> => {
  const { tenantId } = db.actor
  const rows = await listRelations(db, examId)
  return new Map(
    rows.map(({ signupId, address, ...facts }) => {
      const opened =
        address === null ? '' : openContent(services.cipher, { tenantId, table: 'signup', rowId: signupId }, { address })['address']
      return [signupId, relatedKeysOf({ ...facts, address: typeof opened === 'string' ? opened : '' })]
    }),
  )
}

/**
 * Draws each group of papers in turn: the first by the committed seed over all rooms, later ones so that everybody stays at their
 * site (domain 7.4). `seedOf` gives the seed of the group's first paper.
 */
const draw = async (
  context: TicketContext,
  db: TenantDb,
  { examId, mode }: AllocateInput,
  papers: readonly PaperRow[],
  seedOf: (paper: PaperRow) => Promise<Uint8Array>,
): Promise<GroupPlan[]> => {
  const eligible = await listEligible(
    db,
    examId,
    papers.map(paper => paper.id),
  )
  const siteOf = new Map((await placesOf(db, examId, 1)).map(place => [place.signupId, place.siteCode]))
  const related = await relationsOf(db, context, examId)
  const plans: GroupPlan[] = []
  for (const group of groupPapers(papers)) {
    const [leader] = group
    if (!leader) continue
    const ids = new Set(group.map(paper => paper.id))
    const people = eligible.filter(person => person.itemIds.some(id => ids.has(id)))
    const rooms = roomsOfGroup(group) as readonly Room[]
    const sitters: Sitter[] = people.map(({ signupId, signNo, code, unit, needsAccess }) => ({
      ...{ signupId, signNo, code, unit, needsAccess },
      relatedKeys: related.get(signupId) ?? [],
    }))
    const of = { examId, itemGroup: leader.seatGroup ?? leader.itemCode, version: leader.allotVersion + 1 }
    const key = { seed: await seedOf(leader), ...of }
    const isFirst = !people.some(person => siteOf.has(person.signupId))
    const kept = isFirst ? undefined : new Map(siteOf)
    const outcome = kept ? allocateAtSites(sitters, kept, rooms, key, hmac, mode) : allocateSeats(sitters, rooms, key, hmac, mode)
    const facts = outcome.ok
      ? { ...of, mode, seedCommit: leader.seedCommit ?? '', rooms, sitters, siteOf: kept, placements: outcome.placements }
      : undefined
    if (outcome.ok) for (const { signupId, siteCode } of outcome.placements) if (!siteOf.has(signupId)) siteOf.set(signupId, siteCode)
    const seats = outcome.ok || outcome.reason === 'shortage' ? outcome.capacity : 0
    plans.push({ papers: group, rooms, sitters: people, seats, outcome, facts })
  }
  return plans
}

const planOf = (plans: readonly GroupPlan[], pending: number, leftOut: readonly LeftOut[]): Plan => {
  const groups = plans.map(({ papers, sitters, seats, outcome }) => ({
    itemIds: papers.map(paper => paper.id),
    itemNames: papers.map(paper => paper.itemName),
    eligible: sitters.length,
    seats,
    free: outcome.ok ? outcome.free : 0,
    shortage: outcome.ok || outcome.reason !== 'shortage' ? 0 : outcome.shortage,
    adjacency: outcome.ok ? outcome.conflicts.length : 0,
    seedCommit: papers[0]?.seedCommit ?? null,
  }))
  const sum = (of: (group: (typeof groups)[number]) => number): number => groups.reduce((total, group) => total + of(group), 0)
  return {
    eligible: new Set(plans.flatMap(plan => plan.sitters.map(sitter => sitter.signupId))).size,
    pending,
    seats: sum(group => group.seats),
    free: sum(group => group.free),
    shortage: sum(group => group.shortage),
    adjacency: sum(group => group.adjacency),
    withoutAccess: plans.reduce((total, { outcome }) => total + (outcome.ok ? outcome.withoutAccess.length : 0), 0),
    made: 0,
    leftOut: [...leftOut],
    groups,
    conflicts: plans
      .flatMap(({ papers, outcome }) =>
        outcome.ok ? outcome.conflicts.map(conflict => ({ itemId: papers[0]?.id ?? '', ...conflict })) : [],
      )
      .slice(0, shownConflicts)
      .map(({ itemId, siteCode, roomNo, seats, why }) => ({
        ...{ itemId, siteCode, roomNo, why },
        seats: seats.map(seat => String(seat).padStart(2, '0')),
      })),
    rooms: plans.flatMap(({ papers, rooms, outcome }) => {
      const seated = new Map<string, number>()
      if (outcome.ok)
        for (const { siteCode, roomNo } of outcome.placements) seated.set(siteCode + roomNo, (seated.get(siteCode + roomNo) ?? 0) + 1)
      return rooms.map(room => ({
        itemId: papers[0]?.id ?? '',
        siteCode: room.siteCode,
        siteName: room.siteName ?? '',
        roomNo: room.roomNo,
        roomName: room.roomName ?? '',
        seats: capacityOf(room),
        seated: seated.get(room.siteCode + room.roomNo) ?? 0,
      }))
    }),
  }
}

const checkRoomsOf = (plans: readonly GroupPlan[]): void => {
  for (const { outcome } of plans)
    if (!outcome.ok && outcome.reason === 'rooms')
      throw new Refused(
        refuseTicket(
          'ticket/rooms',
          { rooms: outcome.problems.map(problem => `${problem.siteCode}-${problem.roomNo} ${problem.problem}`).join('; ') },
          { data: { problems: outcome.problems } },
        ),
      )
}

/** What an allocation would do. Nothing is written; without a published seed a throw-away one stands in, because only counts are told. */
export const planAllocation = async (context: TicketContext, ctx: Ctx, db: TenantDb, input: AllocateInput): Promise<Plan> => {
  await examFor(db, input.examId, false)
  const papers = await papersFor(db, input.examId, input.itemIds)
  checkStates(papers)
  const plans = await draw(context, db, input, papers, paper =>
    paper.seedCommit === null ? Promise.resolve(randomBytes(32)) : readSeed(db, context.services.cipher, paper.id),
  )
  checkRoomsOf(plans)
  const itemIds = papers.map(paper => paper.id)
  const pending = await countPending(db, input.examId, itemIds)
  return planOf(plans, pending, await leftOutOf(db, input.examId, itemIds, ctx.say))
}

/** Publishes the digests of seeds that are missing: a transaction of its own, so that they stand before anything is drawn. */
export const publishSeeds = async (context: TicketContext, ctx: Ctx, db: TenantDb, input: AllocateInput): Promise<void> => {
  await examFor(db, input.examId, true)
  const papers = (await papersFor(db, input.examId, input.itemIds)).filter(paper => paper.ticketState === 'none')
  // With a seed that everybody knows by now, whoever draws could try lists until one suits.
  for (const { id } of papers) await dropRevealedSeed(db, id)
  const drawn = await ensureSeeds(
    db,
    context.services.cipher,
    papers.map(paper => paper.id),
  )
  if (drawn > 0)
    await audit(db, ctx, {
      action: 'ticket.seed-published',
      entity: 'examination',
      entityId: input.examId,
      after: { papers: papers.map(paper => paper.id) },
    })
}

/**
 * Eligibility, rooms, seats, numbers (domain 7.4, 7.5), one transaction under the lock of the examination. Refuses 2301 (not enough
 * seats), 2302 (allocated or released already), 2303 (sign-ups are still being examined).
 */
export const allocate = async (context: TicketContext, ctx: Ctx, db: TenantDb, input: AllocateInput): Promise<Plan> => {
  await lockTickets(db, input.examId)
  const exam = await examFor(db, input.examId, true)
  const papers = await papersFor(db, input.examId, input.itemIds)
  checkStates(papers)
  const itemIds = papers.map(paper => paper.id)
  const pending = await countPending(db, input.examId, itemIds)
  if (pending > 0) {
    if (!input.force) throw new Refused(refuseTicket('ticket/pending', { pending }, { data: { pending } }))
    if (!ctx.session?.roleAliases.has('exam_admin')) throw new Refused(refuse('kernel/forbidden', {}))
  }
  const plans = await draw(context, db, input, papers, paper => readSeed(db, context.services.cipher, paper.id))
  checkRoomsOf(plans)
  const plan = planOf(plans, pending, await leftOutOf(db, input.examId, itemIds, ctx.say))
  if (plan.shortage > 0) throw new Refused(refuseTicket('ticket/shortage', { shortage: plan.shortage }, { data: plan }))
  if (plan.eligible === 0) throw new Refused(refuseTicket('ticket/nobody', {}))

  const rows = await rowsOf(db, exam, plans)
  await insertTickets(db, input.examId, 1, rows)
  for (const paper of papers) {
    const moved = await transition(
      db,
      'exam_item',
      paper.id,
      { from: 'none', to: 'made', column: 'ticket_state' },
      { allot_version: paper.allotVersion + 1 },
    )
    if (!moved) throw new Refused(refuse('kernel/changed-meanwhile', {}))
  }
  const records: string[] = []
  for (const { papers: drawn, facts } of plans) {
    const [leader] = drawn
    if (leader && facts && facts.sitters.length > 0) records.push(await keepDraw(context, db, leader.id, facts))
  }
  await audit(db, ctx, {
    action: 'ticket.allocated',
    entity: 'examination',
    entityId: input.examId,
    after: {
      papers: itemIds,
      mode: input.mode,
      eligible: plan.eligible,
      seats: plan.seats,
      adjacency: plan.adjacency,
      pending,
      forced: pending > 0,
      records,
    },
  })
  return { ...plan, made: rows.length }
}

const rowsOf = async (db: TenantDb, exam: ExamRow, plans: readonly GroupPlan[]): Promise<NewTicket[]> => {
  const places = new Map(
    (await placesOf(db, exam.id, 1)).map(place => [place.signupId, { ticketNo: place.ticketNo, qrToken: place.qrToken }]),
  )
  const used = await usedNumbers(db, exam.id)
  const rows: NewTicket[] = []
  for (const { papers, rooms, sitters, outcome } of plans) {
    if (!outcome.ok) continue
    const roomOf = new Map(rooms.map(room => [room.siteCode + room.roomNo, room]))
    const personOf = new Map(sitters.map(person => [person.signupId, person]))
    for (const place of outcome.placements) {
      const person = personOf.get(place.signupId)
      const room = roomOf.get(place.siteCode + place.roomNo)
      if (!person || !room) throw new Error('a seat was given to nobody or nowhere')
      // One number per person and type: that of the first group of papers (domain 7.5).
      const kept = places.get(place.signupId) ?? {
        ticketNo: pickNumber(
          { year: exam.year, examNo: exam.examNo, siteNo: Number(place.siteCode), roomNo: Number(place.roomNo), seatNo: place.seatNo },
          used,
        ),
        qrToken: newToken(),
      }
      places.set(place.signupId, kept)
      for (const paper of papers) {
        if (!person.itemIds.includes(paper.id)) continue
        rows.push({
          ...kept,
          itemId: paper.id,
          signupId: place.signupId,
          userId: person.userId,
          siteCode: place.siteCode,
          siteName: room.siteName ?? '',
          siteAddress: room.siteAddress ?? '',
          roomNo: place.roomNo,
          roomName: room.roomName ?? '',
          floor: room.floor ?? null,
          seatNo: String(place.seatNo).padStart(2, '0'),
          reportTime: paper.reportTime,
          startTime: paper.startTime,
          endTime: paper.endTime,
          allotVersion: paper.allotVersion + 1,
        })
      }
    }
  }
  return rows
}
