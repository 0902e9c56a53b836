import { createHmac } from 'node:crypto'
import { refuse } from '#contract/kernel/errors.ts'
import { maskName } from '#contract/kernel/mask.ts'
import type { InputOf, OutputOf } from '#contract/kernel/route.ts'
import { toWireTime } from '#contract/kernel/when.ts'
import { drawInterview, type interviewGroups } from '#contract/ticket/interview.routes.ts'
import { refuseTicket } from '#contract/ticket/ticket.errors.ts'
import { audit } from '#kernel/audit.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type Ctx, Refused } from '#kernel/http/context.ts'
import { keyedCall } from '#kernel/http/keyed.ts'
import { findPaper, type PaperRow } from '#modules/exam/index.ts'
import { listGroups, lockGroup, revealSeed, writeDraw } from '../data/interview.repo.ts'
import { dropRevealedSeed } from '../data/seed.repo.ts'
import type { TicketContext } from '../deps.ts'
import { drawStream, type Hmac, shuffle } from '../domain/draw.ts'
import { typeOfPaper } from '../domain/paper-group.ts'
import { scopeOf } from '../views.ts'
import { examFor, lockTickets } from './allocate.ts'
import { orderRendering } from './orders.ts'
import { ensureSeeds, readSeed } from './seed.ts'
import { needWhole } from './whole.ts'

type Input = InputOf<typeof drawInterview>
type Drawn = OutputOf<typeof drawInterview>

const hmac: Hmac = (key, data) => createHmac('sha256', key).update(data).digest()
const dayOf = (instant: Date): string => toWireTime(instant).slice(0, 10)

const interviewOf = async (db: TenantDb, examId: string, itemId: string): Promise<PaperRow> => {
  const paper = await findPaper(db, itemId)
  if (!paper || paper.examId !== examId) throw new Refused(refuse('kernel/not-found', {}))
  if (typeOfPaper(paper) !== 2) throw new Refused(refuseTicket('ticket/no-interview', {}))
  return paper
}

export const readGroups = async (ctx: Ctx, db: TenantDb, { examId, itemId }: InputOf<typeof interviewGroups>) => {
  await interviewOf(db, examId, itemId)
  return (await listGroups(db, itemId, scopeOf(ctx.session))).map(row => ({ ...row, startTime: toWireTime(row.startTime) }))
}

/** A group that can be drawn now: released, on its day, and not drawn before. */
const groupFor = async (db: TenantDb, { itemId, groupNo }: Input, now: Date) => {
  const people = await lockGroup(db, itemId, groupNo)
  const [first] = people
  if (!first) throw new Refused(refuse('kernel/not-found', {}))
  if (people.some(person => person.state === 'made')) throw new Refused(refuseTicket('ticket/not-released', {}))
  // A draw that is repeated until somebody likes it is none.
  if (people.some(person => person.drawNo !== null)) throw new Refused(refuseTicket('ticket/drawn', { group: groupNo }))
  if (dayOf(first.startTime) !== dayOf(now))
    throw new Refused(refuseTicket('ticket/draw-day', { group: groupNo, day: dayOf(first.startTime) }))
  return people
}

/** A seed that is missing or known by now is replaced, and the digest of the new one stands before anything is drawn. */
const publishSeed = async (context: TicketContext, ctx: Ctx, db: TenantDb, input: Input): Promise<void> => {
  await lockTickets(db, input.examId)
  await interviewOf(db, input.examId, input.itemId)
  await groupFor(db, input, ctx.arrivedAt)
  await dropRevealedSeed(db, input.itemId)
  if ((await ensureSeeds(db, context.services.cipher, [input.itemId])) > 0)
    await audit(db, ctx, {
      action: 'ticket.seed-published',
      entity: 'examination',
      entityId: input.examId,
      after: { papers: [input.itemId] },
    })
}

const drawGroup = async (context: TicketContext, ctx: Ctx, db: TenantDb, input: Input): Promise<Drawn> => {
  const { examId, itemId, groupNo } = input
  await lockTickets(db, examId)
  const exam = await examFor(db, examId, true)
  const paper = await interviewOf(db, examId, itemId)
  const people = await groupFor(db, input, ctx.arrivedAt)
  const seed = await readSeed(db, context.services.cipher, itemId)
  const key = { seed, examId, itemGroup: `${paper.itemCode}|${groupNo}`, version: paper.allotVersion }
  const order = shuffle(people, drawStream(hmac, key))
  await writeDraw(
    db,
    order.map(person => person.id),
  )
  await orderRendering(db, { renderId: null, examId: exam.id, type: 2, itemIds: [], signupIds: order.map(person => person.signupId) })
  const isLast = (await listGroups(db, itemId, undefined)).every(group => group.drawn > 0)
  const reveal = isLast ? seed.toString('hex') : null
  if (reveal !== null) await revealSeed(db, itemId, reveal)
  await audit(db, ctx, {
    action: 'ticket.interview-drawn',
    entity: 'examination',
    entityId: examId,
    after: { paper: itemId, groupNo, seedCommit: paper.seedCommit, seedReveal: reveal, order: order.map(person => person.ticketNo) },
  })
  return {
    seedCommit: paper.seedCommit ?? '',
    seedReveal: reveal,
    people: order.map(({ ticketNo, name }, i) => ({ drawNo: i + 1, ticketNo, name: maskName(name) })),
  }
}

/**
 * Draws the order of an interview group on its day, once, with the seed of the paper whose digest is public: whoever has the seed, which is
 * revealed after the last group, and the ticket numbers of the group in their order can draw again and compare.
 */
export const orderDraw = async (context: TicketContext, ctx: Ctx, input: Input): Promise<Drawn> => {
  needWhole(ctx)
  const keyed = keyedCall<Drawn>(context.services.cipher, ctx, drawInterview.path, input)
  const known = await keyed.recalled()
  if (known) return known.value
  await ctx.tx(db => publishSeed(context, ctx, db, input))
  return keyed.once(db => drawGroup(context, ctx, db, input))
}
