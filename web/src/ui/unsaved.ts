import { useInsertionEffect } from 'react'

interface Guard {
  /** Of the page it was typed in. */
  readonly path: string
  readonly hasChanges: () => boolean
}
const guards = new Set<Guard>()

/**
 * What a page or a window on it would lose: the shell asks the person before it closes the tab or leaves. It counts while its tab is hidden
 * too, when effects of the usual kinds have ended; this kind ends with the page itself.
 */
export const useUnsaved = (path: string, hasChanges: (() => boolean) | undefined): void =>
  useInsertionEffect(() => {
    if (hasChanges === undefined) return
    const guard: Guard = { path, hasChanges }
    guards.add(guard)
    return () => void guards.delete(guard)
  }, [path, hasChanges])

export const tabHasChanges = (path: string): boolean => [...guards].some(guard => guard.path === path && guard.hasChanges())
export const anyTabHasChanges = (): boolean => [...guards].some(guard => guard.hasChanges())
