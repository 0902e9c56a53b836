import { queryOptions, useQueries, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { type ApiOutput, api } from '../kernel/api.ts'
import { type Lang, useLang } from '../kernel/i18n/index.ts'

export interface Option {
  readonly value: string
  readonly label: string
}
type Entries = ApiOutput<'GET /blade-system/dict/dictionary'>

/** A code names a dictionary of the platform or, when there is none, a business dictionary of the tenant. */
const entriesOf = async (code: string): Promise<Entries> => {
  const own = await api.call('GET /blade-system/dict/dictionary', { code })
  return own.length > 0 ? own : api.call('GET /blade-system/dict-biz/dictionary', { code })
}

const dictQuery = (code: string | undefined) =>
  queryOptions({
    queryKey: ['dict', code],
    queryFn: () => entriesOf(code ?? ''),
    enabled: code !== undefined,
    staleTime: 10 * 60_000,
  })
const optionsOf = (entries: Entries | undefined, lang: Lang): readonly Option[] =>
  (entries ?? []).map(entry => ({ value: String(entry.dictKey), label: (lang === 'en' && entry.dictValueEn) || entry.dictValue }))

/** The entries of a dictionary by its code (S3.06), as choices. */
export const useDict = (code: string | undefined): readonly Option[] => {
  const lang = useLang()
  const { data } = useQuery(dictQuery(code))
  return useMemo(() => optionsOf(data, lang), [data, lang])
}

/** Several dictionaries at once, in the order asked for. */
export const useDicts = (codes: readonly (string | undefined)[]): readonly (readonly Option[])[] => {
  const lang = useLang()
  return useQueries({ queries: codes.map(dictQuery) }).map(({ data }) => optionsOf(data, lang))
}
