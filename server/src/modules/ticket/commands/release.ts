import { dateProblem } from '#contract/kernel/date-facts.ts'
import { refuse, refuseField } from '#contract/kernel/errors.ts'
import { idsOf } from '#contract/kernel/ids.ts'
import type { Refusal } from '#contract/kernel/refusal.ts'
import type { InputOf, OutputOf } from '#contract/kernel/route.ts'
import { toWireTime } from '#contract/kernel/when.ts'
import { refuseTicket } from '#contract/ticket/ticket.errors.ts'
import { type releaseProgress, releaseTickets } from '#contract/ticket/ticket.routes.ts'
import { audit } from '#kernel/audit.ts'
import { newToken } from '#kernel/crypto/token.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { transition } from '#kernel/db/transition.ts'
import { type Ctx, Refused } from '#kernel/http/context.ts'
import { keyedCall } from '#kernel/http/keyed.ts'
import { loadFonts, missingGlyphs } from '#kernel/pdf/fonts.ts'
import { type ExamRow, findExam, listPapers, lockExam, type PaperRow } from '#modules/exam/index.ts'
import { countPending } from '../data/eligible.repo.ts'
import {
  cancelRunning,
  countMade,
  countReductions,
  insertRender,
  latestRender,
  type PersonToRelease,
  peopleToRelease,
  type RenderRow,
  releaseRows,
  renderToRelease,
  shareFiles,
  stateOfRender,
  withdrawRows,
} from '../data/release.repo.ts'
import type { TicketType } from '../data/ticket.repo.ts'
import type { TicketContext } from '../deps.ts'
import { openWindows } from '../domain/open-windows.ts'
import { typeOfPaper } from '../domain/paper-group.ts'
import { leftOutOf } from '../left-out.ts'
import { lockTickets, papersFor } from './allocate.ts'
import { orderNotices, orderRendering } from './orders.ts'
import { readSeed } from './seed.ts'
import { needWhole } from './whole.ts'

interface ReleaseInput {
  readonly examId: string
  readonly itemIds: readonly string[]
  readonly force: boolean
  readonly sms: boolean
  readonly whenReady: boolean
  readonly confirm: string | undefined
}
type Answer = OutputOf<typeof releaseTickets>

/** So many of a hundred tickets must be ready before a release (domain 5.2). */
const readyShare = 0.99
const progressOf = (row: RenderRow): NonNullable<Answer['progress']> => ({
  renderId: row.id,
  examId: row.examId,
  type: row.type,
  itemIds: [...row.itemIds],
  total: row.total,
  done: row.done,
  failed: row.failed,
  problems: row.problems.map(problem => ({ ...problem })),
  state: row.state,
})

const open = async (db: TenantDb, input: ReleaseInput): Promise<{ exam: ExamRow; papers: PaperRow[]; type: TicketType }> => {
  await lockTickets(db, input.examId)
  const exam = await lockExam(db, input.examId)
  if (!exam) throw new Refused(refuse('kernel/not-found', {}))
  if (exam.state !== 'released') throw new Refused(refuseTicket('ticket/exam-state', {}))
  const papers = await papersFor(db, input.examId, input.itemIds)
  const types = [...new Set(papers.map(typeOfPaper))]
  const [type] = types
  // One call is one PDF per person; written and interview tickets are released one after the other.
  if (type === undefined || types.length > 1) throw new Refused(refuse('kernel/not-supported', {}))
  return { exam, papers, type }
}

/** Names that no font can draw, with the characters (2311). */
export const unprintable = (
  people: readonly Pick<PersonToRelease, 'signupId' | 'name'>[],
): { signUpId: string; name: string; characters: string[] }[] => {
  const fonts = loadFonts()
  return people.flatMap(({ signupId, name }) => {
    const characters = missingGlyphs(fonts, name)
    return characters.length === 0 ? [] : [{ signUpId: signupId, name, characters }]
  })
}

/**
 * Releases papers that are made (domain 4.6): names are checked first (2311), then the pages are rendered by the queue (`rendering`;
 * 2304 while it runs), and the call that finds at least 99 % ready publishes them and the seed. With `whenReady` that call is made when the pages are there.
 */
const release = async (context: TicketContext, ctx: Ctx | undefined, db: TenantDb, input: ReleaseInput): Promise<Answer> => {
  const { exam, papers, type } = await open(db, input)
  const windowEnd = type === 1 ? exam.ticketEnd : exam.msTicketEnd
  const wrong = dateProblem('ticketRelease', db.now, { windowEnd })
  if (wrong) throw new Refused(refuseField(type === 1 ? 'ticketEnd' : 'msTicketEnd', wrong))
  const notMade = papers.filter(paper => paper.ticketState === 'none')
  if (notMade.length > 0) throw new Refused(refuseTicket('ticket/not-made', { items: notMade.map(paper => paper.itemName).join('、') }))
  const made = papers.filter(paper => paper.ticketState === 'made')
  const itemIds = papers.map(paper => paper.id)
  const people = await peopleToRelease(db, exam.id, itemIds)
  if (made.length === 0 && people.length === 0) return { step: 'released', changed: 0, progress: null }

  const problems = unprintable(people)
  if (problems.length > 0 && !input.force)
    throw new Refused(refuseTicket('ticket/glyphs', { count: problems.length }, { data: { problems } }))
  const blocked = new Set(problems.map(problem => problem.signUpId))
  const printable = people.filter(person => !blocked.has(person.signupId))
  const waiting = printable.filter(person => !person.isRendered).map(person => person.signupId)
  const last = await latestRender(db, exam.id, type)
  const current = last && last.state !== 2 && itemIds.every(id => last.itemIds.includes(id)) ? last : undefined
  const ready = printable.length === 0 ? 1 : 1 - waiting.length / printable.length
  if (!input.force && ready < readyShare) {
    if (current?.state === 0)
      throw new Refused(
        refuseTicket(
          'ticket/rendering',
          { done: printable.length - waiting.length, total: printable.length },
          { data: progressOf(current), retryAfterSeconds: 2 },
        ),
      )
    const render = await insertRender(db, {
      examId: exam.id,
      type,
      itemIds,
      total: waiting.length,
      releaseSms: input.whenReady ? input.sms : null,
    })
    await orderRendering(db, { renderId: render.id, examId: exam.id, type, itemIds, signupIds: waiting })
    await audit(db, ctx, {
      action: 'ticket.render-ordered',
      entity: 'examination',
      entityId: exam.id,
      after: { papers: itemIds, total: waiting.length, ...(input.whenReady && { whenReady: true }) },
    })
    return { step: 'rendering', changed: 0, progress: progressOf(render) }
  }

  const released = await releaseRows(db, exam.id, itemIds, [...blocked])
  await shareFiles(db, exam.id, itemIds)
  for (const paper of made) {
    // With the seed of an interview the order of its groups is drawn on the day, which reveals it then.
    const isDrawnLater = paper.seedCommit === null || typeOfPaper(paper) === 2
    const seed = isDrawnLater ? null : await readSeed(db, context.services.cipher, paper.id)
    const moved = await transition(
      db,
      'exam_item',
      paper.id,
      { from: 'made', to: 'released', column: 'ticket_state' },
      { seed_reveal: seed?.toString('hex') ?? null },
    )
    if (!moved) throw new Refused(refuse('kernel/changed-meanwhile', {}))
  }
  if (waiting.length > 0) await orderRendering(db, { renderId: null, examId: exam.id, type, itemIds: [], signupIds: waiting })
  const holders = [...new Set(released.map(row => row.signupId))]
  // The key names this release: a later one after a withdrawal is news again.
  const eventKey = `ticket-released:${itemIds[0] ?? '0'}:${db.now.getTime()}`
  await orderNotices(db, { examId: exam.id, type, signupIds: holders, eventKey, sms: input.sms, event: 'released' })
  await audit(db, ctx, {
    action: 'ticket.released',
    entity: 'examination',
    entityId: exam.id,
    after: { papers: itemIds, tickets: released.length, people: holders.length, blocked: [...blocked], unrendered: waiting.length },
  })
  return { step: 'released', changed: released.length, progress: current ? progressOf(current) : null }
}

/** What a release would do now, and what is not over that changes who sits. */
const checkRelease = async (ctx: Ctx, db: TenantDb, input: ReleaseInput): Promise<Answer> => {
  const exam = await findExam(db, input.examId)
  if (!exam) throw new Refused(refuse('kernel/not-found', {}))
  const papers = await papersFor(db, exam.id, input.itemIds)
  const itemIds = papers.map(paper => paper.id)
  const isWritten = papers.every(paper => typeOfPaper(paper) === 1)
  const [begin, end] = isWritten ? [exam.ticketBegin, exam.ticketEnd] : [exam.msTicketBegin, exam.msTicketEnd]
  return {
    step: 'checked',
    changed: 0,
    progress: null,
    facts: {
      people: (await peopleToRelease(db, exam.id, itemIds)).length,
      tickets: await countMade(db, exam.id, itemIds),
      downloadBegin: begin && toWireTime(begin),
      downloadEnd: end && toWireTime(end),
      openWindows: openWindows(exam, db.now).map(({ window, end: until }) => ({ window, end: toWireTime(until) })),
      pending: await countPending(db, exam.id, itemIds),
      reductions: await countReductions(db, exam.id),
      leftOut: await leftOutOf(db, exam.id, itemIds, ctx.say),
    },
  }
}

/** Takes a release back: only before the download window opens, or with the code of the examination typed. */
const withdraw = async (ctx: Ctx, db: TenantDb, input: ReleaseInput): Promise<Answer> => {
  const { exam, papers, type } = await open(db, input)
  const itemIds = papers.map(paper => paper.id)
  const begin = type === 1 ? exam.ticketBegin : exam.msTicketBegin
  if (!(begin && db.now < begin) && input.confirm !== exam.examCode)
    throw new Refused(refuseTicket('ticket/confirm', { examCode: exam.examCode }))
  if (!papers.every(paper => paper.ticketState === 'released')) throw new Refused(refuseTicket('ticket/not-released', {}))
  const { changed, holders, others } = await withdrawRows(db, exam.id, itemIds, type, newToken)
  for (const paper of papers) {
    if (!(await transition(db, 'exam_item', paper.id, { from: 'released', to: 'made', column: 'ticket_state' })))
      throw new Refused(refuse('kernel/changed-meanwhile', {}))
  }
  await orderRendering(db, { renderId: null, examId: exam.id, type, itemIds: [], signupIds: others })
  const eventKey = `ticket-withdrawn:${itemIds[0] ?? '0'}:${db.now.getTime()}`
  await orderNotices(db, { examId: exam.id, type, signupIds: holders, eventKey, event: 'withdrawn' })
  await audit(db, ctx, {
    action: 'ticket.withdrawn',
    entity: 'examination',
    entityId: exam.id,
    after: { papers: itemIds, tickets: changed, voided: holders.length },
  })
  return { step: 'withdrawn', changed, progress: null }
}

/** Releases tickets (state 1) or takes a release back (0), once for each idempotency key. */
export const releaseOrWithdraw = async (context: TicketContext, ctx: Ctx, input: InputOf<typeof releaseTickets>): Promise<Answer> => {
  needWhole(ctx)
  const order: ReleaseInput = {
    examId: input.examId,
    itemIds: idsOf(input.itemIds),
    force: input.force === 1,
    sms: input.sms === 1,
    whenReady: input.whenReady === 1,
    confirm: input.confirm,
  }
  if (input.dryRun === 1) return ctx.tx(db => checkRelease(ctx, db, order))
  return keyedCall<Answer>(context.services.cipher, ctx, releaseTickets.path, input).once(db =>
    input.state === 0 ? withdraw(ctx, db, order) : release(context, ctx, db, order),
  )
}

/** What a rendering was ordered for, once its pages are there; nothing where it was released meanwhile. Refused where somebody must look first. */
export const releaseReady = async (context: TicketContext, db: TenantDb, renderId: string): Promise<void> => {
  const render = await renderToRelease(db, renderId)
  if (!render) return
  const { examId, itemIds, releaseSms, failed, problems } = render
  const papers = (await listPapers(db, examId)).filter(paper => itemIds.includes(paper.id))
  if (papers.every(paper => paper.ticketState === 'released')) return
  if (failed > 0) throw new Refused(refuseTicket('ticket/pages-failed', { count: failed, name: problems[0]?.name ?? '' }))
  await release(context, undefined, db, { examId, itemIds, force: false, sms: releaseSms === true, whenReady: true, confirm: undefined })
}

/** A release that was to follow by itself did not: whoever ordered it is told why, and the trail says so. */
export const tellNotReleased = async ({ message }: TicketContext, db: TenantDb, renderId: string, refusal: Refusal): Promise<void> => {
  const render = await renderToRelease(db, renderId)
  if (!render) return
  const { examId, itemIds, orderedBy } = render
  await audit(db, undefined, {
    action: 'ticket.release-skipped',
    entity: 'examination',
    entityId: examId,
    after: { papers: itemIds, refused: refusal.reason },
  })
  const exam = await findExam(db, examId)
  if (orderedBy === null || !exam) return
  const papers = (await listPapers(db, examId)).filter(paper => itemIds.includes(paper.id)).map(paper => paper.itemName)
  const { zh, en } = refusal.text
  await message.notify(db, {
    ...{ userId: orderedBy, examId, kind: 3 },
    title: { zh: '准考证没有自动发布', en: 'The tickets were not released by themselves' },
    content: {
      zh: `${exam.examName}（${papers.join('、')}）的准考证生成后未发布：${zh}。请在“编排与发布”中处理后再发布。`,
      en: `The tickets of ${exam.examName} (${papers.join(', ')}) were made but not released: ${en}. Please mend it under “Seating and release”, then release them.`,
    },
    link: `/ticket/ticket?examId=${examId}`,
    eventKey: `ticket-not-released:${renderId}`,
  })
}

/** How far the rendering of an examination's tickets is; null where none was ordered. */
export const readProgress = async (db: TenantDb, { examId, type = 1 }: InputOf<typeof releaseProgress>) => {
  if (!(await findExam(db, examId))) return refuse('kernel/not-found', {})
  const row = await latestRender(db, examId, type)
  return row ? progressOf(row) : null
}

/** Stops a rendering that runs. */
export const cancelRender = async (ctx: Ctx, db: TenantDb, renderId: string) => {
  const cancelled = await cancelRunning(db, renderId)
  const state = await stateOfRender(db, renderId)
  if (state === undefined) return refuse('kernel/not-found', {})
  if (cancelled > 0) await audit(db, ctx, { action: 'ticket.render-cancelled', entity: 'ticket_render', entityId: renderId })
  return { state }
}
