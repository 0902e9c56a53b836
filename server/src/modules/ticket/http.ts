import { refuse } from '#contract/kernel/errors.ts'
import { idsOf } from '#contract/kernel/ids.ts'
import { stateOfWire } from '#contract/kernel/machine.ts'
import { sliceOf, toPage } from '#contract/kernel/page.ts'
import { toWireTime } from '#contract/kernel/when.ts'
import { refuseTicket } from '#contract/ticket/ticket.errors.ts'
import * as routes from '#contract/ticket/ticket.routes.ts'
import { ticketMachine } from '#contract/ticket/ticket.state.ts'
import { audit } from '#kernel/audit.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type Ctx, type Handler, handle } from '#kernel/http/context.ts'
import { answerSealOf, inputDigest, once, recall } from '#kernel/http/idempotency.ts'
import { isNarrowed } from '#kernel/http/row-scope.ts'
import { findExam, listPapers } from '#modules/exam/index.ts'
import { checkTicketCode, parseTicketCode } from './check.ts'
import { allocate, planAllocation, publishSeeds } from './commands/allocate.ts'
import { clearTickets, saveTicketChange, voidTicket } from './commands/change.ts'
import { gateOf } from './commands/download.ts'
import { printTickets } from './commands/print.ts'
import { progressOf, release, withdraw } from './commands/release.ts'
import { seatLatecomersOf } from './commands/seat-late.ts'
import { photoOf } from './data/eligible.repo.ts'
import { cancelRunning, latestRender, stateOfRender } from './data/release.repo.ts'
import { findTicket, pageTickets, type TicketFilter, ticketsOf } from './data/ticket.repo.ts'
import type { TicketContext } from './deps.ts'
import { noTicket } from './domain/gate.ts'
import { typeOfPaper } from './domain/paper-group.ts'
import { papersOfHolder, papersOfStaff } from './paper-list.ts'
import { isCandidate, me, scopeOf, viewNotice, viewTicket } from './views.ts'

/** Routes without a transaction of the kernel keep the promise of the Idempotency-Key themselves. */
const keyedBy = (context: TicketContext, ctx: Ctx, path: string, input: unknown) => {
  const key = ctx.header('idempotency-key')
  const digest = inputDigest(path, input, [])
  const seal = answerSealOf(context.services.cipher)
  return {
    recalled: async <T>(): Promise<{ readonly value: T } | undefined> =>
      key ? ctx.tx(db => recall<T>(db, key, path, digest, seal)) : undefined,
    once: <T>(work: (db: TenantDb) => Promise<T>): Promise<T> =>
      ctx.tx(db => (key ? once(db, key, path, digest, () => work(db), seal) : work(db))),
  }
}

export const ticketHandlers = (context: TicketContext): readonly Handler[] => [
  handle(routes.findTicketItems, async ({ ctx, input, db }) => {
    const exam = await findExam(db, input.examId)
    if (!exam) return refuse('kernel/not-found', {})
    const papers = (await listPapers(db, exam.id)).filter(paper => input.type === undefined || typeOfPaper(paper) === input.type)
    return isCandidate(ctx) ? papersOfHolder(db, ctx, exam.id, papers) : papersOfStaff(db, ctx, exam.id, papers)
  }),

  handle(routes.creTicketEnd, async ({ ctx, input }) => {
    if (input.mode !== undefined && input.mode !== 'random') return refuseTicket('ticket/mode', {})
    if (isNarrowed(ctx.session, 'ticket')) return refuse('kernel/whole-needed', {})
    const order = {
      examId: input.examId,
      itemIds: idsOf(input.itemIds),
      mode: 'random',
      dryRun: input.dryRun === 1,
      force: input.force === 1,
    }
    const keyed = keyedBy(context, ctx, routes.creTicketEnd.path, input)
    if (order.dryRun) return keyed.once(db => planAllocation(context, db, order))
    // A key that stands for another call is refused before the digests are committed.
    const known = await keyed.recalled<Awaited<ReturnType<typeof allocate>>>()
    if (known) return known.value
    // The digests are committed before the draw begins, in a transaction that stands whatever becomes of the draw.
    await ctx.tx(db => publishSeeds(context, ctx, db, order))
    return keyed.once(db => allocate(context, ctx, db, order))
  }),

  handle(routes.seatLate, async ({ ctx, input, db }) =>
    isNarrowed(ctx.session, 'ticket')
      ? refuse('kernel/whole-needed', {})
      : seatLatecomersOf(ctx, db, { ...input, dryRun: input.dryRun === 1 }),
  ),

  handle(routes.delTicketList, async ({ ctx, input, db }) =>
    isNarrowed(ctx.session, 'ticket')
      ? refuse('kernel/whole-needed', {})
      : { removed: await clearTickets(ctx, db, input.examId, input.itemId, input.confirm) },
  ),
  handle(routes.delTicket, async ({ ctx, input, db }) => {
    await voidTicket(ctx, db, input.id, input.reason)
    return { id: input.id }
  }),
  handle(routes.removeTickets, async ({ ctx, input, db }) => {
    if (input.ids === undefined) return refuse('kernel/select-one', {})
    const ids = idsOf(input.ids).sort()
    for (const id of ids) await voidTicket(ctx, db, id, input.reason)
    return { removed: ids.length }
  }),

  handle(routes.releaseTickets, async ({ ctx, input }) => {
    if (isNarrowed(ctx.session, 'ticket')) return refuse('kernel/whole-needed', {})
    const order = {
      examId: input.examId,
      itemIds: idsOf(input.itemIds),
      force: input.force === 1,
      sms: input.sms === 1,
      confirm: input.confirm,
    }
    return keyedBy(context, ctx, routes.releaseTickets.path, input).once(db =>
      input.state === 0 ? withdraw(ctx, db, order) : release(context, ctx, db, order),
    )
  }),
  handle(routes.releaseProgress, async ({ input, db }) => {
    if (!(await findExam(db, input.examId))) return refuse('kernel/not-found', {})
    const row = await latestRender(db, input.examId, input.type ?? 1)
    return row ? progressOf(row) : null
  }),
  handle(routes.cancelRender, async ({ ctx, input, db }) => {
    const cancelled = await cancelRunning(db, input.renderId)
    const state = await stateOfRender(db, input.renderId)
    if (state === undefined) return refuse('kernel/not-found', {})
    if (cancelled > 0) await audit(db, ctx, { action: 'ticket.render-cancelled', entity: 'ticket_render', entityId: input.renderId })
    return { state }
  }),

  handle(routes.saveTicket, async ({ ctx, input, db }) => viewTicket(await saveTicketChange(ctx, db, input), false)),

  handle(routes.getExamTicketList, async ({ ctx, input, db }) => {
    const { current, size, offset } = sliceOf(input)
    const filter: TicketFilter = isCandidate(ctx)
      ? { examId: input.examId, itemId: input.itemId, type: input.type, userId: me(ctx) }
      : {
          examId: input.examId,
          itemId: input.itemId,
          type: input.type,
          ticketState: input.ticketState === undefined ? undefined : stateOfWire(ticketMachine, input.ticketState),
          siteCode: input.siteCode,
          roomNo: input.roomNo,
          keyword: input.keyword,
          scope: scopeOf(ctx.session),
        }
    const { rows, total } = await pageTickets(db, filter, { size, offset })
    return toPage(
      rows.map(row => viewTicket(row, isCandidate(ctx))),
      total,
      current,
      size,
    )
  }),
  handle(routes.getTicketInfo, async ({ ctx, input, db }) => {
    const row = await findTicket(db, input.id, scopeOf(ctx.session))
    if (!row) return noTicket()
    const rows = await ticketsOf(db, [row.signupId], row.type)
    const refusal = await gateOf(db, { ...row, rows }, ctx.arrivedAt)
    const notice = await viewNotice(db, row.examId, row.itemId, isCandidate(ctx) ? me(ctx) : undefined)
    if (!notice) return noTicket()
    // The person may ask who looked (P6).
    if (!isCandidate(ctx)) await audit(db, ctx, { action: 'ticket.read', entity: 'ticket', entityId: row.id })
    return {
      ticket: viewTicket(row, isCandidate(ctx)),
      items: rows.map(one => viewTicket(one, isCandidate(ctx))),
      notice,
      canDownload: refusal === undefined,
      reason: refusal ? ctx.say(refusal.text) : null,
    }
  }),

  handle(routes.printTickets, async ({ ctx, input }) => {
    if (input.layout !== undefined && input.layout !== 'ticket') return refuseTicket('ticket/layout', {})
    const bytes = await printTickets(context, ctx, input)
    return {
      body: Buffer.from(bytes),
      mime: 'application/pdf',
      name: `准考证_${toWireTime(ctx.arrivedAt).replace(/\D/g, '')}.pdf`,
      inline: true,
    }
  }),

  handle(routes.checkTicket, async ({ ctx, input, db }) => {
    const code = parseTicketCode(input.token)
    const check = code && code.tenantId === ctx.tenantId ? await checkTicketCode(db, code.token) : undefined
    const [first] = check?.rows ?? []
    const scope = scopeOf(ctx.session)
    if (!check || !first || (scope && !(await findTicket(db, first.id, scope)))) return noTicket()
    const photoId = await photoOf(db, first.signupId)
    await audit(db, ctx, { action: 'ticket.checked', entity: 'ticket', entityId: first.id })
    return {
      valid: check.isValid,
      reason: check.reason ? ctx.say(check.reason) : null,
      version: first.allotVersion,
      name: first.name,
      idCardMask: first.idCardMask,
      ticketNo: first.ticketNo,
      photoUrl: photoId ? context.file.linkFor({ tenantId: ctx.tenantId, userId: me(ctx) }, photoId, ctx.arrivedAt) : null,
      examName: check.examName,
      items: check.rows.map(row => ({
        itemName: row.itemName,
        siteName: row.siteName,
        roomNo: row.roomNo,
        seatNo: row.seatNo,
        startTime: toWireTime(row.startTime),
        ticketState: ticketMachine.wire[row.ticketState],
      })),
    }
  }),
]
