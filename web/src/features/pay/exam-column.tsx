import { type ReactNode, useCallback } from 'react'
import { useExamOptions } from '#web/resource/exams.ts'
import type { Row } from '#web/resource/fields.ts'
import { usePage } from '#web/shell/page-context.tsx'

interface ExamColumn {
  /** Within one examination its name would stand in each row. */
  readonly isShown: boolean
  readonly cell: (row: Row) => ReactNode
}

/** The examination that a row of money belongs to, by its code: names begin alike, and have no room. */
export const useExamColumn = (): ExamColumn => {
  const exams = useExamOptions(true)
  const { fixed } = usePage()
  const cell = useCallback(
    (row: Row) => {
      const name = String(row.examName ?? '')
      return <span title={name}>{exams?.find(exam => exam.value === row.examId)?.examCode ?? name}</span>
    },
    [exams],
  )
  return { isShown: !('examId' in fixed), cell }
}
