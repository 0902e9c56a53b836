import { Type } from 'typebox'
import { defineRoute, type Route } from '../kernel/route.ts'
import { ids, int, named, optional, strict, text } from '../kernel/schema.ts'

/** A second person's word on several refunds at once; each is decided by itself, and those that cannot be are named with why. */
export const approveRefunds = defineRoute({
  method: 'POST',
  path: '/blade-payRefund/payrefund/approve',
  access: { staff: 'payrefund_approve' },
  input: strict({
    ids: ids(),
    /** 1 approves, 2 rejects; a rejection says why, and its applicant reads it. */
    approve: named({ zh: '审批', en: 'Verdict' }, int(1, 2)),
    reason: optional(text(200, { 'x-label': { zh: '审批意见', en: 'Why' } })),
  }),
  several: { because: 'it names the refunds that it could not decide by their numbers' },
  output: Type.Object({
    done: Type.Integer(),
    failed: Type.Array(Type.Object({ refundNo: Type.String(), reason: Type.String() })),
  }),
  tx: 'own',
  means: "A second person's word on several refunds",
})
export const refundRoutes = [approveRefunds] as const satisfies readonly Route[]
