import { refuseExam } from '#contract/exam/exam.errors.ts'
import { type ExamState, examMachine } from '#contract/exam/exam.state.ts'
import type { Label } from '#contract/kernel/label.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type Ctx, Refused } from '#kernel/http/context.ts'
import { type ExamRow, findExam } from '../data/exam.repo.ts'
import { addChanges } from '../data/exam-write.repo.ts'
import { lockReleasable } from './release-problems.ts'

/** Roles that prepare examinations; everybody else on the staff sees released ones only (domain 2.2). */
export const isOffice = (ctx: Pick<Ctx, 'session'>): boolean =>
  ctx.session !== undefined && (ctx.session.roleAliases.has('admin') || ctx.session.roleAliases.has('exam_admin'))

/** For the middle of a sentence. */
export const stateLabel = (state: ExamState): Label => {
  const { zh, en } = examMachine.label[state]
  return { zh, en: en.toLowerCase() }
}

/** The examination, held for a change; closed and archived ones are read-only. */
export const examForChange = async (db: TenantDb, id: string): Promise<ExamRow> => {
  const exam = await lockReleasable(db, id)
  if (!exam) throw new Refused(refuseExam('exam/no-exam', {}))
  if (exam.state === 'closed' || exam.state === 'archived')
    throw new Refused(refuseExam('exam/read-only', { state: stateLabel(exam.state) }))
  return exam
}

/** The examination for a reader: drafts are for the office. */
export const examForReading = async (ctx: Ctx, db: TenantDb, id: string): Promise<ExamRow> => {
  const exam = await findExam(db, id)
  if (!exam || (exam.state === 'draft' && !isOffice(ctx))) throw new Refused(refuseExam('exam/no-exam', {}))
  return exam
}

/** A line of the public change record, once the examination is public. */
export const tellChange = async (db: TenantDb, exam: ExamRow, line: Label): Promise<void> => {
  if (exam.state !== 'draft') await addChanges(db, exam.id, [line])
}
