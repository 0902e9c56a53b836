import { Type } from 'typebox'
import { keywordOf, markOf, nounOf, shows } from '../kernel/field-rule.ts'
import { pageInput, pageOf } from '../kernel/page.ts'
import { defineRoute, type Route } from '../kernel/route.ts'
import { id, int, named, nullable, optional, strict, text } from '../kernel/schema.ts'
import { examPay } from './pay.resources.ts'

/** Fees that are let off in part or whole (amendment A11). */

const due = nounOf(examPay)
const kind = () =>
  named({ zh: '减免类别', en: 'Ground' }, Type.Union([Type.Literal('allowance'), Type.Literal('poverty'), Type.Literal('disability')]))
const facts = {
  kind: kind(),
  reason: Type.String(),
  /** 0 waiting, 1 granted, 2 refused, 3 withdrawn. */
  state: Type.Integer(),
  /** How much of each fee is let off. */
  percent: nullable(Type.Integer()),
  remark: nullable(Type.String()),
} as const

export const myWaivers = defineRoute({
  method: 'GET',
  path: '/blade-feeWaiver/feewaiver/mine',
  access: { candidate: 'own' },
  input: strict({}),
  output: Type.Array(
    Type.Object({
      examId: Type.String(),
      examName: Type.String(),
      mayAsk: Type.Boolean(),
      /** Until when it can be asked for; null while payments have no end. */
      until: nullable(Type.String()),
      asked: nullable(Type.Object(facts)),
    }),
  ),
  tx: 'own',
  means: 'The examinations of the caller that let fees off, and what became of the request',
})

const proofBytes = 5 * 1024 * 1024

export const askWaiver = defineRoute({
  method: 'POST',
  path: '/blade-feeWaiver/feewaiver/ask',
  access: { candidate: 'own' },
  input: strict({
    examId: id(),
    kind: kind(),
    reason: named({ zh: '情况说明', en: 'Reason' }, Type.String({ minLength: 5, maxLength: 300 })),
  }),
  /** A certificate; one that was sent before is kept. */
  files: [{ name: 'proof', maxBytes: proofBytes, maxCount: 1 }],
  output: Type.Object({ id: Type.String(), state: Type.Integer() }),
  tx: 'own',
  means: 'asks with a proof to be let off the fee',
})

export const withdrawWaiver = defineRoute({
  method: 'POST',
  path: '/blade-feeWaiver/feewaiver/withdraw',
  access: { candidate: 'own' },
  input: strict({ examId: id() }),
  output: Type.Object({ id: Type.String(), state: Type.Integer() }),
  tx: 'own',
  means: 'takes the request to be let off the fee back',
})

export const waiverList = defineRoute({
  method: 'GET',
  path: '/blade-feeWaiver/feewaiver/list',
  access: { staff: 'feewaiver_view' },
  input: strict({
    ...pageInput,
    examId: id(),
    state: optional(named({ zh: '状态', en: 'State' }, int(0, 3))),
    keyword: optional(keywordOf([markOf(due, 'name')], text(50))),
  }),
  output: pageOf(
    Type.Object({
      id: Type.String(),
      signNo: Type.String(),
      name: shows(due, 'name', Type.String()),
      codeName: Type.String(),
      ...facts,
      /** A link of ten minutes. */
      proof: Type.String(),
      /** What is open of the person's fees, and what was paid and did not go back, in fen. */
      dueAmount: Type.Integer(),
      paidAmount: Type.Integer(),
      askedTime: Type.String(),
      decidedTime: nullable(Type.String()),
      version: Type.Integer(),
    }),
  ),
  tx: 'read',
})

export const decideWaiver = defineRoute({
  method: 'POST',
  path: '/blade-feeWaiver/feewaiver/decide',
  access: { staff: 'feewaiver_decide' },
  input: strict({
    id: id(),
    outcome: named({ zh: '审核结果', en: 'Decision' }, Type.Union([Type.Literal(1), Type.Literal(2)])),
    percent: optional(named({ zh: '减免比例', en: 'Share that is let off' }, int(1, 100))),
    remark: optional(text(300)),
    version: optional(int(0, 2_147_483_647)),
  }),
  /** `waiting`: why nothing has happened yet; the second person sends the same. */
  output: Type.Object({ id: Type.String(), state: Type.Integer(), waiting: optional(Type.String()) }),
  tx: 'own',
  means: 'decides about a request to be let off a fee; what is open becomes less and what was paid goes back',
})

export const waiverRoutes = [myWaivers, askWaiver, withdrawWaiver, waiverList, decideWaiver] as const satisfies readonly Route[]
