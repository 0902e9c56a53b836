import type { InputOf } from '#contract/kernel/route.ts'
import type { examList } from '#contract/signup/signup.routes.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import type { Ctx } from '#kernel/http/context.ts'
import { KeptAnswer } from '#kernel/http/written-answer.ts'
import { shareWork } from '#kernel/shared-reads.ts'
import type { SignupContext } from '../deps.ts'
import { listExams } from './list-exams.ts'

/** Guests all see the same. What is older than this is read anew, so every process follows a change within it. */
const guestListMs = 500
const mostGuestLists = 500

/** Examinations to choose from: for guests from memory, for a candidate with the own state. */
export const examLists = (deps: SignupContext) => {
  const guests = shareWork<KeptAnswer>({ clock: deps.services.clock, maxAgeMs: guestListMs, maxEntries: mostGuestLists })
  return (ctx: Ctx, db: TenantDb, input: InputOf<typeof examList>) => {
    if (ctx.session) return listExams(deps, ctx, db, input)
    // In a transaction of its own: others wait for it too, whatever becomes of this call.
    const read = async () => new KeptAnswer(await ctx.tx(own => listExams(deps, ctx, own, input)))
    return guests.of(JSON.stringify([ctx.tenantId, ctx.language, input]), read)
  }
}
