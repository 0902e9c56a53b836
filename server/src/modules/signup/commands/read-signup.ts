import { refuse } from '#contract/kernel/errors.ts'
import { audit } from '#kernel/audit.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type Ctx, sessionOf } from '#kernel/http/context.ts'
import { findExam } from '#modules/exam/index.ts'
import { findSignup } from '../data/signup.repo.ts'
import type { SignupContext } from '../deps.ts'
import { presentSignup } from '../present.ts'
import { mayBeNarrowed, mayRead } from './review-scope.ts'
import { maySee } from './visibility.ts'

/** A sign-up for its owner, or for staff who may see it; their look is an audit line. */
export const readSignup = async (deps: SignupContext, ctx: Ctx, db: TenantDb, signupId: string) => {
  const session = sessionOf(ctx)
  const row = await findSignup(db, signupId)
  const isOwner = session.userType === 2
  if (!row || (isOwner ? row.userId !== session.userId : !maySee(session, row))) return refuse('kernel/not-found', {})
  const isNarrowed = !isOwner && mayBeNarrowed(session)
  if (isNarrowed && !(await mayRead(db, session, await findExam(db, row.examId), row.id))) return refuse('kernel/not-found', {})
  if (!isOwner) await audit(db, ctx, { action: 'signup.read', entity: 'signup', entityId: row.id })
  return presentSignup(deps, db, ctx, row, isOwner ? 'owner' : 'staff')
}
