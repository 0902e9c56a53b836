import type { Label } from '#contract/kernel/label.ts'
import type { Clock } from '#kernel/clock.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { shareWork } from '#kernel/shared-reads.ts'
import { findConflictItem, findConflictReviewer } from '../data/recusal.repo.ts'
import { type Conflict, type ConflictItem, conflictFinder } from '../domain/conflict.ts'

export const conflictWords: Readonly<Record<Conflict, Label>> = {
  declared: { zh: '已登记回避', en: 'a recusal is recorded' },
  samePerson: { zh: '与考生是同一人', en: 'it is the same person' },
  relative: { zh: '考生申报其为亲属', en: 'the candidate names them as a relative' },
  colleague: { zh: '与考生在同一单位工作', en: 'both work at the same place' },
}

type ConflictFinder = (item: ConflictItem) => Conflict | undefined

/** Why a reviewer must not decide on sign-ups of an examination, to be asked of each. */
export const conflictsOf = async (db: TenantDb, examId: string, reviewerId: string): Promise<ConflictFinder> => {
  const reviewer = await findConflictReviewer(db, examId, reviewerId)
  const find = conflictFinder(reviewer ? [reviewer] : [], reviewer?.recusals ?? [])
  return item => find(item).get(reviewerId)
}

/** Why this reviewer must not decide on this sign-up; undefined when they may. The allotment asks the same of all at once. */
export const conflictOf = async (
  db: TenantDb,
  of: { readonly examId: string; readonly reviewerId: string; readonly signupId: string },
): Promise<Conflict | undefined> => {
  const item = await findConflictItem(db, of.signupId)
  return (await conflictsOf(db, of.examId, of.reviewerId))(item)
}

/**
 * The same for lists, which only show it and are asked for again and again: kept until the database tells that something changed (trigger
 * `conflicts_notify`, and what it tells of departments), for a minute at the longest. Whoever takes or decides asks the database.
 */
export interface KeptConflicts {
  readonly of: (db: TenantDb, examId: string, reviewerId: string) => Promise<ConflictFinder>
  readonly forget: () => void
}
const maxAgeMs = 60_000
const mostReviewers = 5_000
export const createKeptConflicts = (clock: Clock): KeptConflicts => {
  const kept = shareWork<ConflictFinder>({ clock, maxAgeMs, maxEntries: mostReviewers })
  return {
    of: (db, examId, reviewerId) =>
      // Whoever asks: row security leaves somebody narrowed to departments or units less than others.
      kept.of(JSON.stringify([db.actor, examId, reviewerId]), () => conflictsOf(db, examId, reviewerId)),
    forget: kept.clear,
  }
}
