import { refuse } from '#contract/kernel/errors.ts'
import { toWireTime } from '#contract/kernel/when.ts'
import { courseKinds, type SignupCourse, signupCourse } from '#contract/person/course.routes.ts'
import { type Handler, handle, sessionOf } from '#kernel/http/context.ts'
import { findExam } from '#modules/exam/index.ts'
import { signupForStaff } from '#modules/signup/index.ts'
import { listCourse } from './data/course.repo.ts'

/** Three statements. The page that shows it reads the sign-up itself, and that look is the audit line. */
export const courseHandlers = (): Handler[] => [
  handle(signupCourse, async ({ ctx, db, input }) => {
    const session = sessionOf(ctx)
    const signup = await signupForStaff(db, session, input.id)
    if (signup === undefined) return refuse('kernel/not-found', {})
    const may = (code: string) => session.permissions.has(code)
    const parts = { money: may('exampay_view'), tickets: may('ticket_view'), results: may('result_view') }
    const rows = await listCourse(db, signup, parts)
    const exam = await findExam(db, signup.examId)
    const events = rows.flatMap(({ kind, detailZh, detailEn, time, ...row }): SignupCourse['events'] => {
      const known = courseKinds.find(one => one === kind)
      return known ? [{ ...row, kind: known, time: toWireTime(time), detail: ctx.say({ zh: detailZh, en: detailEn }) }] : []
    })
    return { examId: signup.examId, examName: exam?.examName ?? '', reductionState: signup.reductionState, events }
  }),
]
