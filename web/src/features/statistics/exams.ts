import type { ApiOutput } from '../../kernel/api.ts'
import { useCall } from '../../kernel/query.ts'

type ExamPage = ApiOutput<'GET /blade-exam/examination/page'>
export type ExamRow = ExamPage['records'][number]

/** All examinations, drafts too. */
export const useExamRows = (enabled = true) =>
  useCall('GET /blade-exam/examination/page', { current: 1, size: 200 }, { quiet: true, staleTimeMs: 60_000, enabled })
