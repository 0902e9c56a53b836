import type { Clock } from './clock.ts'

interface Bounds {
  readonly clock: Clock
  readonly maxAgeMs: number
  readonly maxEntries: number
}
interface Forgets {
  readonly clear: () => void
  /** Forgets one of them. */
  readonly drop: (key: string) => void
}
export interface SharedReads<T> extends Forgets {
  readonly of: (key: string) => Promise<T>
}
export interface SharedWork<T> extends Forgets {
  /** @param read all that it depends on is in the key */
  readonly of: (key: string, read: () => Promise<T>) => Promise<T>
}

/**
 * Remembers what was read for a while. Callers who want the same at the same moment share one read: hundreds that come together would else queue for
 * the few connections of a quiet role, and some of them would be told that the server is busy.
 */
export const shareWork = <T>({ clock, maxAgeMs, maxEntries }: Bounds): SharedWork<T> => {
  const known = new Map<string, { readonly value: Promise<T>; readonly readAt: number }>()
  return {
    of: (key, read) => {
      const now = clock.now().getTime()
      const held = known.get(key)
      if (held && now - held.readAt < maxAgeMs) return held.value
      const made = { value: read(), readAt: now }
      if (known.size >= maxEntries) known.clear()
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

/** The same where each key is read in one way. */
export const shareReads = <T>(read: (key: string) => Promise<T>, bounds: Bounds): SharedReads<T> => {
  const { of, clear, drop } = shareWork<T>(bounds)
  return { of: key => of(key, () => read(key)), clear, drop }
}
