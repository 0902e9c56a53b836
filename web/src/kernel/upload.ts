import { failureOf, noteLock, report, withRefresh } from './api.ts'
import { ApiError } from './api-error.ts'
import { translate } from './i18n/index.ts'
import { commonHeaders, newKey, urlOf } from './send.ts'
import * as settings from './settings.ts'

export interface UploadOptions {
  /** Fields beside the file. */
  readonly fields?: Readonly<Record<string, string>>
  /** Name of the file part, default `file`. */
  readonly part?: string
  readonly fileName?: string
  /** 0–1; starts anew with each try. */
  readonly onProgress?: (share: number) => void
  readonly onRetry?: (attempt: number) => void
  readonly signal?: AbortSignal
  readonly quiet?: boolean
  readonly idempotencyKey?: string
}

interface XhrAnswer {
  readonly status: number
  readonly json: Record<string, unknown> | null
}

/** fetch tells nothing about what has been sent, so files go by XMLHttpRequest. Rejects when no answer came. */
const sendOnce = (url: string, form: FormData, key: string, options: UploadOptions): Promise<XhrAnswer> =>
  new Promise((resolve, reject) => {
    const xhr = new XMLHttpRequest()
    const offline = () => reject(new ApiError({ code: 0, status: 0, message: translate('error.network') }))
    xhr.open('POST', url)
    xhr.withCredentials = true
    for (const [name, value] of Object.entries({ ...commonHeaders(), 'Idempotency-Key': key })) xhr.setRequestHeader(name, value)
    // No overall limit: a big file on a slow line moves. A line that stands still for the time-out of S9.01 is cut.
    let idle = setTimeout(() => xhr.abort(), settings.requestTimeoutMs)
    const moved = () => {
      clearTimeout(idle)
      idle = setTimeout(() => xhr.abort(), settings.requestTimeoutMs)
    }
    const stop = () => xhr.abort()
    options.signal?.addEventListener('abort', stop)
    xhr.upload.onprogress = event => {
      moved()
      if (event.lengthComputable) options.onProgress?.(event.loaded / event.total)
    }
    xhr.onerror = offline
    xhr.onabort = () => (options.signal?.aborted ? reject(new DOMException('aborted', 'AbortError')) : offline())
    xhr.onload = () => {
      let json: Record<string, unknown> | null = null
      try {
        json = JSON.parse(xhr.responseText) as Record<string, unknown>
      } catch {
        // A proxy's page: the status speaks.
      }
      resolve({ status: xhr.status, json })
    }
    xhr.onloadend = () => {
      clearTimeout(idle)
      options.signal?.removeEventListener('abort', stop)
    }
    if (options.signal?.aborted) xhr.abort()
    else xhr.send(form)
  })

/** Waits for the connection, or for a little longer after each failure. */
const pause = (attempt: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    const done = () => {
      clearTimeout(timer)
      removeEventListener('online', done)
      if (signal?.aborted) reject(new DOMException('aborted', 'AbortError'))
      else resolve()
    }
    const timer = setTimeout(done, navigator.onLine === false ? 30_000 : 500 * 2 ** attempt)
    addEventListener('online', done)
    signal?.addEventListener('abort', done, { once: true })
  })

const worthRetry = (status: number) => status === 0 || status === 429 || status === 408 || status >= 500

/**
 * Sends one file and answers the envelope's data. A dropped connection is tried again up to 5 times with the same key, so that
 * nothing is stored twice (decision 3.16).
 */
export const upload = async <T = unknown>(path: string, file: Blob, options: UploadOptions = {}): Promise<T> => {
  const key = options.idempotencyKey ?? newKey()
  const form = new FormData()
  for (const [name, value] of Object.entries(options.fields ?? {})) form.set(name, value)
  form.set(options.part ?? 'file', file, options.fileName ?? (file instanceof File ? file.name : 'file'))
  for (let attempt = 1; ; attempt += 1) {
    try {
      const answer = await withRefresh(() => sendOnce(urlOf(path), form, key, options))
      noteLock(answer.status)
      if (answer.status === 200 && answer.json !== null && Number(answer.json.code ?? 200) === 200) return answer.json.data as T
      throw failureOf(answer.status, answer.json)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      if (attempt >= settings.uploadTries || !worthRetry(error.status)) {
        if (error.status !== 401 && error.status !== 423) report(error, options.quiet)
        throw error
      }
      options.onRetry?.(attempt)
      await pause(attempt, options.signal)
    }
  }
}
