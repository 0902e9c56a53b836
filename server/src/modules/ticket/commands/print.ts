import { refuse } from '#contract/kernel/errors.ts'
import { idsOf } from '#contract/kernel/ids.ts'
import type { InputOf } from '#contract/kernel/route.ts'
import { toWireTime } from '#contract/kernel/when.ts'
import { refuseTicket } from '#contract/ticket/ticket.errors.ts'
import type { printTickets as printRoute } from '#contract/ticket/ticket.routes.ts'
import { audit } from '#kernel/audit.ts'
import { type Ctx, Refused } from '#kernel/http/context.ts'
import { PdfBusyError } from '#kernel/pdf/pool.ts'
import { findExam } from '#modules/exam/index.ts'
import { pageTickets, peopleToPrint, type TicketFilter } from '../data/ticket.repo.ts'
import type { TicketContext } from '../deps.ts'
import { scopeOf } from '../views.ts'
import { printPeople } from './render.ts'

/** Tickets of one printing call; more would hold a rendering thread too long. */
const printLimit = 300

interface PrintOrder {
  readonly examId: string
  readonly type?: 1 | 2
  readonly itemId?: string
  readonly siteCode?: string
  readonly roomNo?: string
  readonly ids?: string
  readonly order?: Parameters<typeof peopleToPrint>[2]
}

/**
 * The tickets of a room, a site or of chosen people in one file; marked as drafts while one of them is not released.
 * @throws Refused kernel/not-found, ticket/too-many, ticket/busy
 */
const renderOrdered = async (context: TicketContext, ctx: Ctx, order: PrintOrder): Promise<Uint8Array> => {
  const { examId, itemId, siteCode, roomNo, type = 1 } = order
  const work = ctx.tx(async db => {
    const exam = await findExam(db, examId)
    if (!exam) throw new Refused(refuse('kernel/not-found', {}))
    const ids = order.ids === undefined ? undefined : idsOf(order.ids)
    const filter: TicketFilter = { examId, itemId, type, siteCode, roomNo, ids, scope: scopeOf(ctx.session) }
    const people = await peopleToPrint(db, filter, order.order ?? 'seat', printLimit + 1)
    if (people.length > printLimit) throw new Refused(refuseTicket('ticket/too-many', { limit: printLimit }))
    if (people.length === 0) throw new Refused(refuse('kernel/not-found', {}))
    const { rows: drafts } = await pageTickets(db, { ...filter, isLive: true, ticketState: 'made' }, { size: 1, offset: 0 })
    const after = { people: people.length, roomNo: roomNo ?? null }
    await audit(db, ctx, { action: 'ticket.printed', entity: 'examination', entityId: examId, after })
    return printPeople(context, db, { examId, type, signupIds: people.map(person => person.signupId), isDraft: drafts.length > 0 })
  })
  try {
    return await work
  } catch (error) {
    if (error instanceof PdfBusyError) throw new Refused(refuseTicket('ticket/busy', {}, { retryAfterSeconds: 10 }))
    throw error
  }
}

/** The document of ordered tickets, to be shown or printed by the browser. */
export const printTickets = async (context: TicketContext, ctx: Ctx, { layout, ...order }: InputOf<typeof printRoute>) => {
  if (layout !== undefined && layout !== 'ticket') return refuseTicket('ticket/layout', {})
  const bytes = await renderOrdered(context, ctx, order)
  const name = `准考证_${toWireTime(ctx.arrivedAt).replace(/\D/g, '')}.pdf`
  return { body: Buffer.from(bytes), mime: 'application/pdf', name, inline: true }
}
