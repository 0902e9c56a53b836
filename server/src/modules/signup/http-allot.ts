import { allotCheck, getExamAllot, getExamUsers, saveCheck } from '#contract/signup/allot.routes.ts'
import { type Handler, handle } from '#kernel/http/context.ts'
import { allotSignups, readAllotment, readExamUsers, saveExamUsers } from './commands/allot-signups.ts'

export const allotHandlers = (): Handler[] => [
  handle(getExamAllot, ({ ctx, db, input }) => readAllotment(db, ctx, input)),
  handle(allotCheck, ({ ctx, db, input }) => allotSignups(db, ctx, input)),
  handle(getExamUsers, ({ db, input }) => readExamUsers(db, input)),
  handle(saveCheck, ({ ctx, db, input }) => saveExamUsers(db, ctx, input)),
]
