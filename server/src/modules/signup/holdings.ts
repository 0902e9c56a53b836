import { lock } from '#kernel/db/lock.ts'
import { sql } from '#kernel/db/sql.ts'
import type { Holding, LetGo } from '#kernel/holding.ts'
import { findExam } from '#modules/exam/index.ts'
import { handOutAgain } from './commands/allot-signups.ts'
import { type Level, stateOfLevel } from './data/allot.repo.ts'
import { passReviewer, takeAllOf } from './data/holdings.repo.ts'
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
      rows: () => sql`
        select u.user_id as holder, u.id::text as id, e.exam_name as name, 1 as count, ${right}::text as needs, null::bigint as dept,
          case when e.managers ? u.user_id::text then null else e.dept_id end as reach
        from exam_user u join examination e on e.tenant_id = u.tenant_id and e.id = u.exam_id and not e.is_deleted and e.state <> 'closed'
        where u.tenant_id = app_tenant() and not u.is_deleted and u.level = ${level}`,
      letGo: ({ db, ids, to }) => passReviewer(db, ids, to?.id),
    },
    {
      name: `signup.waiting-${level}`,
      label: { zh: `待${zh}的报名`, en: `Sign-ups that wait for their ${en}` },
      columns: ['examine_allot.reviewer_id'],
      pool: { zh: '退回待分配，按考试的分配方式重新分配', en: 'Handed out anew, the way of the examination' },
      rows: () => sql`
        select a.reviewer_id as holder, a.exam_id::text as id, e.exam_name as name, count(*) as count, ${right}::text as needs, null::bigint as dept,
          case when e.managers ? a.reviewer_id::text then null else e.dept_id end as reach
        from examine_allot a join examination e on e.tenant_id = a.tenant_id and e.id = a.exam_id and not e.is_deleted
          join signup s on s.tenant_id = a.tenant_id and s.id = a.signup_id and s.examine = ${stateOfLevel[level]} and not s.is_deleted
        where a.tenant_id = app_tenant() and a.level = ${level} and a.state < 2 and (a.allotted or a.lock_until > app_now())
        group by a.reviewer_id, a.exam_id, e.exam_name, e.managers, e.dept_id`,
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
    rows: () => sql`
      select r.reviewer_id as holder, r.id::text as id, concat_ws(' · ', e.exam_name, s.sign_no, r.unit) as name, 1 as count, null::text as needs, null::bigint as dept, null::bigint as reach
      from recuse r join examination e on e.tenant_id = r.tenant_id and e.id = r.exam_id and not e.is_deleted
        left join signup s on s.tenant_id = r.tenant_id and s.id = r.signup_id
      where r.tenant_id = app_tenant() and not r.is_deleted`,
    letGo: async ({ db, ids }) => {
      await db.run(
        sql`update recuse set is_deleted = true, updated_at = app_now(), updated_by = ${db.actor.userId} where id = any(${[...ids]}::bigint[])`,
      )
      db.afterCommit(kit.conflicts.forget)
    },
  },
]
