import { queryOptions, useQueries, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { api } from '../kernel/api.ts'

export interface Option {
  readonly value: string
  readonly label: string
}
interface Entry {
  readonly dictKey: string | number
  readonly dictValue: string
}

const dictQuery = (code: string | undefined, of: 'dict' | 'dict-biz') =>
  queryOptions({
    queryKey: ['dict', of, code],
    queryFn: () => api.request<readonly Entry[]>({ method: 'GET', path: `/blade-system/${of}/dictionary`, query: { code } }),
    enabled: code !== undefined,
    staleTime: 10 * 60_000,
  })
const optionsOf = (entries: readonly Entry[] | undefined): readonly Option[] =>
  (entries ?? []).map(entry => ({ value: String(entry.dictKey), label: entry.dictValue }))

/** The entries of a dictionary by its code (S3.06), as choices. Business dictionaries are the tenant's. */
export const useDict = (code: string | undefined, of: 'dict' | 'dict-biz' = 'dict'): readonly Option[] => {
  const { data } = useQuery(dictQuery(code, of))
  return useMemo(() => optionsOf(data), [data])
}

/** Several dictionaries at once, in the order asked for. */
export const useDicts = (codes: readonly (string | undefined)[]): readonly (readonly Option[])[] =>
  useQueries({ queries: codes.map(code => dictQuery(code, 'dict')) }).map(({ data }) => optionsOf(data))
