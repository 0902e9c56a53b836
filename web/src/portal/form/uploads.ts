import { create, type StoreApi, type UseBoundStore } from 'zustand'
import type { ApiOutput } from '#web/kernel/api.ts'
import { isApiError } from '#web/kernel/api-error.ts'
import { newKey } from '#web/kernel/send.ts'
import { upload } from '#web/kernel/upload.ts'
import type { UploadedFile } from '../wire.ts'

type UploadAnswer = ApiOutput<'POST /file/upload'>

export type UploadPhase = 'queued' | 'sending' | 'waiting' | 'failed'

/** A file on its way. One that has arrived leaves the queue and joins the form's files. */
export interface Upload {
  readonly localId: string
  readonly fileKey: string
  readonly file: File
  /** The server looks at a portrait and answers what it found. */
  readonly isPhoto: boolean
  readonly phase: UploadPhase
  /** 0–1. */
  readonly share: number
  readonly attempt: number
  readonly message: string | null
}

export interface UploadQueue {
  readonly useUploads: UseBoundStore<StoreApi<{ readonly uploads: readonly Upload[] }>>
  readonly add: (fileKey: string, file: File, isPhoto: boolean) => void
  readonly retry: (localId: string) => void
  readonly cancel: (localId: string) => void
  /** Cancels what is on its way and stops listening. */
  readonly dispose: () => void
}

/** The network may come back without the browser saying so, as when it was the server that was away. */
const goOnMs = 10_000

/** Two at a time: more would only share a phone's slow line. */
const atOnce = 2

/**
 * Sends files one after another. Each keeps one key for its whole life, so that a repeat after a dropped connection stores nothing
 * twice (decision 3.16); what a lost network stopped goes on by itself when the network is back.
 * @param faultOf - why a file that has arrived is not taken
 */
export const newUploadQueue = (
  arrived: (file: UploadedFile) => void,
  send: typeof upload = upload,
  faultOf: (file: UploadedFile) => string | undefined = () => undefined,
): UploadQueue => {
  const useUploads = create<{ uploads: readonly Upload[] }>(() => ({ uploads: [] }))
  const keys = new Map<string, string>()
  const aborts = new Map<string, AbortController>()
  const goOn = new Set<ReturnType<typeof setTimeout>>()

  const patch = (localId: string, change: Partial<Upload>) =>
    useUploads.setState(({ uploads }) => ({ uploads: uploads.map(one => (one.localId === localId ? { ...one, ...change } : one)) }))
  const drop = (localId: string) => {
    keys.delete(localId)
    aborts.delete(localId)
    useUploads.setState(({ uploads }) => ({ uploads: uploads.filter(one => one.localId !== localId) }))
  }

  const run = async (one: Upload): Promise<void> => {
    const { localId } = one
    const abort = new AbortController()
    aborts.set(localId, abort)
    patch(localId, { phase: 'sending', share: 0, message: null })
    try {
      const answer = await send<UploadAnswer>('/file/upload', one.file, {
        fileName: one.file.name,
        fields: { purpose: one.isPhoto ? 'photo' : 'document', name: one.file.name },
        idempotencyKey: keys.get(localId) ?? newKey(),
        signal: abort.signal,
        quiet: true,
        onProgress: share => patch(localId, { phase: 'sending', share }),
        onRetry: attempt => patch(localId, { phase: 'waiting', attempt }),
      })
      const { fileId, link, name, sizeBytes, mime, checks } = answer
      const file = { fileKey: one.fileKey, fileId, link, name, sizeBytes, mime, checks }
      const fault = faultOf(file)
      if (fault === undefined) {
        drop(localId)
        arrived(file)
      } else patch(localId, { phase: 'failed', share: 0, message: fault })
    } catch (error) {
      if (abort.signal.aborted) drop(localId)
      else if (isApiError(error) && error.isOffline) {
        patch(localId, { phase: 'waiting', share: 0, message: error.message })
        goOn.add(setTimeout(back, goOnMs))
      } else patch(localId, { phase: 'failed', share: 0, message: error instanceof Error ? error.message : null })
    }
    aborts.delete(localId)
    next()
  }

  const next = () => {
    const { uploads } = useUploads.getState()
    const busy = uploads.filter(one => aborts.has(one.localId)).length
    for (const one of uploads.filter(one => one.phase === 'queued' && !aborts.has(one.localId)).slice(0, Math.max(0, atOnce - busy)))
      void run(one)
  }

  const retry = (localId: string) => {
    if (aborts.has(localId)) return
    patch(localId, { phase: 'queued', attempt: 0, message: null })
    next()
  }
  const back = () => {
    for (const one of useUploads.getState().uploads) if (one.phase === 'waiting' && !aborts.has(one.localId)) retry(one.localId)
  }
  globalThis.addEventListener?.('online', back)

  return {
    useUploads,
    add: (fileKey, file, isPhoto) => {
      const localId = newKey()
      keys.set(localId, newKey())
      useUploads.setState(({ uploads }) => ({
        uploads: [...uploads, { localId, fileKey, file, isPhoto, phase: 'queued', share: 0, attempt: 0, message: null }],
      }))
      next()
    },
    retry,
    cancel: localId => {
      const abort = aborts.get(localId)
      if (abort === undefined) drop(localId)
      else abort.abort()
    },
    dispose: () => {
      globalThis.removeEventListener?.('online', back)
      for (const timer of goOn) clearTimeout(timer)
      for (const abort of aborts.values()) abort.abort()
    },
  }
}
