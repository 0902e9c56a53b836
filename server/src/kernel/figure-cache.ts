/** Figures by their parameters. Time is handed in, so a test or the demo's clock decides what is still fresh. */
export interface FigureCache<T> {
  readonly get: (key: string, nowMs: number) => T | undefined
  /** @param keepMs how long the figure is fresh; 0 keeps nothing */
  readonly put: (key: string, value: T, nowMs: number, keepMs: number) => void
  readonly clear: () => void
}

/** @param capacity entries at most; the one put first goes first */
export const createFigureCache = <T>(capacity: number): FigureCache<T> => {
  const entries = new Map<string, { readonly value: T; readonly atMs: number; readonly keepMs: number }>()
  return {
    get: (key, nowMs) => {
      const entry = entries.get(key)
      return entry && nowMs >= entry.atMs && nowMs - entry.atMs < entry.keepMs ? entry.value : undefined
    },
    put: (key, value, nowMs, keepMs) => {
      entries.delete(key)
      if (keepMs <= 0) return
      entries.set(key, { value, atMs: nowMs, keepMs })
      for (const oldest of entries.keys()) {
        if (entries.size <= capacity) break
        entries.delete(oldest)
      }
    },
    clear: () => entries.clear(),
  }
}
