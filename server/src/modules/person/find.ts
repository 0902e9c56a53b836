import { type ExamState, examMachine } from '#contract/exam/exam.state.ts'
import { markOf } from '#contract/kernel/field-rule.ts'
import type { Label } from '#contract/kernel/label.ts'
import { dueMachine, orderMachine, refundMachine } from '#contract/pay/order.state.ts'
import { examPay } from '#contract/pay/pay.resources.ts'
import { type Found, find, foundByWays } from '#contract/person/find.routes.ts'
import { signupMachine } from '#contract/signup/signup.state.ts'
import { ticketNoun } from '#contract/ticket/ticket.noun.ts'
import { audit } from '#kernel/audit.ts'
import { type Handler, handle } from '#kernel/http/context.ts'
import { refuseUntold } from '#kernel/http/field-rule.ts'
import { rowScopeOf } from '#kernel/http/row-scope.ts'
import { userScope } from '#modules/access/index.ts'
import { isInReach, mayBeNarrowed, seesShortlistedOnly, unitsOf } from '#modules/signup/index.ts'
import { type FoundMoney, findExamsByText, findMoneyByText, findSignupsByText, findUsersByText } from './data/find.repo.ts'

const examsShown = 6
const peopleShown = 8
const nothing: Found = { exams: [], signups: [], money: [], users: [] }

const moneyWords: Readonly<Record<FoundMoney['kind'], Readonly<Record<string, Label>>>> = {
  due: dueMachine.label,
  order: orderMachine.label,
  refund: refundMachine.label,
}
const wayOf = (by: string): (typeof foundByWays)[number] => foundByWays.find(way => way === by) ?? 'name'

/** Four statements at most; a text that finds people is an audit line, with how many and not with whom. */
export const findHandlers = (): Handler[] => [
  handle(
    find,
    ({ ctx, input }): Promise<Found> =>
      ctx.tx(async db => {
        const { session } = ctx
        const typed = input.text.trim()
        if (session?.userType !== 1 || typed === '') return nothing
        const may = (...codes: string[]) => codes.some(code => session.permissions.has(code))
        const isOffice = session.roleAliases.has('admin') || session.roleAliases.has('exam_admin')
        const exams = may('examination_view') ? await findExamsByText(db, typed, isOffice, examsShown) : []
        const seesSignups = may('signup_view', 'examine_view')
        const signups = seesSignups
          ? await findSignupsByText(db, {
              typed,
              units: unitsOf(session),
              isShortlisted: seesShortlistedOnly(session),
              inReach: mayBeNarrowed(session) ? isInReach(session.userId) : undefined,
              byOrder: may('exampay_view'),
              byTicket: may('ticket_view') && refuseUntold(ctx, [markOf(ticketNoun, 'ticketNo')]) === undefined,
              limit: peopleShown,
            })
          : []
        // Whoever sees the sign-up reads there what it owes and paid.
        const money =
          may('exampay_view') && !seesSignups
            ? await findMoneyByText(db, typed, {
                scope: rowScopeOf(session, examPay),
                seesOrders: may('payorder_view'),
                limit: peopleShown,
              })
            : []
        const users = may('user_view') ? await findUsersByText(db, typed, userScope(session), peopleShown) : []
        if (signups.length + money.length + users.length > 0)
          await audit(db, ctx, {
            action: 'person.looked-up',
            entity: 'person',
            entityId: null,
            after: {
              by: [...new Set([...signups, ...money].map(row => row.by))],
              signups: signups.length,
              ...(money.length === 0 ? {} : { money: money.length }),
              users: users.length,
            },
          })
        return {
          exams: exams.map(exam => ({ ...exam, state: examMachine.wire[exam.state as ExamState] })),
          signups: signups.map(row => ({
            ...row,
            examine: signupMachine.wire[row.examine],
            stateName: ctx.say(signupMachine.label[row.examine]),
            by: wayOf(row.by),
          })),
          money: money.map(({ state, ...row }) => {
            const words = moneyWords[row.kind][state]
            return { ...row, stateName: words === undefined ? '' : ctx.say(words), by: wayOf(row.by) }
          }),
          users,
        }
      }),
  ),
]
