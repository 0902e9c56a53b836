import { Type } from 'typebox'
import { keywordOf, markOf, shows, showsWhole } from '../kernel/field-rule.ts'
import { pageInput, pageOf } from '../kernel/page.ts'
import { defineRoute, type Route } from '../kernel/route.ts'
import { id, int, named, nullable, optional, strict, text } from '../kernel/schema.ts'
import { ticketNoun } from './ticket.noun.ts'

/** What somebody needs at the examination because of a disability or illness (amendment A19). */

const kinds = Type.Array(Type.String())

export const myAccommodation = defineRoute({
  method: 'GET',
  path: '/blade-ticket/accommodation/mine',
  access: { candidate: 'own' },
  input: strict({ examId: id() }),
  output: Type.Object({
    /** Nothing can be asked for once seats are allotted. */
    mayAsk: Type.Boolean(),
    asked: nullable(
      Type.Object({
        kinds,
        reason: Type.String(),
        /** 0 waiting, 1 granted, 2 refused, 3 withdrawn. */
        state: Type.Integer(),
        extraMinutes: nullable(Type.Integer()),
        remark: nullable(Type.String()),
        hasProof: Type.Boolean(),
      }),
    ),
  }),
  tx: 'own',
})

const proofBytes = 5 * 1024 * 1024

export const askAccommodation = defineRoute({
  method: 'POST',
  path: '/blade-ticket/accommodation/ask',
  access: { candidate: 'own' },
  input: strict({
    examId: id(),
    /** Some of room, time, print, helper, with commas. */
    kinds: named(
      { zh: '申请内容', en: 'What is asked for' },
      Type.String({ pattern: '^(room|time|print|helper)(,(room|time|print|helper)){0,3}$' }),
    ),
    reason: named({ zh: '情况说明', en: 'Reason' }, Type.String({ minLength: 5, maxLength: 300 })),
  }),
  /** A certificate; one that was sent before is kept. */
  files: [{ name: 'proof', maxBytes: proofBytes, maxCount: 1 }],
  output: Type.Object({ id: Type.String(), state: Type.Integer() }),
  tx: 'own',
  means: 'asks for help at the examination with a proof',
})

export const withdrawAccommodation = defineRoute({
  method: 'POST',
  path: '/blade-ticket/accommodation/withdraw',
  access: { candidate: 'own' },
  input: strict({ examId: id() }),
  output: Type.Object({ id: Type.String(), state: Type.Integer() }),
  tx: 'own',
  means: 'takes the request for help at the examination back',
})

export const accommodationList = defineRoute({
  method: 'GET',
  path: '/blade-ticket/accommodation/list',
  access: { staff: 'accommodation_view' },
  input: strict({
    ...pageInput,
    examId: id(),
    state: optional(named({ zh: '状态', en: 'State' }, int(0, 3))),
    keyword: optional(keywordOf([markOf(ticketNoun, 'name')], text(50))),
  }),
  output: pageOf(
    Type.Object({
      id: Type.String(),
      signNo: Type.String(),
      name: shows(ticketNoun, 'name', Type.String()),
      codeName: Type.String(),
      kinds,
      reason: showsWhole(ticketNoun, 'accommodation', Type.String()),
      /** A link of ten minutes. */
      proof: showsWhole(ticketNoun, 'accommodation', nullable(Type.String())),
      state: Type.Integer(),
      extraMinutes: nullable(Type.Integer()),
      remark: nullable(Type.String()),
      askedTime: Type.String(),
      decidedTime: nullable(Type.String()),
      version: Type.Integer(),
    }),
  ),
  tx: 'read',
})

export const decideAccommodation = defineRoute({
  method: 'POST',
  path: '/blade-ticket/accommodation/decide',
  access: { staff: 'accommodation_decide' },
  input: strict({
    id: id(),
    outcome: named({ zh: '审核结果', en: 'Decision' }, Type.Union([Type.Literal(1), Type.Literal(2)])),
    extraMinutes: optional(named({ zh: '延长分钟数', en: 'Extra minutes' }, int(1, 240))),
    remark: optional(text(300)),
    version: optional(int(0, 2_147_483_647)),
  }),
  output: Type.Object({ id: Type.String(), state: Type.Integer() }),
  means: 'decides about help that somebody asked for at the examination',
})

export const accommodationRoutes = [
  myAccommodation,
  askAccommodation,
  withdrawAccommodation,
  accommodationList,
  decideAccommodation,
] as const satisfies readonly Route[]
