import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { examRowsQuery, releasedOf } from './exam-rows.ts'
import type { Option } from './use-dict.ts'

export interface ExamOption extends Option {
  readonly examCode: string
}

export const useExamRows = (enabled = true) => useQuery({ ...examRowsQuery, enabled })

/** Examinations to choose from; `released`: those there is something to see about. */
export const useExamOptions = (released = false): readonly ExamOption[] | undefined => {
  const { data } = useExamRows()
  return useMemo(
    () =>
      data === undefined
        ? undefined
        : (released ? releasedOf(data.records) : data.records).map(row => ({
            value: row.id,
            label: `${row.examCode} ${row.examName}`,
            examCode: row.examCode,
          })),
    [data, released],
  )
}
