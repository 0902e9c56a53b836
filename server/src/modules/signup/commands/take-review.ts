import type { Label } from '#contract/kernel/label.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import type { Ctx, Session } from '#kernel/http/context.ts'
import type { ExamRow } from '#modules/exam/index.ts'
import { findHolder } from '../data/allot.repo.ts'
import { findLiveLock, type LockRow, takeLock } from '../data/examine.repo.ts'
import type { SignupRow } from '../data/signup.repo.ts'
import { levelOf } from '../domain/examine.ts'
import { nothingToDecide, notOpened, readOnlyReason } from '../domain/take.ts'
import { conflictOf } from './conflict-of.ts'
import { mayDecideAt } from './examine-signup.ts'
import { numbersOf } from './parameters.ts'
import { notTheirs, reviewScopeOf } from './review-scope.ts'

export interface TakenReview {
  readonly level: 1 | 2 | undefined
  /** Whoever holds the lock, perhaps the caller. */
  readonly lock: LockRow | undefined
  /** Why the caller reads only; undefined when they hold the lock. */
  readonly readOnly: Label | undefined
}

interface Asked {
  readonly exam: ExamRow
  readonly signup: SignupRow
}
const standingOf = async (db: TenantDb, session: Session, { exam, signup }: Asked) => {
  const level = levelOf(signup.examine)
  const scope = level && (await reviewScopeOf(db, session, exam, level))
  const reason = readOnlyReason({
    isOpen: exam.state === 'released',
    level,
    mayDecide: level !== undefined && mayDecideAt(session, level),
    isRecused: (await conflictOf(db, { examId: exam.id, reviewerId: session.userId, signupId: signup.id })) !== undefined,
    didFirstReview: level === 2 && signup.reviewer1Id === session.userId && !exam.allowSameReviewer,
    notTheirs: scope && (await notTheirs(db, session, scope, signup)),
  })
  return { level, scope, reason }
}

/** Why somebody who may decide holds no lock: another reviews it, it was given to another, or nobody has opened it. */
const whyNotHeld = async (db: TenantDb, session: Session, signup: SignupRow, level: 1 | 2 | undefined, lock: LockRow | undefined) => {
  if (lock) return { zh: `${lock.reviewerName} 正在审核`, en: `${lock.reviewerName} is reviewing this` }
  const holder = level && (await findHolder(db, signup.id, level))
  return holder && holder.userId !== session.userId
    ? { zh: `已分配给 ${holder.name}，转交后才能审核`, en: `Given to ${holder.name}; it has to be moved first` }
    : undefined
}

/** What of the review of a sign-up is the caller's now; changes nothing. Who holds no lock reads only, and is told how to take it. */
export const seeReview = async (db: TenantDb, _: Ctx, session: Session, of: Asked): Promise<TakenReview> => {
  const { level, reason } = await standingOf(db, session, of)
  const lock = await findLiveLock(db, of.signup.id)
  if (!reason && lock?.reviewerId === session.userId) return { level, lock, readOnly: undefined }
  return { level, lock, readOnly: reason ?? (await whyNotHeld(db, session, of.signup, level, lock)) ?? notOpened }
}

/** Opens a sign-up for review: takes its lock or renews it where the caller may decide, and else says why they only read (domain 4.10). */
export const takeReview = async (db: TenantDb, ctx: Ctx, session: Session, of: Asked): Promise<TakenReview> => {
  const { exam, signup } = of
  const { level, scope, reason } = await standingOf(db, session, of)
  const { 'examine.lockMinutes': minutes } = await numbersOf(db, ['examine.lockMinutes'])
  const taken =
    reason || level === undefined
      ? undefined
      : await takeLock(db, {
          signupId: signup.id,
          examId: exam.id,
          level,
          reviewerId: session.userId,
          reviewerName: session.realName,
          until: new Date(ctx.arrivedAt.getTime() + minutes * 60_000),
          isOwnOnly: scope?.kind === 'allotted',
        })
  if (taken) return { level, lock: taken, readOnly: undefined }
  const lock = await findLiveLock(db, signup.id)
  return { level, lock, readOnly: reason ?? (await whyNotHeld(db, session, signup, level, lock)) ?? nothingToDecide }
}
