import type { Label } from '#contract/kernel/label.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { findConflictItem, listConflictReviewers, listRecusals } from '../data/recusal.repo.ts'
import { type Conflict, conflictFinder } from '../domain/conflict.ts'

export const conflictWords: Readonly<Record<Conflict, Label>> = {
  declared: { zh: '已登记回避', en: 'a recusal is recorded' },
  samePerson: { zh: '与考生是同一人', en: 'it is the same person' },
  relative: { zh: '考生申报其为亲属', en: 'the candidate names them as a relative' },
  colleague: { zh: '与考生在同一单位工作', en: 'both work at the same place' },
}

/** Why this reviewer must not decide on this sign-up; undefined when they may. The allotment asks the same of all at once. */
export const conflictOf = async (
  db: TenantDb,
  of: { readonly examId: string; readonly reviewerId: string; readonly signupId: string },
): Promise<Conflict | undefined> => {
  const [item, reviewers, recusals] = [
    await findConflictItem(db, of.signupId),
    await listConflictReviewers(db, [of.reviewerId]),
    await listRecusals(db, of.examId),
  ]
  return conflictFinder(reviewers, recusals)(item).get(of.reviewerId)
}
