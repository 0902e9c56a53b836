import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { examRowsQuery, releasedOf } from './exam-rows.ts'
import type { Option } from './use-dict.ts'

export interface ExamOption extends Option {
  readonly examCode: string
  /** 0 free, 1 per person, 2 per paper, 3 per post. */
  readonly feeMode: number
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
            feeMode: row.feeMode,
          })),
    [data, released],
  )
}
