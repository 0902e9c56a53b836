import { Type } from 'typebox'
import { shows } from '../kernel/field-rule.ts'
import { defineRoute, type Route } from '../kernel/route.ts'
import { id, named, nullable, strict, text } from '../kernel/schema.ts'
import { ticketNoun } from './ticket.noun.ts'

/** The order in which a group is interviewed is drawn on the day. */

export const interviewGroups = defineRoute({
  method: 'GET',
  path: '/blade-ticket/interview/groups',
  access: { staff: 'ticket_view' },
  input: strict({ examId: id(), itemId: id() }),
  output: Type.Array(
    Type.Object({
      groupNo: Type.String(),
      siteName: Type.String(),
      waitRoom: Type.String(),
      startTime: Type.String(),
      people: Type.Integer(),
      drawn: Type.Integer(),
    }),
  ),
  tx: 'read',
})

export const drawInterview = defineRoute({
  method: 'POST',
  path: '/blade-ticket/interview/draw',
  access: { staff: 'ticket_generate' },
  input: strict({ examId: id(), itemId: id(), groupNo: named({ zh: '面试组', en: 'Interview group' }, text(20)) }),
  output: Type.Object({
    /** SHA-256 of the seed, which was published before the draw. */
    seedCommit: Type.String(),
    /** The seed itself, once the last group of the paper is drawn. */
    seedReveal: nullable(Type.String()),
    people: Type.Array(
      Type.Object({
        drawNo: Type.Integer(),
        ticketNo: shows(ticketNoun, 'ticketNo', Type.String()),
        name: shows(ticketNoun, 'name', Type.String()),
      }),
    ),
  }),
  tx: 'own',
  means: 'draws the order in which an interview group is heard',
})

export const interviewRoutes = [interviewGroups, drawInterview] as const satisfies readonly Route[]
