import type { TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'

export interface ExamOfResults {
  readonly id: string
  readonly examCode: string
  readonly examName: string
  readonly state: 'draft' | 'released' | 'closed' | 'archived'
  readonly scale: number
}
export const findExamOfResults = (db: TenantDb, examId: string): Promise<ExamOfResults | undefined> =>
  db.maybe(sql<ExamOfResults>`
    select id::text as id, exam_code as "examCode", exam_name as "examName", state, score_scale as scale
    from examination where id = ${examId} and not is_deleted`)
