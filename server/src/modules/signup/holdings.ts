import { lock } from '#kernel/db/lock.ts'
import type { Holding, LetGo } from '#kernel/holding.ts'
import { findExam } from '#modules/exam/index.ts'
import { handOutAgain } from './commands/allot-signups.ts'
import type { Level } from './data/allot.repo.ts'
import { endRecusals, passReviewer, recusalRows, reviewerRows, takeAllOf, waitingRows } from './data/holdings.repo.ts'
import type { SignupContext } from './deps.ts'

const levels = [
  { level: 1, right: 'examine_first', zh: '初审', en: 'first review' },
  { level: 2, right: 'examine_second', zh: '复核', en: 'second review' },
] as const

/** What waits for a reviewer goes to whoever takes over, as far as they may have it, and else to the others by the way of the examination. */
const passAllotments = async (kit: SignupContext, level: Level, { db, ctx, from, ids, to }: LetGo): Promise<void> => {
  for (const examId of ids) {
    const exam = await findExam(db, examId)
    if (!exam) continue
    await lock(db, `allot|${exam.id}|${level}`)
    const taken = await takeAllOf(db, exam.id, level, from.id)
    if (exam.state !== 'released' || taken.length === 0) continue
    const left = to === undefined ? taken : await handOutAgain(kit, db, ctx, exam, level, taken, to.id)
    if (left.length > 0) await handOutAgain(kit, db, ctx, exam, level, left)
  }
}

export const signupHoldings = (kit: SignupContext): readonly Holding[] => [
  ...levels.flatMap(({ level, right, zh, en }): Holding[] => [
    {
      // Before what was handed out: whoever takes over stands on the list then.
      name: `signup.reviewers-${level}`,
      label: { zh: `考试审核人员（${zh}）`, en: `Reviewer of examinations (${en})` },
      columns: ['exam_user.user_id'],
      pool: { zh: '移出审核人员名单', en: 'Taken off the list of reviewers' },
      rows: () => reviewerRows(right, level),
      letGo: ({ db, ids, to }) => passReviewer(db, ids, to?.id),
    },
    {
      name: `signup.waiting-${level}`,
      label: { zh: `待${zh}的报名`, en: `Sign-ups that wait for their ${en}` },
      columns: ['examine_allot.reviewer_id'],
      pool: { zh: '退回待分配，按考试的分配方式重新分配', en: 'Handed out anew, the way of the examination' },
      rows: () => waitingRows(right, level),
      letGo: call => passAllotments(kit, level, call),
    },
  ]),
  {
    name: 'signup.recusals',
    label: { zh: '回避登记', en: 'Recusals' },
    columns: ['recuse.reviewer_id'],
    pool: { zh: '随账号删除而解除', en: 'Lifted with the account' },
    isPersonal: true,
    onlyRemoved: true,
    rows: recusalRows,
    letGo: async ({ db, ids }) => {
      await endRecusals(db, ids)
      db.afterCommit(kit.conflicts.forget)
    },
  },
]
