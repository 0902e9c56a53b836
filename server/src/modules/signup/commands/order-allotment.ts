import type { TenantDb } from '#kernel/db/scope.ts'
import { enqueue } from '#kernel/queue/outbox.ts'
import type { ExamRow } from '#modules/exam/index.ts'
import type { Level } from '../data/allot.repo.ts'

export const allotTask = 'signup.allot'

/** Orders the allotment of what has just come to a level, where the examination hands out by itself. */
export const orderAllotment = async (db: TenantDb, exam: Pick<ExamRow, 'id' | 'allotMode'>, level: Level): Promise<void> => {
  if (exam.allotMode !== 0) await enqueue(db, allotTask, { examId: exam.id, level }, { jobKey: `allot-${exam.id}-${level}` })
}
