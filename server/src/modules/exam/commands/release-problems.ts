import { refuseExam } from '#contract/exam/exam.errors.ts'
import { fewOf } from '#contract/exam/few.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { Refused } from '#kernel/http/context.ts'
import { type ExamRow, findExam, lockExamForChange } from '../data/exam.repo.ts'
import { listSignFiles, listSignItems } from '../data/form.repo.ts'
import { listPapers } from '../data/paper.repo.ts'
import { listPosts } from '../data/post.repo.ts'
import { timesOf, windowsOf } from '../domain/exam-view.ts'
import {
  newProblems,
  pastProblems,
  type ReleaseFacts,
  type ReleaseProblem,
  releaseProblems,
  releaseWarnings,
} from '../domain/release-check.ts'

/** What stands outside the examination and keeps candidates from signing up for it; nothing where all is well. */
export type CheckOutside = (db: TenantDb) => Promise<readonly ReleaseProblem[]>

/**
 * The release check list of an examination as it stands.
 * @param outside - asked about what the examination itself does not hold; left out where only changes of it are compared
 */
export const problemsOf = async (
  db: TenantDb,
  exam: ExamRow,
  outside: CheckOutside = async () => [],
): Promise<{ problems: ReleaseProblem[]; warnings: ReleaseProblem[] }> => {
  const papers = await listPapers(db, exam.id)
  const times = timesOf(papers)
  const facts: ReleaseFacts = {
    ...exam,
    windows: windowsOf(exam),
    papers: papers.flatMap((paper, i) => {
      const time = times[i]
      return time ? [{ ...time, itemCode: paper.itemCode, typeCodes: paper.typeCodes, feeFen: paper.feeFen }] : []
    }),
    posts: await listPosts(db, exam.id),
    items: await listSignItems(db, exam.id),
    files: await listSignFiles(db, exam.id),
  }
  // A released examination lives through its times; one that is not has none of them behind it.
  const past = exam.state === 'draft' ? pastProblems(facts, db.now.getTime()) : []
  return {
    problems: [...releaseProblems(facts), ...past, ...(await outside(db))],
    warnings: releaseWarnings(facts).map(({ field, message }) => ({ path: field, message })),
  }
}

const watched = new WeakMap<TenantDb, Set<string>>()

/**
 * The examination, held for a change of it or of anything that hangs on it (form, files, papers, posts, windows). Of a released one the
 * release check is asked twice in the transaction, now and before its commit: what release demands holds after release too, whichever command
 * made the change and in whatever steps. What was wrong before may stay, so that it can be mended in parts.
 * @throws Refused exam/breaks-release before the commit
 */
export const lockReleasable = async (db: TenantDb, id: string): Promise<ExamRow | undefined> => {
  const exam = await lockExamForChange(db, id)
  if (exam?.state !== 'released') return exam
  const known = watched.get(db) ?? new Set<string>()
  watched.set(db, known)
  if (known.has(id)) return exam
  known.add(id)
  const { problems: before } = await problemsOf(db, exam)
  db.beforeCommit(async () => {
    const after = await findExam(db, id)
    if (after?.state !== 'released') return
    const worse = newProblems(before, (await problemsOf(db, after)).problems)
    if (worse.length === 0) return
    throw new Refused(
      refuseExam(
        'exam/breaks-release',
        { problems: fewOf(worse.map(one => one.message)) },
        { data: { paths: worse.map(one => one.path) } },
      ),
    )
  })
  return exam
}
