import { paperTicketWire } from '#contract/exam/exam.state.ts'
import { refuse } from '#contract/kernel/errors.ts'
import { idsOf } from '#contract/kernel/ids.ts'
import { stateOfWire } from '#contract/kernel/machine.ts'
import { sliceOf, toPage } from '#contract/kernel/page.ts'
import { toWireTime } from '#contract/kernel/when.ts'
import { refuseTicket } from '#contract/ticket/ticket.errors.ts'
import * as routes from '#contract/ticket/ticket.routes.ts'
import { ticketMachine } from '#contract/ticket/ticket.state.ts'
import { audit } from '#kernel/audit.ts'
import { type Ctx, type Handler, handle, Refused } from '#kernel/http/context.ts'
import { inputDigest, once } from '#kernel/http/idempotency.ts'
import { isNarrowed } from '#kernel/http/row-scope.ts'
import { PdfBusyError } from '#kernel/pdf/pool.ts'
import { findExam, listPapers } from '#modules/exam/index.ts'
import { checkTicketCode, parseTicketCode } from './check.ts'
import { allocate, planAllocation, publishSeeds } from './commands/allocate.ts'
import { clearTickets, saveTicketChange, voidTicket } from './commands/change.ts'
import { gateOf } from './commands/download.ts'
import { progressOf, release, withdraw } from './commands/release.ts'
import { printPeople } from './commands/render.ts'
import { countEligible, photoOf, signupOf, standingOf } from './data/eligible.repo.ts'
import { findNotice } from './data/notice.repo.ts'
import { cancelRunning, latestRender, stateOfRender } from './data/release.repo.ts'
import { countByItem, findTicket, pageTickets, peopleToPrint, type TicketFilter, ticketsOf } from './data/ticket.repo.ts'
import type { TicketContext } from './deps.ts'
import { noTicket } from './domain/gate.ts'
import { roomsOfGroup, typeOfPaper, withGroups } from './domain/paper-group.ts'
import { capacityOf, type Room } from './domain/room.ts'
import { isCandidate, me, scopeOf, viewNotice, viewTicket } from './views.ts'

/** Tickets of one printing call; more would hold a rendering thread too long. */
const printLimit = 300

/** A route without a transaction of the kernel keeps the promise of the Idempotency-Key itself. */
const onceIn = <T>(
  ctx: Ctx,
  path: string,
  input: unknown,
  work: (db: Parameters<Parameters<Ctx['tx']>[0]>[0]) => Promise<T>,
): Promise<T> => {
  const key = ctx.header('idempotency-key')
  return ctx.tx(db => (key ? once(db, key, path, inputDigest(path, input, []), () => work(db)) : work(db)))
}

export const ticketHandlers = (context: TicketContext): readonly Handler[] => [
  handle(routes.findTicketItems, async ({ ctx, input, db }) => {
    const exam = await findExam(db, input.examId)
    if (!exam) return refuse('kernel/not-found', {})
    const papers = (await listPapers(db, exam.id)).filter(paper => input.type === undefined || typeOfPaper(paper) === input.type)
    const notice = await findNotice(db, exam.id)
    const common = (paper: (typeof papers)[number]) => ({
      itemId: paper.id,
      itemName: paper.itemName,
      itemCode: paper.itemCode,
      itemType: paper.itemType,
      seatGroup: paper.seatGroup,
      startTime: toWireTime(paper.startTime),
      endTime: toWireTime(paper.endTime),
      ticketState: paperTicketWire[paper.ticketState === 'released' && paper.endTime <= ctx.arrivedAt ? 'ended' : paper.ticketState],
      allotVersion: paper.allotVersion,
      seedCommit: paper.seedCommit,
      seedReveal: paper.seedReveal,
      needUpload: notice?.isUpload === true,
    })
    if (!isCandidate(ctx)) {
      const [eligible, counts] = [await countEligible(db, exam.id), new Map((await countByItem(db, exam.id)).map(row => [row.itemId, row]))]
      return papers.map(paper => {
        const count = counts.get(paper.id)
        const rooms = roomsOfGroup(withGroups(papers, [paper.id])) as readonly Room[]
        return {
          ...common(paper),
          eligible: eligible.get(paper.id) ?? 0,
          generated: count?.generated ?? 0,
          released: count?.released ?? 0,
          downloaded: count?.downloaded ?? 0,
          rendered: count?.rendered ?? 0,
          rooms: rooms.length,
          seats: rooms.reduce((sum, room) => sum + capacityOf(room), 0),
          canDownload: paper.ticketState === 'released',
          reason: null,
        }
      })
    }
    const own = await signupOf(db, exam.id, me(ctx))
    const standing = own && (await standingOf(db, own.id))
    if (!own || !standing) return []
    const gates = new Map<1 | 2, string | null>()
    const held = new Map<1 | 2, ReadonlySet<string>>()
    for (const type of [1, 2] as const) {
      const rows = await ticketsOf(db, [own.id], type)
      const refusal = await gateOf(db, { examId: exam.id, signupId: own.id, userId: me(ctx), type, rows }, ctx.arrivedAt)
      gates.set(type, refusal ? ctx.say(refusal.text) : null)
      held.set(type, new Set(rows.filter(row => row.ticketState !== 'void').map(row => row.itemId)))
    }
    return papers
      .filter(paper => standing.itemIds.includes(paper.id))
      .map(paper => {
        const type = typeOfPaper(paper)
        const hasTicket = held.get(type)?.has(paper.id) === true
        const reason = gates.get(type) ?? (hasTicket ? null : ctx.say(refuseTicket('ticket/not-released', {}).text))
        return { ...common(paper), canDownload: reason === null, reason }
      })
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
    if (order.dryRun) return ctx.tx(db => planAllocation(context, db, order))
    // The digests are committed before the draw begins, in a transaction that stands whatever becomes of the draw.
    await ctx.tx(db => publishSeeds(context, ctx, db, order))
    return onceIn(ctx, routes.creTicketEnd.path, input, db => allocate(context, ctx, db, order))
  }),

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
    return onceIn(ctx, routes.releaseTickets.path, input, db =>
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
    const type = input.type ?? 1
    const bytes = await ctx
      .tx(async db => {
        const exam = await findExam(db, input.examId)
        if (!exam) throw new Refused(refuse('kernel/not-found', {}))
        const filter: TicketFilter = {
          examId: exam.id,
          itemId: input.itemId,
          type,
          siteCode: input.siteCode,
          roomNo: input.roomNo,
          ids: input.ids === undefined ? undefined : idsOf(input.ids),
          scope: scopeOf(ctx.session),
        }
        const people = await peopleToPrint(db, filter, input.order ?? 'seat', printLimit + 1)
        if (people.length > printLimit) throw new Refused(refuseTicket('ticket/too-many', { limit: printLimit }))
        if (people.length === 0) throw new Refused(refuse('kernel/not-found', {}))
        const { rows } = await pageTickets(db, { ...filter, isLive: true, ticketState: 'made' }, { size: 1, offset: 0 })
        await audit(db, ctx, {
          action: 'ticket.printed',
          entity: 'examination',
          entityId: exam.id,
          after: { people: people.length, roomNo: input.roomNo ?? null },
        })
        return printPeople(context, db, {
          examId: exam.id,
          type,
          signupIds: people.map(person => person.signupId),
          isDraft: rows.length > 0,
        })
      })
      .catch((error: unknown) => {
        if (error instanceof PdfBusyError) throw new Refused(refuseTicket('ticket/busy', {}, { retryAfterSeconds: 10 }))
        throw error
      })
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
