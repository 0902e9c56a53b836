import * as routes from '#contract/ticket/exam-day.routes.ts'
import { drawInterview, interviewGroups } from '#contract/ticket/interview.routes.ts'
import { type Handler, handle } from '#kernel/http/context.ts'
import { orderDraw, readGroups } from './commands/draw-interview.ts'
import { listNotes, listRooms, readMarks, readPack, readTrail, takeMarks } from './commands/exam-day.ts'
import { decide, file, listViolations, readViolation } from './commands/violations.ts'
import type { TicketContext } from './deps.ts'

/** The day of the examination: rooms, who came, and violations. */
export const dayHandlers = (context: TicketContext): readonly Handler[] => [
  handle(routes.dayRooms, ({ ctx, db, input }) => listRooms(ctx, db, input)),
  handle(routes.dayPack, ({ ctx, input }) => readPack(context, ctx, input)),
  handle(routes.dayMarks, ({ ctx, db, input }) => readMarks(ctx, db, input)),
  handle(routes.sendDayMarks, ({ ctx, db, input }) => takeMarks(ctx, db, input)),
  handle(routes.dayTrail, ({ ctx, db, input }) => readTrail(ctx, db, input.ticketId)),
  handle(routes.dayNotes, ({ ctx, db, input }) => listNotes(ctx, db, input)),
  handle(routes.fileViolation, ({ ctx, input }) => file(context, ctx, input)),
  handle(routes.violationList, ({ ctx, db, input }) => listViolations(ctx, db, input)),
  handle(routes.violationOne, ({ ctx, db, input }) => readViolation(context, ctx, db, input.id)),
  handle(routes.decideViolation, ({ ctx, db, input }) => decide(context, ctx, db, input)),
  handle(interviewGroups, ({ ctx, db, input }) => readGroups(ctx, db, input)),
  handle(drawInterview, ({ ctx, input }) => orderDraw(context, ctx, input)),
]
