import { examList, myExamList } from '#contract/signup/signup.routes.ts'
import { type Handler, handle } from '#kernel/http/context.ts'
import { listOwnExams } from './commands/list-exams.ts'
import { examLists } from './commands/list-for-guests.ts'
import type { SignupContext } from './deps.ts'

/** Examinations to choose from, and those one has signed up for. */
export const ownListHandlers = (deps: SignupContext, list = examLists(deps)): Handler[] => [
  handle(examList, ({ ctx, db, input }) => list(ctx, db, input)),
  handle(myExamList, ({ ctx, db, input }) => listOwnExams(deps, ctx, db, input)),
]
