import { idsOf } from '#contract/kernel/ids.ts'
import * as routes from '#contract/ticket/ticket.routes.ts'
import { type Handler, handle, handleExport } from '#kernel/http/context.ts'
import type { RunImport } from '#modules/transfer/index.ts'
import { clearTickets, saveTicketChange, voidOneTicket, voidTickets } from './commands/change.ts'
import { checkTicket } from './commands/check-ticket.ts'
import { readDrawRecord } from './commands/draw-record.ts'
import { orderAllocation } from './commands/order-allocation.ts'
import { planPrint } from './commands/print.ts'
import { listTickets, readTicket } from './commands/read-tickets.ts'
import { reissue } from './commands/reissue.ts'
import { cancelRender, readProgress, releaseOrWithdraw } from './commands/release.ts'
import { seatLatecomersOf } from './commands/seat-late.ts'
import { needWholeOf } from './commands/whole.ts'
import type { TicketContext } from './deps.ts'
import { listTicketPapers } from './paper-list.ts'

export const ticketHandlers = (
  context: TicketContext,
  imports: { readonly plan: RunImport; readonly interview: RunImport },
): readonly Handler[] => [
  handle(routes.findTicketItems, ({ ctx, input, db }) => listTicketPapers(ctx, db, input)),
  handle(routes.creTicketEnd, ({ ctx, input }) => orderAllocation(context, ctx, input)),
  handle(routes.importTicket, ({ ctx, input }) => imports.plan(needWholeOf(ctx), routes.importTicket.path, input)),
  handle(routes.importMsTicket, ({ ctx, input }) => imports.interview(needWholeOf(ctx), routes.importMsTicket.path, input)),
  handle(routes.drawRecordOf, ({ ctx, input, db }) => readDrawRecord(context, ctx, db, input)),
  handle(routes.seatLate, ({ ctx, input, db }) => seatLatecomersOf(ctx, db, input)),
  handle(routes.delTicketList, ({ ctx, input, db }) => clearTickets(ctx, db, input)),
  handle(routes.delTicket, ({ ctx, input, db }) => voidOneTicket(ctx, db, input.id, input.reason)),
  handle(routes.reissueTicket, ({ ctx, input, db }) => reissue(ctx, db, input)),
  handle(routes.removeTickets, ({ ctx, input, db }) => voidTickets(ctx, db, idsOf(input.ids), input.reason)),
  handle(routes.releaseTickets, ({ ctx, input }) => releaseOrWithdraw(context, ctx, input)),
  handle(routes.releaseProgress, ({ input, db }) => readProgress(db, input)),
  handle(routes.cancelRender, ({ ctx, input, db }) => cancelRender(ctx, db, input.renderId)),
  handle(routes.saveTicket, ({ ctx, input, db }) => saveTicketChange(ctx, db, input)),
  handle(routes.getExamTicketList, ({ ctx, input, db }) => listTickets(ctx, db, input)),
  handle(routes.getTicketInfo, ({ ctx, input, db }) => readTicket(ctx, db, input.id)),
  handleExport(routes.printTickets, ({ ctx, input }) => planPrint(context, ctx, input)),
  handle(routes.checkTicket, ({ ctx, input, db }) => checkTicket(context, ctx, db, input.token)),
]
