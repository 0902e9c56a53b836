import { type Static, Type } from 'typebox'
import { keywordOf, markOf, nounOf, shows } from '../kernel/field-rule.ts'
import { defineRoute } from '../kernel/route.ts'
import { named, nullable, strict, text } from '../kernel/schema.ts'
import { userNoun } from '../organisation/user.noun.ts'
import { examPay } from '../pay/pay.resources.ts'
import { signupNoun } from '../signup/signup.noun.ts'

/** How a sign-up was found: by what was typed. */
export const foundByWays = ['name', 'signNo', 'ticketNo', 'orderNo', 'refundNo', 'idTail', 'account'] as const
/** What of somebody's money was found: the due, or the order or refund whose number was typed. */
export const foundMoneyKinds = ['due', 'order', 'refund'] as const
const dueNoun = nounOf(examPay)

/** What a member of staff may go to by typing what they know of it. Only what the caller has rights to is looked at. */
export const find = defineRoute({
  method: 'GET',
  path: '/me/find',
  access: { signedIn: true, because: 'each kind is looked for only by who may see it; candidates get empty lists' },
  input: strict({
    text: named(
      { zh: '查找内容', en: 'Text to find' },
      keywordOf(
        [
          ...[markOf(signupNoun, 'name'), markOf(signupNoun, 'idCard')],
          ...[markOf(dueNoun, 'name'), markOf(dueNoun, 'idCardTail'), markOf(dueNoun, 'signNo'), markOf(dueNoun, 'orderNo')],
          markOf(userNoun, 'realName'),
        ],
        text(60, { minLength: 1 }),
      ),
    ),
  }),
  output: Type.Object({
    exams: Type.Array(Type.Object({ id: Type.String(), examName: Type.String(), examCode: Type.String(), state: Type.Integer() })),
    signups: Type.Array(
      Type.Object({
        id: Type.String(),
        examId: Type.String(),
        examName: Type.String(),
        name: shows(signupNoun, 'name', nullable(Type.String())),
        idCardMask: shows(signupNoun, 'idCard', nullable(Type.String())),
        signNo: nullable(Type.String()),
        examine: Type.Integer(),
        /** The same in words. */
        stateName: Type.String(),
        by: Type.Enum(foundByWays),
      }),
    ),
    /** For who looks after money and not after sign-ups. */
    money: Type.Array(
      Type.Object({
        kind: Type.Enum(foundMoneyKinds),
        id: Type.String(),
        name: shows(dueNoun, 'name', nullable(Type.String())),
        idCardTail: shows(dueNoun, 'idCardTail', nullable(Type.String())),
        payName: shows(dueNoun, 'payName', Type.String()),
        examName: Type.String(),
        /** Of the order or refund, or of the sign-up that owes. */
        number: nullable(Type.String()),
        stateName: shows(dueNoun, 'state', Type.String()),
        by: Type.Enum(foundByWays),
      }),
    ),
    users: Type.Array(
      Type.Object({
        id: Type.String(),
        account: Type.String(),
        realName: shows(userNoun, 'realName', Type.String()),
        userType: Type.Integer(),
      }),
    ),
  }),
  tx: 'own',
})
export type Found = Static<(typeof find)['output']>
export const findRoutes = [find] as const
