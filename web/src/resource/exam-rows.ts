import { queryOptions } from '@tanstack/react-query'
import { type ApiOutput, api } from '../kernel/api.ts'

export type ExamRow = ApiOutput<'GET /blade-exam/examination/page'>['records'][number]
/** More examinations than this a tenant has not; the newest come first. */
const most = 200

/** All examinations that the person may see, drafts too. */
export const examRowsQuery = queryOptions({
  queryKey: ['exam-options'],
  queryFn: ({ signal }) => api.call('GET /blade-exam/examination/page', { current: 1, size: most }, { signal, quiet: true }),
  staleTime: 60_000,
})

/** Without the drafts, about which there is nothing to see yet. */
export const releasedOf = (rows: readonly ExamRow[]): readonly ExamRow[] => rows.filter(row => row.state > 0)
