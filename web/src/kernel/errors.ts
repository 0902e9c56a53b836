import { create } from 'zustand'
import { ApiError } from './api-error.ts'
import { readStored, writeStored } from './storage.ts'

/** S3.18 */
export interface ErrorEntry {
  readonly type: 'error'
  readonly message: string
  readonly stack: string
  readonly info: string
  readonly url: string
  /** `yyyy-MM-dd HH:mm:ss`, local. */
  readonly time: string
}

/** The server takes 100 entries of 8 KB (framework-contract 2.9). */
const maxEntries = 100
const maxChars = 8_000

/** The local log of S8.10; the header counts it in a badge. */
export const useErrorLog = create<{ entries: readonly ErrorEntry[] }>(() => ({ entries: [] }))

/** Notes a failure of the program itself. Refused calls are no such failure: the person has been told. */
export const logError = (error: unknown, info: string): void => {
  if (error instanceof ApiError || (error instanceof DOMException && error.name === 'AbortError')) return
  const cause = error instanceof Error ? error : new Error(String(error))
  const entry: ErrorEntry = {
    type: 'error',
    message: cause.message.slice(0, 500),
    stack: (cause.stack ?? '').slice(0, maxChars),
    info,
    url: location.pathname,
    // Swedish is written so.
    time: new Date().toLocaleString('sv'),
  }
  useErrorLog.setState(state => {
    const entries = [...state.entries, entry].slice(-maxEntries)
    writeStored('errors', entries)
    return { entries }
  })
}

/** Call once per entry. */
export const startErrorLog = (): void => {
  useErrorLog.setState({ entries: readStored<ErrorEntry[]>('errors') ?? [] })
  // Without an error it is a notice of the browser's own: a size that changed while its observer was told of it is told of in the next frame.
  addEventListener('error', event => event.error && logError(event.error, 'window'))
  addEventListener('unhandledrejection', event => logError(event.reason, 'promise'))
}
