import { type QueryClient, QueryObserver, queryOptions, useQueries, useQueryClient } from '@tanstack/react-query'
import { useCallback, useSyncExternalStore } from 'react'
import { type ApiOutput, api } from '../kernel/api.ts'
import { type Lang, useLang } from '../kernel/i18n/index.ts'

export interface Option {
  readonly value: string
  readonly label: string
}
type Entries = ApiOutput<'GET /blade-system/dict/dictionary'>

/** A code names a business dictionary of the tenant or, when it has none, one of the platform: of those that both have, a tenant adds to its own. */
const entriesOf = async (code: string): Promise<Entries> => {
  const own = await api.call('GET /blade-system/dict-biz/dictionary', { code })
  return own.length > 0 ? own : api.call('GET /blade-system/dict/dictionary', { code })
}

const dictQuery = (code: string | undefined) =>
  queryOptions({
    queryKey: ['dict', code],
    queryFn: () => entriesOf(code ?? ''),
    enabled: code !== undefined,
    staleTime: 10 * 60_000,
  })

const made: Readonly<Record<Lang, WeakMap<Entries, readonly Option[]>>> = { zh: new WeakMap(), en: new WeakMap() }
const none: readonly Option[] = []
/** The same choices for the same entries, so that what is drawn from them need not be drawn again. */
const optionsOf = (entries: Entries | undefined, lang: Lang): readonly Option[] => {
  if (entries === undefined) return none
  const known = made[lang].get(entries)
  if (known !== undefined) return known
  const options = entries.map(entry => ({ value: String(entry.dictKey), label: (lang === 'en' && entry.dictValueEn) || entry.dictValue }))
  made[lang].set(entries, options)
  return options
}

/** What is known of a dictionary, and who draws it. */
interface Watch {
  entries: Entries | undefined
  readonly drawn: Set<() => void>
  end: () => void
}
const watches = new WeakMap<QueryClient, Map<string, Watch>>()

/** All who draw a dictionary share one observer of it: with one in each of its cells a page of two hundred rows costs twice as much. */
const watchOf = (client: QueryClient, code: string): Watch => {
  const all = watches.get(client) ?? new Map<string, Watch>()
  watches.set(client, all)
  const watch = all.get(code) ?? { entries: client.getQueryData<Entries>(['dict', code]), drawn: new Set(), end: () => {} }
  all.set(code, watch)
  return watch
}
const watchDict = (client: QueryClient, code: string, draw: () => void): (() => void) => {
  const watch = watchOf(client, code)
  watch.drawn.add(draw)
  if (watch.drawn.size === 1) {
    const observer = new QueryObserver(client, dictQuery(code))
    const take = ({ data }: { readonly data: Entries | undefined }) => {
      if (data === watch.entries) return
      watch.entries = data
      for (const each of watch.drawn) each()
    }
    watch.end = observer.subscribe(take)
    take(observer.getCurrentResult())
  }
  return () => {
    watch.drawn.delete(draw)
    if (watch.drawn.size > 0) return
    watch.end()
    watches.get(client)?.delete(code)
  }
}

/** The entries of a dictionary by its code (S3.06), as choices. */
export const useDict = (code: string | undefined): readonly Option[] => {
  const lang = useLang()
  const client = useQueryClient()
  const watch = useCallback((draw: () => void) => (code === undefined ? () => {} : watchDict(client, code, draw)), [client, code])
  const entries = useSyncExternalStore(watch, () => (code === undefined ? undefined : watchOf(client, code).entries))
  return optionsOf(entries, lang)
}

/** Several dictionaries at once, in the order asked for. */
export const useDicts = (codes: readonly (string | undefined)[]): readonly (readonly Option[])[] => {
  const lang = useLang()
  return useQueries({ queries: codes.map(dictQuery) }).map(({ data }) => optionsOf(data, lang))
}
