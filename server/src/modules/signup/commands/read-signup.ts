import { refuse } from '#contract/kernel/errors.ts'
import { audit } from '#kernel/audit.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type Ctx, type Session, sessionOf } from '#kernel/http/context.ts'
import { findSignup, type SignupRow } from '../data/signup.repo.ts'
import type { SignupContext } from '../deps.ts'
import { presentSignup } from '../present.ts'
import { mayRead } from './review-scope.ts'
import { maySee } from './visibility.ts'

/** A sign-up as a member of staff may read it; undefined where it is none of theirs, which is answered like what does not exist. */
export const signupForStaff = async (db: TenantDb, session: Session, signupId: string): Promise<SignupRow | undefined> => {
  const row = await findSignup(db, signupId)
  if (!row || !maySee(session, row)) return undefined
  if (!(await mayRead(db, session, row.id))) return undefined
  return row
}

/** A sign-up for its owner, or for staff who may see it; their look is an audit line. */
export const readSignup = async (deps: SignupContext, ctx: Ctx, db: TenantDb, signupId: string) => {
  const session = sessionOf(ctx)
  const isOwner = session.userType === 2
  const row = isOwner ? await findSignup(db, signupId) : await signupForStaff(db, session, signupId)
  if (!row || (isOwner && row.userId !== session.userId)) return refuse('kernel/not-found', {})
  if (!isOwner) await audit(db, ctx, { action: 'signup.read', entity: 'signup', entityId: row.id })
  return presentSignup(deps, db, ctx, row, isOwner ? 'owner' : 'staff')
}
