import { useQuery } from '@tanstack/react-query'
import { type ApiOutput, api } from '#web/kernel/api.ts'

/** Whoever imported may not release (domain 13.2). */
export const samePerson = 2402

export interface Released {
  readonly examId: string
  readonly itemId: string
  readonly itemName: string
}
export type Plan = ApiOutput<'POST /blade-exam/examination/releaseResults'>

/** What a release (1) or its withdrawal (0) would do, and why it would be refused. */
export const usePlan = ({ examId, itemId }: Released, state: 0 | 1) =>
  useQuery({
    queryKey: ['result-release-plan', examId, itemId, state],
    queryFn: ({ signal }) =>
      api.request<Plan>({
        method: 'POST',
        path: '/blade-exam/examination/releaseResults',
        body: { examId, itemIds: itemId, state, dryRun: 1 },
        signal,
      }),
    staleTime: 0,
    gcTime: 0,
    retry: false,
  })
