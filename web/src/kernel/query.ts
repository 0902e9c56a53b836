import { keepPreviousData, QueryClient, type UseQueryResult, useQuery } from '@tanstack/react-query'
import { type ApiInput, type ApiOutput, type ApiRoute, api } from './api.ts'
import { isApiError } from './api-error.ts'
import type { CallOptions } from './request.ts'

/** One client per entry. Failures have been shown by the api client, so queries only keep them for the page's error state. */
export const newQueryClient = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 30_000,
        refetchOnWindowFocus: false,
        retry: (count, error) => isApiError(error) && error.isOffline && count < 1,
      },
      mutations: { retry: false },
    },
  })

/** Query key of a call: the path first, so that `invalidateQueries({ queryKey: ['GET /blade-…'] })` reaches every input of it. */
export const callKey = (route: string, input?: unknown): readonly unknown[] => (input === undefined ? [route] : [route, input])

type UseCallArgs<R extends ApiRoute> =
  Record<never, never> extends ApiInput<R>
    ? [input?: ApiInput<R>, options?: UseCallOptions]
    : [input: ApiInput<R>, options?: UseCallOptions]
export interface UseCallOptions extends Pick<CallOptions, 'quiet'> {
  readonly enabled?: boolean
  readonly staleTimeMs?: number
  readonly refetchEveryMs?: number | false
  /** Shows the rows of the former input while the next ones load. */
  readonly keepPrevious?: boolean
}

/** `const exams = useCall('GET /blade-signup/signup/examList', { current: 1 })`: a reading call as a query. */
export const useCall = <R extends ApiRoute>(route: R, ...[input, options]: UseCallArgs<R>): UseQueryResult<ApiOutput<R>> =>
  useQuery<ApiOutput<R>>({
    queryKey: callKey(route, input),
    queryFn: ({ signal }) =>
      (api.call as (route: R, input: unknown, options: CallOptions) => Promise<ApiOutput<R>>)(route, input, {
        signal,
        ...(options?.quiet === undefined ? {} : { quiet: options.quiet }),
      }),
    enabled: options?.enabled ?? true,
    refetchInterval: options?.refetchEveryMs ?? false,
    ...(options?.staleTimeMs === undefined ? {} : { staleTime: options.staleTimeMs }),
    ...(options?.keepPrevious ? { placeholderData: keepPreviousData as never } : {}),
  })
