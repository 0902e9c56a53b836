import type { TenantDb } from '#kernel/db/scope.ts'
import type { Session } from '#kernel/http/context.ts'
import type { ExamRow } from '#modules/exam/index.ts'
import { listNext } from '../data/list.repo.ts'
import type { ReviewScope } from '../domain/review-scope.ts'
import { conflictsOf } from './conflict-of.ts'
import { unitsOf } from './visibility.ts'

/** The sign-up that a reviewer decides on next: the one that has waited longest, that nobody else holds and that they have no conflict with. */
export const nextFor = async (
  db: TenantDb,
  session: Session,
  exam: ExamRow,
  level: 1 | 2,
  scope: ReviewScope,
): Promise<string | undefined> => {
  const items = await listNext(db, exam, level, session.userId, unitsOf(session), scope)
  if (items.length === 0) return undefined
  const conflict = await conflictsOf(db, exam.id, session.userId)
  return items.find(item => conflict(item) === undefined)?.signupId
}
