import { examine, examineInfo, examineList, examineOpen, examUnits, releaseLock, windowReach } from '#contract/signup/examine.routes.ts'
import { type Handler, handle } from '#kernel/http/context.ts'
import { decideReview } from './commands/decide-review.ts'
import { closeReview, showReview } from './commands/open-review.ts'
import { listForReview, listUnits, readReach } from './commands/review-list.ts'
import { seeReview, takeReview } from './commands/take-review.ts'
import type { SignupContext } from './deps.ts'

/** The review of sign-ups, for staff. */
export const reviewHandlers = (deps: SignupContext): Handler[] => [
  handle(examineList, ({ ctx, db, input }) => listForReview(deps, ctx, db, input)),
  handle(windowReach, ({ db, input }) => readReach(db, input.examId)),
  handle(examUnits, ({ ctx, db, input }) => listUnits(ctx, db, input.examId)),
  handle(examineInfo, ({ ctx, db, input }) => showReview(deps, ctx, db, input.signUpId, seeReview)),
  handle(examineOpen, ({ ctx, db, input }) => showReview(deps, ctx, db, input.signUpId, takeReview)),
  handle(examine, ({ ctx, db, input }) => decideReview(deps, ctx, db, input)),
  handle(releaseLock, ({ ctx, db, input }) => closeReview(ctx, db, input.signUpId)),
]
