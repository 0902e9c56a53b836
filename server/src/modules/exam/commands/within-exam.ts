import type { CrudSeams } from '#kernel/crud/crud.ts'
import { examForChange } from './exam-guard.ts'
import { textOf } from './exam-part.ts'

/** A plain noun within examinations (`within`): what belongs to one that is closed or archived is read-only with it, wherever it would go. */
export const withinExam: CrudSeams = {
  prepare: async ({ db, input, before }) => {
    const exams = new Set([before?.['examId'], input['examId']].map(textOf).filter(Boolean))
    for (const id of exams) await examForChange(db, id)
    return input
  },
  refuseRemove: async ({ db, rows }) => {
    for (const id of new Set(rows.map(row => textOf(row['examId'])).filter(Boolean))) await examForChange(db, id)
    return undefined
  },
}
