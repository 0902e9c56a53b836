import { useQuery } from '@tanstack/react-query'
import { api } from '../../kernel/api.ts'

/** Of an examination, what these pages show (domain 3.1). */
export interface ExamRow {
  readonly id: string
  readonly examName: string
  /** 0 draft, 1 released, 2 closed, 3 archived. */
  readonly state: number
  readonly signEnd?: string | null
  readonly examineEnd?: string | null
  readonly payEnd?: string | null
}

export const examRowsQuery = (enabled = true) => ({
  queryKey: ['GET /blade-exam/examination/page', { size: 200 }],
  queryFn: async ({ signal }: { readonly signal: AbortSignal }) =>
    (
      await api.request<{ readonly records: readonly ExamRow[] }>({
        method: 'GET',
        path: '/blade-exam/examination/page',
        query: { current: 1, size: 200 },
        signal,
        quiet: true,
      })
    ).records,
  staleTime: 60_000,
  enabled,
})

/** All examinations, drafts too. */
export const useExamRows = (enabled = true) => useQuery(examRowsQuery(enabled))
