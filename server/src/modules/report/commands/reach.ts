import { examPay, payOrder } from '#contract/pay/pay.resources.ts'
import type { Session } from '#kernel/http/context.ts'
import { rowScopeOf, valuesInScope } from '#kernel/http/row-scope.ts'
import { listedUserScope } from '#modules/access/index.ts'
import { resultScopeOf, unitScopeOf } from '#modules/result/index.ts'
import { ticketScopeOf } from '#modules/ticket/index.ts'
import type { Reach } from '../data/sources.ts'

/** How far somebody's figures reach, beside what the database narrows by itself. */
export const reachOf = (session: Session): Reach => ({
  signups: valuesInScope(session, 'signup', 'unit', unitScopeOf(session)),
  dues: rowScopeOf(session, examPay),
  orders: rowScopeOf(session, payOrder),
  tickets: ticketScopeOf(session),
  results: resultScopeOf(session),
  people: listedUserScope(session),
  isByDepartment: session.departments !== null,
})
