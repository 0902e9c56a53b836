import { translate } from './i18n/index.ts'
import * as settings from './settings.ts'

/** A part of the program did not come: no answer for 120 seconds, or none even after the page was loaded anew (S8.13). */
export class ChunkLoadError extends Error {
  override readonly name = 'ChunkLoadError'
}

const failure = /dynamically imported module|module script failed|Unable to preload CSS/i
/** In the browser's own words: a `ChunkLoadError` has others, and has been tried again already. */
export const isChunkFailure = (error: unknown): boolean => error instanceof Error && failure.test(error.message)

const reloadedKey = 'kaopu-reloaded'
/** The next version may come within the minute; the same broken one must not reload for ever. */
const reloadPauseMs = 60_000
/** A reload that the person called off, because of unsaved input, leaves the page where it is. */
const goneMs = 3_000

/** After a new version was put up an old page asks for files that are gone: one reload gets the new page, and only one. */
export const reloadOnce = (): boolean => {
  if (navigator.onLine === false) return false
  try {
    const last = Number(sessionStorage.getItem(reloadedKey) ?? 0)
    if (Date.now() - last < reloadPauseMs) return false
    sessionStorage.setItem(reloadedKey, String(Date.now()))
  } catch {
    return false
  }
  location.reload()
  return true
}

/**
 * Somebody asks for it once more. Browsers keep a file that did not come as failed and do not ask for it again, until the page is loaded anew:
 * that may happen again now.
 */
export const allowReload = (): void => {
  try {
    sessionStorage.removeItem(reloadedKey)
  } catch {
    // Without a storage nothing is reloaded by itself.
  }
}

const wait = (ms: number) => new Promise<void>(resolve => setTimeout(resolve, ms))

/** Loads a part of the program: `loadChunk(() => import('./page.tsx'))`. */
export const loadChunk = async <T>(load: () => Promise<T>): Promise<T> => {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new ChunkLoadError(translate('error.chunk'))), settings.chunkTimeoutMs)
  })
  try {
    return await Promise.race([load(), late])
  } catch (error) {
    if (!isChunkFailure(error)) throw error
    if (reloadOnce()) await wait(goneMs)
    throw new ChunkLoadError(translate('error.chunk'), { cause: error })
  } finally {
    clearTimeout(timer)
  }
}
