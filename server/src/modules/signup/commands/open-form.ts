import { refuse } from '#contract/kernel/errors.ts'
import { toWireDay } from '#contract/kernel/when.ts'
import { lock } from '#kernel/db/lock.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { Refused } from '#kernel/http/context.ts'
import { type ExamRow, lockExam } from '#modules/exam/index.ts'
import { findPersonFacts, lockOwnSignup, type PersonFacts, type SignupRow } from '../data/signup.repo.ts'
import { type FormFacts, findFormFactsAhead, type SubmitCall } from './read-form.ts'

/** The examination under a share lock, so that a close waits for the submits in flight and they see its result (domain 4.10). */
const openExam = async (db: TenantDb, examId: string): Promise<ExamRow> => {
  const exam = await lockExam(db, examId)
  if (!exam || exam.state === 'draft') throw new Refused(refuse('kernel/not-found', {}))
  return exam
}

/** What a submit or a save begins with. */
export interface OpenedForm {
  readonly exam: ExamRow
  /** The person's row, locked; undefined before the first save. */
  readonly own: SignupRow | undefined
  /** Who signs up, read behind the locks. */
  readonly person: PersonFacts
  /** What the form is judged by, read behind the locks; undefined where it leaves something to the row. */
  readonly ahead: FormFacts | undefined
}

/**
 * Examination and row, locked in this order in one batch, and what can be read without knowing them. Two tabs at once go one after the
 * other, also where there is no row to lock yet. Whether there is such an examination is told first.
 */
export const openForm = async (call: SubmitCall): Promise<OpenedForm> => {
  const { db, ctx } = call
  const { examId } = call.input
  const userId = ctx.session?.userId ?? '0'
  const asked = [
    openExam(db, examId),
    Promise.all([lock(db, `signup of ${userId} in ${examId}`), lockOwnSignup(db, examId, userId)]),
    findFormFactsAhead(call),
    findPersonFacts(db, examId, toWireDay(ctx.arrivedAt), userId),
  ] as const
  for (const read of await Promise.allSettled(asked)) if (read.status === 'rejected') throw read.reason
  const [exam, [, own], ahead, person] = await Promise.all(asked)
  return { exam, own, ahead, person }
}
