import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { api } from '../../kernel/api.ts'
import type { Option } from '../../resource/use-dict.ts'

interface ExamRow {
  readonly id: string
  readonly examName: string
}

/** Released examinations, for the choice above the list. */
export const useExams = () => {
  const query = useQuery({
    queryKey: ['GET /blade-exam/examination/page', { state: 1, size: 200 }],
    queryFn: ({ signal }) =>
      api.request<{ readonly records: readonly ExamRow[] }>({
        method: 'GET',
        path: '/blade-exam/examination/page',
        query: { state: 1, size: 200 },
        signal,
        quiet: true,
      }),
    staleTime: 60_000,
  })
  const options = useMemo(() => query.data?.records.map((exam): Option => ({ value: exam.id, label: exam.examName })), [query.data])
  return { query, options }
}
