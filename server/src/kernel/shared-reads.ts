import type { Clock } from './clock.ts'

export interface SharedReads<T> {
  readonly of: (key: string) => Promise<T>
  readonly clear: () => void
  /** Forgets one of them. */
  readonly drop: (key: string) => void
}

/**
 * Remembers what was read for a while. Callers who want the same at the same moment share one read: hundreds that come together would else queue for
 * the few connections of a quiet role, and some of them would be told that the server is busy.
 */
export const shareReads = <T>(
  read: (key: string) => Promise<T>,
  of: { readonly clock: Clock; readonly maxAgeMs: number; readonly maxEntries: number },
): SharedReads<T> => {
  const known = new Map<string, { readonly value: Promise<T>; readonly readAt: number }>()
  return {
    of: key => {
      const now = of.clock.now().getTime()
      const held = known.get(key)
      if (held && now - held.readAt < of.maxAgeMs) return held.value
      const made = { value: read(key), readAt: now }
      if (known.size >= of.maxEntries) known.clear()
      // Before it is there: what is cleared meanwhile is not remembered.
      known.set(key, made)
      made.value.catch(() => {
        if (known.get(key) === made) known.delete(key)
      })
      return made.value
    },
    clear: () => known.clear(),
    drop: key => void known.delete(key),
  }
}
