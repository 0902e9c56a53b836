import { type ExamState, examMachine } from '#contract/exam/exam.state.ts'
import { type Found, find, foundByWays } from '#contract/person/find.routes.ts'
import { signupMachine } from '#contract/signup/signup.state.ts'
import { audit } from '#kernel/audit.ts'
import { type Handler, handle } from '#kernel/http/context.ts'
import { userScope } from '#modules/access/index.ts'
import { seesAllottedOnly, unitsOf } from '#modules/signup/index.ts'
import { findExamsByText, findSignupsByText, findUsersByText } from './data/find.repo.ts'

const examsShown = 6
const peopleShown = 8
const nothing: Found = { exams: [], signups: [], users: [] }

/** Three statements at most; a text that finds people is an audit line, with how many and not with whom. */
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
        const signups = may('signup_view', 'examine_view')
          ? await findSignupsByText(db, {
              typed,
              units: unitsOf(session),
              allottedTo: seesAllottedOnly(session, { allotMode: 1 }) ? session.userId : null,
              byOrder: may('exampay_view'),
              byTicket: may('ticket_view'),
              limit: peopleShown,
            })
          : []
        const users = may('user_view') ? await findUsersByText(db, typed, userScope(session), peopleShown) : []
        if (signups.length + users.length > 0)
          await audit(db, ctx, {
            action: 'person.looked-up',
            entity: 'person',
            entityId: null,
            after: { by: [...new Set(signups.map(row => row.by))], signups: signups.length, users: users.length },
          })
        return {
          exams: exams.map(exam => ({ ...exam, state: examMachine.wire[exam.state as ExamState] })),
          signups: signups.map(row => ({
            ...row,
            examine: signupMachine.wire[row.examine],
            stateName: ctx.say(signupMachine.label[row.examine]),
            by: foundByWays.find(way => way === row.by) ?? 'name',
          })),
          users,
        }
      }),
  ),
]
