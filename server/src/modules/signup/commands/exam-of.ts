import { refuse } from '#contract/kernel/errors.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type Ctx, Refused } from '#kernel/http/context.ts'
import { type ExamRow, findExam } from '#modules/exam/index.ts'

/** A released examination, or any for staff; drafts do not exist for candidates. */
export const examOf = async (db: TenantDb, ctx: Ctx, examId: string): Promise<ExamRow> => {
  const exam = await findExam(db, examId)
  if (!exam || (exam.state === 'draft' && ctx.session?.userType !== 1)) throw new Refused(refuse('kernel/not-found', {}))
  return exam
}
