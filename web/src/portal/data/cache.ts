import { isApiError } from '#web/kernel/api-error.ts'
import { serverNow } from '#web/kernel/clock.ts'

/** What is known of one reading call. */
export interface ReadState<T> {
  readonly data: T | undefined
  readonly error: unknown
  readonly isFetching: boolean
  /** When `data` came, epoch milliseconds of the server. */
  readonly atMs: number
  /** How many answers have come: tells whether one came since, whatever the clocks say. */
  readonly count: number
  /** The last try found no network, so that `data` may be out of date. */
  readonly isOffline: boolean
}

export type Fetcher<T> = (signal: AbortSignal) => Promise<T>

/** Keeps answers beyond the page, for a later visit without a network. */
export interface Copies {
  readonly keep: (key: string, data: unknown, atMs: number) => void
  readonly find: (key: string) => Promise<{ readonly data: unknown; readonly atMs: number } | null>
}

interface Entry {
  state: ReadState<unknown>
  fetch: Fetcher<unknown> | null
  running: { readonly abort: AbortController; readonly done: Promise<void> } | null
  readonly watchers: Set<() => void>
}

const unread: ReadState<never> = { data: undefined, error: null, isFetching: false, atMs: 0, count: 0, isOffline: false }
/** Answers nobody looks at are dropped beyond this many. */
const mostIdle = 60
const retryMs = 1_000

export interface ReadCache {
  readonly get: (key: string) => ReadState<unknown>
  /** @returns stops watching; a call that nobody waits for any more is given up */
  readonly watch: (key: string, tell: () => void) => () => void
  /** Fetches unless the answer is younger than `staleMs` or on its way. */
  readonly load: (key: string, fetcher: Fetcher<unknown>, staleMs: number) => void
  readonly refetch: (key: string) => Promise<void>
  /** After a change: what is on the screen is fetched anew, the rest when it is next asked for. */
  readonly invalidate: (matches?: (key: string) => boolean) => Promise<void>
  /** The network is back: what could not be refreshed is. */
  readonly online: () => void
  /** The age of the oldest answer on the screen that could not be refreshed, epoch milliseconds; null when all are fresh. */
  readonly oldestMs: () => number | null
  readonly onChange: (tell: () => void) => () => void
  readonly clear: () => void
}

/**
 * Answers of reading calls by key: shared by all who look at one, fetched once at a time, refetched when they are old. The portal's
 * own, because the console's query library is a tenth of what a phone may load first (ADR 0014).
 */
export const newReadCache = (copies: Copies | null = null, now: () => number = serverNow): ReadCache => {
  const entries = new Map<string, Entry>()
  const watchers = new Set<() => void>()

  const entryOf = (key: string): Entry => {
    const found = entries.get(key)
    if (found !== undefined) return found
    const made: Entry = { state: unread, fetch: null, running: null, watchers: new Set() }
    entries.set(key, made)
    return made
  }
  const tellAll = (tells: Iterable<() => void>): void => {
    for (const tell of [...tells]) tell()
  }
  const set = (entry: Entry, change: Partial<ReadState<unknown>>): void => {
    entry.state = { ...entry.state, ...change }
    tellAll(entry.watchers)
    tellAll(watchers)
  }

  const attempt = async (key: string, entry: Entry, fetch: Fetcher<unknown>, signal: AbortSignal, isRepeat: boolean): Promise<void> => {
    try {
      const data = await fetch(signal)
      if (signal.aborted) return
      const atMs = now()
      set(entry, { data, error: null, atMs, count: entry.state.count + 1, isOffline: false })
      copies?.keep(key, data, atMs)
    } catch (error) {
      if (signal.aborted) return
      const isOffline = isApiError(error) && error.isOffline
      if (isOffline && entry.state.data === undefined) {
        const copy = await copies?.find(key)
        if (signal.aborted) return
        if (copy) set(entry, { data: copy.data, atMs: copy.atMs, isOffline })
        else if (!isRepeat) {
          await new Promise(resolve => setTimeout(resolve, retryMs))
          if (!signal.aborted) await attempt(key, entry, fetch, signal, true)
          return
        }
      }
      set(entry, { error, isOffline })
    }
  }

  const run = (key: string, entry: Entry): Promise<void> => {
    const { fetch, running } = entry
    if (running !== null && !running.abort.signal.aborted) return running.done
    if (fetch === null) return Promise.resolve()
    const abort = new AbortController()
    const done = attempt(key, entry, fetch, abort.signal, false).finally(() => {
      if (entry.running?.abort !== abort) return
      entry.running = null
      set(entry, { isFetching: false })
    })
    entry.running = { abort, done }
    set(entry, { isFetching: true })
    return done
  }
  /** Entries on the screen whose last try found no network. */
  const offline = () => [...entries].filter(([, { watchers: who, state }]) => who.size > 0 && state.isOffline)

  return {
    get: key => entries.get(key)?.state ?? unread,
    watch: (key, tell) => {
      const entry = entryOf(key)
      entry.watchers.add(tell)
      tellAll(watchers)
      return () => {
        entry.watchers.delete(tell)
        tellAll(watchers)
        if (entry.watchers.size > 0) return
        entry.running?.abort.abort()
        const idle = [...entries].filter(([, one]) => one.watchers.size === 0)
        for (const [old] of idle.slice(0, Math.max(0, idle.length - mostIdle))) entries.delete(old)
      }
    },
    load: (key, fetcher, staleMs) => {
      const entry = entryOf(key)
      entry.fetch = fetcher
      const { data, isOffline, atMs } = entry.state
      if (data === undefined || isOffline || now() - atMs >= staleMs) void run(key, entry)
    },
    refetch: key => run(key, entryOf(key)),
    invalidate: async (matches = () => true) => {
      const runs: Promise<void>[] = []
      for (const [key, entry] of entries) {
        if (!matches(key)) continue
        // An answer on its way may have been made before the change.
        entry.running?.abort.abort()
        if (entry.watchers.size === 0) entries.delete(key)
        else runs.push(run(key, entry))
      }
      await Promise.all(runs)
    },
    online: () => {
      for (const [key, entry] of offline()) void run(key, entry)
    },
    oldestMs: () => {
      const times = offline().flatMap(([, { state }]) => (state.data === undefined ? [] : [state.atMs]))
      return times.length === 0 ? null : Math.min(...times)
    },
    onChange: tell => {
      watchers.add(tell)
      return () => watchers.delete(tell)
    },
    clear: () => {
      for (const { running } of entries.values()) running?.abort.abort()
      entries.clear()
    },
  }
}
