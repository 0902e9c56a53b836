import { useCallback, useEffect, useRef, useSyncExternalStore } from 'react'
import { api } from '#web/kernel/api.ts'
import { currentLang, useLang } from '#web/kernel/i18n/index.ts'
import { get, type PageOf, quiet } from './ask.ts'
import { answers, keyOf } from './data/answers.ts'
import type { laterReads } from './later-reads.ts'
import type { NotifyRow, Page, PayRow } from './wire.ts'

/** What the first page reads; failures are drawn by the page, so the client stays quiet. */
const firstReads = {
  examList: (of: PageOf & { keyword?: string }, signal?: AbortSignal) => api.call('GET /blade-signup/signup/examList', of, quiet(signal)),
  myExamList: (of: PageOf, signal?: AbortSignal) => api.call('GET /blade-signup/signup/myExamList', of, quiet(signal)),
  dues: (of: { examId?: string; state?: number }, signal?: AbortSignal) =>
    get<readonly PayRow[]>('/blade-exam/examination/getMyPayList', of, signal),
  messages: (of: PageOf, signal?: AbortSignal) => get<Page<NotifyRow>>('/me/messages', of, signal),
} as const

export type Reads = typeof firstReads & typeof laterReads
export type ReadName = keyof Reads
type ReadInput<N extends ReadName> = Parameters<Reads[N]>[0]
export type ReadOutput<N extends ReadName> = Awaited<ReturnType<Reads[N]>>

type Read<N extends ReadName> = (of: ReadInput<N>, signal?: AbortSignal) => Promise<ReadOutput<N>>

/** Asks the server once; pages use `useRead`. */
export const read = <N extends ReadName>(name: N, of: ReadInput<N>, signal?: AbortSignal): Promise<ReadOutput<N>> =>
  (name in firstReads ? Promise.resolve(firstReads) : import('./later-reads.ts').then(module => module.laterReads)).then(reads =>
    (reads as unknown as Readonly<Record<N, Read<N>>>)[name](of, signal),
  )

export interface ReadOptions {
  readonly enabled?: boolean
  readonly refetchEveryMs?: number | false
  readonly staleMs?: number
  /** Keeps the former answer on screen while the next one loads. */
  readonly keep?: boolean
}

/** The state of a reading call and how to ask again. */
export interface Reading<T> {
  readonly data: T | undefined
  readonly error: unknown
  readonly isError: boolean
  readonly isFetching: boolean
  /** The answer came after this component did. */
  readonly isFresh: boolean
  /** `data` is what an earlier visit kept on this device: there is no network. */
  readonly isCopy: boolean
  readonly refetch: () => Promise<void>
}

const staleMs = 30_000

/** Begins a reading call before anything that shows it is drawn. @returns ends when it has an answer, or none */
export const begin = <N extends ReadName>(name: N, of: ReadInput<N>): Promise<void> => {
  const key = keyOf(name, of, currentLang())
  answers.load(key, signal => read(name, of, signal), staleMs)
  return answers.refetch(key)
}

/** `useRead('examList', { current: 1 })`. The answer holds texts of the server, so the language is part of the key. */
export const useRead = <N extends ReadName>(name: N, of: ReadInput<N>, options: ReadOptions = {}): Reading<ReadOutput<N>> => {
  const lang = useLang()
  const key = keyOf(name, of, lang)
  const { enabled = true, refetchEveryMs = false } = options
  const state = useSyncExternalStore(
    useCallback(tell => answers.watch(key, tell), [key]),
    () => answers.get(key),
  )
  const before = useRef({ key: '', count: 0 })
  if (before.current.key !== key) before.current = { key, count: state.count }
  const fetcher = useRef((signal: AbortSignal) => read(name, of, signal))
  fetcher.current = signal => read(name, of, signal)
  const oldestMs = options.staleMs ?? staleMs
  useEffect(() => {
    if (enabled) answers.load(key, signal => fetcher.current(signal), oldestMs)
  }, [key, enabled, oldestMs])
  useEffect(() => {
    if (!enabled || refetchEveryMs === false) return
    const timer = setInterval(() => {
      if (!document.hidden) void answers.refetch(key)
    }, refetchEveryMs)
    return () => clearInterval(timer)
  }, [key, enabled, refetchEveryMs])
  const former = useRef<unknown>(undefined)
  if (state.data !== undefined) former.current = state.data
  return {
    data: (options.keep ? (state.data ?? former.current) : state.data) as ReadOutput<N> | undefined,
    error: state.error,
    isError: state.error !== null,
    isFetching: state.isFetching,
    isFresh: state.count > before.current.count,
    isCopy: state.isOffline,
    refetch: useCallback(() => answers.refetch(key), [key]),
  }
}
