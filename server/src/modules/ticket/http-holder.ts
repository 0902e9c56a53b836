import * as help from '#contract/ticket/accommodation.routes.ts'
import { checkHealth, exportTicketDownExcel, ticketDownList } from '#contract/ticket/down.routes.ts'
import * as routes from '#contract/ticket/ticket.routes.ts'
import { type Handler, handle, handleExport, sessionOf } from '#kernel/http/context.ts'
import { ask, decideAsked, listAccommodations, readOwnAccommodation, withdraw } from './commands/accommodation.ts'
import { exportTicketFile } from './commands/download.ts'
import { checkHealthOf, listDowns, planDowns } from './commands/downs.ts'
import { proveSeats } from './commands/draw-record.ts'
import { confirmRead, readDemands, readNotice, saveNoticeOf } from './commands/notice.ts'
import { recordOwnDownload, sendHealth } from './commands/own-download.ts'
import type { TicketContext } from './deps.ts'

/** The notice of a ticket and what its holder does with both: read, send health documents, download. */
export const holderHandlers = (context: TicketContext): readonly Handler[] => [
  handle(routes.getTicketNotice, ({ ctx, input, db }) => readNotice(ctx, db, input)),
  handle(routes.saveTicketNotice, ({ ctx, input, db }) => saveNoticeOf(ctx, db, input)),
  handle(routes.readTicketNotice, ({ ctx, input, db }) => confirmRead(ctx, db, input.examId)),
  handle(routes.getSeatProof, ({ ctx, input, db }) => proveSeats(db, input.examId, sessionOf(ctx).userId)),
  handle(routes.exportTicket, ({ ctx, input }) => exportTicketFile(context, ctx, { id: input.id, type: input.type })),
  handle(routes.saveTicketDownInfo, ({ ctx, input }) => recordOwnDownload(ctx, input)),
  handle(routes.savePicAndDownInfo, ({ ctx, input }) => sendHealth(context, ctx, input)),
  handle(ticketDownList, ({ ctx, input, db }) => listDowns(context, ctx, db, input)),
  handleExport(exportTicketDownExcel, ({ ctx, input }) => planDowns(ctx, input)),
  handle(checkHealth, ({ ctx, input, db }) => checkHealthOf(context, ctx, db, input)),
  handle(routes.getTicketNoticeIsUpload, ({ ctx, input, db }) => readDemands(ctx, db, input.examId)),
  handle(help.myAccommodation, ({ ctx, input }) => readOwnAccommodation(context, ctx, input)),
  handle(help.askAccommodation, ({ ctx, input }) => ask(context, ctx, input)),
  handle(help.withdrawAccommodation, ({ ctx, input }) => withdraw(ctx, input)),
  handle(help.accommodationList, ({ ctx, input, db }) => listAccommodations(context, ctx, db, input)),
  handle(help.decideAccommodation, ({ ctx, input, db }) => decideAsked(context, ctx, db, input)),
]
