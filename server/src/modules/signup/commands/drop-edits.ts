import { audit } from '#kernel/audit.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type Ctx, sessionOf } from '#kernel/http/context.ts'
import { dropLaterDraft, findLaterDraft, findOwnSignup } from '../data/signup.repo.ts'
import type { SignupContext } from '../deps.ts'
import { unsentOf } from '../own-facts.ts'

/** Drops what a person has changed beside a sign-up that was handed in, and has not handed in. */
export const dropEdits = async (deps: SignupContext, ctx: Ctx, db: TenantDb, examId: string): Promise<{ dropped: boolean }> => {
  const { userId } = sessionOf(ctx)
  const later = await findLaterDraft(db, examId, userId)
  if (!later) return { dropped: false }
  const own = await findOwnSignup(db, examId, userId)
  const state = own && { signupId: own.id, examId: own.examId }
  const unsent = state ? (await unsentOf(deps, db, userId, [state])).get(state.signupId) : undefined
  await dropLaterDraft(db, examId, userId)
  // Which, not what they said: the answers themselves are the candidate's own.
  if (own)
    await audit(db, ctx, { action: 'signup.edits-dropped', entity: 'signup', entityId: own.id, before: { fields: unsent?.fields ?? [] } })
  return { dropped: true }
}
