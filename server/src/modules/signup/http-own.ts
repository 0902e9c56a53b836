import { examList, myExamList } from '#contract/signup/signup.routes.ts'
import { type Handler, handle } from '#kernel/http/context.ts'
import { KeptAnswer } from '#kernel/http/written-answer.ts'
import { shareWork } from '#kernel/shared-reads.ts'
import { listExams, listOwnExams } from './commands/list-exams.ts'
import type { SignupContext } from './deps.ts'

/** Guests all see the same. What is older than this is read anew, so every process follows a change within it. */
const guestListMs = 500
const mostGuestLists = 500

/** Examinations to choose from, and those one has signed up for. */
export const ownListHandlers = (deps: SignupContext): Handler[] => {
  const guests = shareWork<KeptAnswer>({ clock: deps.services.clock, maxAgeMs: guestListMs, maxEntries: mostGuestLists })
  return [
    handle(examList, ({ ctx, db, input }) => {
      if (ctx.session) return listExams(deps, ctx, db, input)
      // In a transaction of its own: others wait for it too, whatever becomes of this call.
      const read = async () => new KeptAnswer(await ctx.tx(own => listExams(deps, ctx, own, input)))
      return guests.of(JSON.stringify([ctx.tenantId, ctx.language, input]), read)
    }),
    handle(myExamList, ({ ctx, db, input }) => listOwnExams(deps, ctx, db, input)),
  ]
}
