/** `stat.cacheSeconds` of domain 13.6 is at most this long. */
const keepMs = 30_000

/** Figures by their parameters. Time is handed in, so a test or the demo's clock decides what is still fresh. */
export interface FigureCache<T> {
  readonly get: (key: string, nowMs: number) => T | undefined
  readonly put: (key: string, value: T, nowMs: number) => void
}

/** @param capacity entries at most; the one put first goes first */
export const createFigureCache = <T>(capacity: number): FigureCache<T> => {
  const entries = new Map<string, { readonly value: T; readonly atMs: number }>()
  return {
    get: (key, nowMs) => {
      const entry = entries.get(key)
      return entry && nowMs >= entry.atMs && nowMs - entry.atMs < keepMs ? entry.value : undefined
    },
    put: (key, value, nowMs) => {
      entries.delete(key)
      entries.set(key, { value, atMs: nowMs })
      for (const oldest of entries.keys()) {
        if (entries.size <= capacity) break
        entries.delete(oldest)
      }
    },
  }
}
