import { api } from '#web/kernel/api.ts'
import type { Query } from '#web/kernel/request.ts'

export const get = <T>(path: string, query?: Query, signal?: AbortSignal): Promise<T> =>
  api.request<T>({ method: 'GET', path, query, quiet: true, ...(signal === undefined ? {} : { signal }) })

export const quiet = (signal: AbortSignal | undefined) => ({ quiet: true, ...(signal === undefined ? {} : { signal }) })

export interface PageOf {
  readonly current?: number
  readonly size?: number
}
