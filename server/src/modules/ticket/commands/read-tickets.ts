import { stateOfWire } from '#contract/kernel/machine.ts'
import { sliceOf, toPage } from '#contract/kernel/page.ts'
import type { InputOf } from '#contract/kernel/route.ts'
import type { getExamTicketList } from '#contract/ticket/ticket.routes.ts'
import { ticketMachine } from '#contract/ticket/ticket.state.ts'
import { audit } from '#kernel/audit.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import type { Ctx } from '#kernel/http/context.ts'
import { findTicket, pageTickets, type TicketFilter, ticketsOf } from '../data/ticket.repo.ts'
import { noTicket } from '../domain/download-refusal.ts'
import { isCandidate, me, scopeOf, viewNotice, viewTicket } from '../views.ts'
import { whyNoDownload } from './download.ts'

type Input = InputOf<typeof getExamTicketList>

/** Candidates are asked for their own, whatever else they name; staff for those that they see. */
const filterOf = (ctx: Ctx, { examId, itemId, type, ticketState, siteCode, roomNo, keyword }: Input): TicketFilter =>
  isCandidate(ctx)
    ? { examId, itemId, type, userId: me(ctx) }
    : {
        ...{ examId, itemId, type, siteCode, roomNo, keyword },
        ticketState: ticketState === undefined ? undefined : stateOfWire(ticketMachine, ticketState),
        scope: scopeOf(ctx.session),
      }

export const listTickets = async (ctx: Ctx, db: TenantDb, input: Input) => {
  const { current, size, offset } = sliceOf(input)
  const { rows, total } = await pageTickets(db, filterOf(ctx, input), { size, offset })
  return toPage(
    rows.map(row => viewTicket(row)),
    total,
    current,
    size,
  )
}

/** A ticket with those of its person and type, the notice, and whether it can be downloaded. */
export const readTicket = async (ctx: Ctx, db: TenantDb, id: string) => {
  const row = await findTicket(db, id, scopeOf(ctx.session))
  if (!row) return noTicket()
  const rows = await ticketsOf(db, [row.signupId], row.type)
  const refusal = await whyNoDownload(db, { ...row, rows }, ctx.arrivedAt)
  const notice = await viewNotice(db, row.examId, row.itemId, isCandidate(ctx) ? me(ctx) : undefined)
  if (!notice) return noTicket()
  // The person may ask who looked (P6).
  if (!isCandidate(ctx)) await audit(db, ctx, { action: 'ticket.read', entity: 'ticket', entityId: row.id })
  return {
    ticket: viewTicket(row),
    items: rows.map(one => viewTicket(one)),
    notice,
    canDownload: refusal === undefined,
    reason: refusal ? ctx.say(refusal.text) : null,
  }
}
