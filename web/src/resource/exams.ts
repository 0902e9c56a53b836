import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { type ApiOutput, api } from '../kernel/api.ts'
import type { Option } from './use-dict.ts'

export type ExamRow = ApiOutput<'GET /blade-exam/examination/page'>['records'][number]
export interface ExamOption extends Option {
  readonly examCode: string
}
/** More examinations than this a tenant has not; the newest come first. */
const most = 200

/** All examinations that the person may see, drafts too. */
export const useExamRows = (enabled = true) =>
  useQuery({
    queryKey: ['exam-options'],
    queryFn: ({ signal }) => api.call('GET /blade-exam/examination/page', { current: 1, size: most }, { signal, quiet: true }),
    staleTime: 60_000,
    enabled,
  })

/** Examinations to choose from; with `released` without the drafts, about which there is nothing to see yet. */
export const useExamOptions = (released = false): readonly ExamOption[] | undefined => {
  const { data } = useExamRows()
  return useMemo(
    () =>
      data?.records
        .filter(row => !released || row.state > 0)
        .map(row => ({ value: row.id, label: `${row.examCode} ${row.examName}`, examCode: row.examCode })),
    [data, released],
  )
}
