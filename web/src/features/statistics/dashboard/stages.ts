import { queryOptions } from '@tanstack/react-query'
import { type ApiInput, api } from '../../../kernel/api.ts'
import type { Lang } from '../../../kernel/i18n/index.ts'
import { callKey } from '../../../kernel/query.ts'
import type { StageStat } from './figures.ts'

export interface Scope {
  readonly examId: string
  readonly unit: string | null
}
export const inputOf = ({ examId, unit }: Scope) => (unit === null ? { examId } : { examId, unit })

/** The figures of the cards and of the funnel. A name of a stage comes in the reader's language, so each language has its own answer. */
export const stagesQuery = (scope: Scope, lang: Lang) => {
  const input: ApiInput<'POST /blade-signup/statistics/getStatisticsInfo'> = { ...inputOf(scope), dims: 'stage' }
  return queryOptions({
    queryKey: [...callKey('POST /blade-signup/statistics/getStatisticsInfo', input), lang],
    queryFn: async ({ signal }): Promise<StageStat> => {
      const answer = await api.call('POST /blade-signup/statistics/getStatisticsInfo', input, { signal, quiet: true })
      return Array.isArray(answer) ? answer : []
    },
  })
}
