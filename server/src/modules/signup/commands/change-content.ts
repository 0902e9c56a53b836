import type { Label } from '#contract/kernel/label.ts'
import { overallResult } from '#contract/signup/conditions.ts'
import { refuseSignup } from '#contract/signup/signup.errors.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import type { RawBuilder } from '#kernel/db/sql.ts'
import { Refused } from '#kernel/http/context.ts'
import { type ExamRow, findPosts } from '#modules/exam/index.ts'
import { endLocks, writeDraftContent, writeNextVersion } from '../data/content.repo.ts'
import { insertHistory, type SavedForm, type SignupRow } from '../data/signup.repo.ts'
import type { SignupContext } from '../deps.ts'
import { judgePosts } from './move-post.ts'

export interface ContentChange {
  /** Assignments to columns of the sign-up. */
  readonly set: readonly RawBuilder<unknown>[]
  /** What the assignments change of the form. */
  readonly form: Partial<SavedForm>
  /** What changed and by whose hand, as the person and the reviewer are told. */
  readonly told: Label
}

/** The conditions of the posts with the changed form; of a sign-up without a post as they were. */
const judgeAgain = async (deps: SignupContext, db: TenantDb, exam: ExamRow, row: SignupRow) => {
  const posts = await findPosts(
    db,
    exam.id,
    [row.code, row.code2].flatMap(code => code ?? []),
  )
  const post = posts.find(one => one.code === row.code)
  if (!post) return { checks: row.autoCheck, result: row.autoResult }
  const second = posts.find(one => one.code === row.code2)
  const checks = (await judgePosts(deps, db, exam, row, [post], second)).get(post.code)?.checks ?? row.autoCheck
  return { checks, result: overallResult(checks) }
}

/**
 * The one door through which others than the person change what a decision about a sign-up rests on: a new version with its history, judged as a submit
 * is; a reviewer who has it open loses it and is told why, and so is the person. Of a draft, on which nobody decides, the content alone is written. Call with the
 * sign-up locked.
 *
 * Refusals: signup/changed.
 */
export const changeContent = async (
  deps: SignupContext,
  db: TenantDb,
  exam: ExamRow,
  row: SignupRow,
  { set, form, told }: ContentChange,
): Promise<number> => {
  if (row.signNo === null) {
    await writeDraftContent(db, row.id, set)
    return row.signVersion
  }
  const changed = { ...row, ...form }
  const judged = await judgeAgain(deps, db, exam, changed)
  if (!(await writeNextVersion(db, row, set, judged))) throw new Refused(refuseSignup('signup/changed', {}))
  const signVersion = row.signVersion + 1
  insertHistory(db, { signupId: row.id, userId: row.userId, signVersion, form: changed, autoCheck: judged.checks })
  const eventKey = `signup.content:${row.id}:${signVersion}`
  for (const { reviewerId } of await endLocks(db, row.id, told.zh))
    await deps.message.notify(db, {
      ...{ userId: reviewerId, examId: exam.id, kind: 1, link: `/examine/work/${row.id}`, eventKey: `${eventKey}:${reviewerId}` },
      title: { zh: '您正在审核的报名已变化，请重新打开', en: 'A sign-up you were reviewing has changed; open it again' },
      content: { zh: `${row.signNo}：${told.zh}`, en: `${row.signNo}: ${told.en}` },
    })
  await deps.message.notify(db, {
    ...{ userId: row.userId, examId: exam.id, kind: 1, link: '/signup/myExam', eventKey },
    title: { zh: '您的报名内容已变更', en: 'Your sign-up was changed' },
    content: {
      zh: `${exam.examName}：${told.zh}。如有疑问请联系我们。`,
      en: `${exam.examName}: ${told.en}. Contact us if you disagree.`,
    },
  })
  return signVersion
}
