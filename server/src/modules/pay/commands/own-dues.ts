import { refuse } from '#contract/kernel/errors.ts'
import { stateOfWire } from '#contract/kernel/machine.ts'
import type { InputOf } from '#contract/kernel/route.ts'
import { toWireTime } from '#contract/kernel/when.ts'
import { dueMachine } from '#contract/pay/order.state.ts'
import type { getMyPayList } from '#contract/pay/pay.routes.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type Ctx, sessionOf } from '#kernel/http/context.ts'
import { findExam } from '#modules/exam/index.ts'
import { listOwnDues } from '../data/due.repo.ts'
import { presentDue } from '../present.ts'

/** What a candidate owes and has paid. */
export const readOwnDues = async (ctx: Ctx, db: TenantDb, { examId, state }: InputOf<typeof getMyPayList>) => {
  const wanted = state === undefined ? undefined : stateOfWire(dueMachine, state)
  const rows = await listOwnDues(db, { userId: sessionOf(ctx).userId, examId, state: wanted })
  return rows.map(row => presentDue(ctx, row))
}

/** The same of one examination, with its window and what is left to pay. */
export const readOwnPayment = async (ctx: Ctx, db: TenantDb, examId: string) => {
  const exam = await findExam(db, examId)
  if (!exam) return refuse('kernel/not-found', {})
  const rows = await listOwnDues(db, { userId: sessionOf(ctx).userId, examId })
  return {
    examId: exam.id,
    examName: exam.examName,
    payBegin: exam.payBegin && toWireTime(exam.payBegin),
    payEnd: exam.payEnd && toWireTime(exam.payEnd),
    dueAmount: rows.filter(row => row.state === 'due').reduce((sum, row) => sum + row.amountFen, 0),
    rows: rows.map(row => presentDue(ctx, row)),
  }
}
