import { refuse, refuseField } from '#contract/kernel/errors.ts'
import { idsOf } from '#contract/kernel/ids.ts'
import { sliceOf, toPage } from '#contract/kernel/page.ts'
import type { InputOf, OutputOf } from '#contract/kernel/route.ts'
import type { examUserDetail, examUserList, examUserRemove, examUserSubmit } from '#contract/signup/allot.routes.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type Ctx, Refused } from '#kernel/http/context.ts'
import { findExam } from '#modules/exam/index.ts'
import { type ExamUserRow, findExamUser, listExamUsers } from '../data/allot.repo.ts'
import { saveExamUsers } from './allot-signups.ts'

// The reviewers of an examination under the calls of a plain noun: what they mean is settled by `saveExamUsers`.

const shown = ({ id, userId, name, account, level, units, codes, quota, state, version }: Omit<ExamUserRow, 'mayAct'>) => ({
  ...{ id, userId, name, account, level, quota, state, version },
  units: [...units],
  codes: [...codes],
})

const found = async (db: TenantDb, id: string) => {
  const user = await findExamUser(db, id)
  if (!user || !(await findExam(db, user.examId))) throw new Refused(refuse('kernel/not-found', {}))
  return user
}

export const pageExamUsers = async (db: TenantDb, input: InputOf<typeof examUserList>): Promise<OutputOf<typeof examUserList>> => {
  if (!(await findExam(db, input.examId))) throw new Refused(refuse('kernel/not-found', {}))
  const { current, size, offset } = sliceOf(input)
  const all = await listExamUsers(db, input.examId, input.level)
  return toPage(all.slice(offset, offset + size).map(shown), all.length, current, size) as OutputOf<typeof examUserList>
}

export const readExamUser = async (db: TenantDb, input: InputOf<typeof examUserDetail>): Promise<OutputOf<typeof examUserDetail>> =>
  shown(await found(db, input.id))

export const submitExamUser = async (
  db: TenantDb,
  ctx: Ctx,
  input: InputOf<typeof examUserSubmit>,
): Promise<OutputOf<typeof examUserSubmit>> => {
  const { units, codes, quota, state } = input
  const rest = {
    ...(units === undefined ? {} : { units }),
    ...(codes === undefined ? {} : { codes }),
    ...(quota === undefined ? {} : { quota }),
    ...(state === undefined ? {} : { state }),
  }
  if (input.id !== undefined && input.id !== '') {
    const before = await found(db, input.id)
    if (input.version !== undefined && input.version !== before.version) throw new Refused(refuse('kernel/changed-meanwhile', {}))
    await saveExamUsers(db, ctx, { examId: before.examId, list: [{ userId: before.userId, level: before.level, ...rest }] })
    return { id: before.id }
  }
  const { examId, userId, level } = input
  if (examId === undefined) throw new Refused(refuseField('examId', { zh: '请选择考试', en: 'Choose the examination' }))
  if (userId === undefined) throw new Refused(refuseField('userId', { zh: '请选择审核人员', en: 'Choose the reviewer' }))
  if (level === undefined) throw new Refused(refuseField('level', { zh: '请选择审核环节', en: 'Choose the level of review' }))
  await saveExamUsers(db, ctx, { examId, list: [{ userId, level, ...rest }] })
  const saved = (await listExamUsers(db, examId, level)).find(user => user.userId === userId)
  return { id: saved?.id ?? '0' }
}

export const removeExamUsers = async (
  db: TenantDb,
  ctx: Ctx,
  input: InputOf<typeof examUserRemove>,
): Promise<OutputOf<typeof examUserRemove>> => {
  const counts = { removed: 0, returned: 0 }
  const users = []
  for (const id of idsOf(input.ids)) users.push(await found(db, id))
  for (const [examId, list] of Map.groupBy(users, user => user.examId)) {
    const { removed, returned } = await saveExamUsers(db, ctx, {
      examId,
      list: list.map(({ userId, level }) => ({ userId, level, remove: 1 as const })),
    })
    counts.removed += removed
    counts.returned += returned
  }
  return counts
}
