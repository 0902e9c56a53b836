import { useQueryClient } from '@tanstack/react-query'
import type { ApiOutput } from '#web/kernel/api.ts'

export type Level = 1 | 2
export type Reviewer = ApiOutput<'GET /blade-exam/examination/getExamAllot'>['reviewers'][number]

/** Everything that an allotment changes is asked for anew. */
export const useFresh = () => {
  const client = useQueryClient()
  return () =>
    Promise.all(
      (['getExamAllot', 'getExamUsers', 'getAllotted', 'getRecusals'] as const).map(call =>
        client.invalidateQueries({ queryKey: [`GET /blade-exam/examination/${call}`] }),
      ),
    )
}
