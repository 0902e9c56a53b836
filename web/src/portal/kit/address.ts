import { useCallback, useMemo, useSyncExternalStore } from 'react'
import { type NavigateOptions, navigate, onMove } from './router.tsx'

type Params = URLSearchParams | Readonly<Record<string, string>>

/** The query of the address, and how to change it. A change of the same page replaces nothing unless it is told to. */
export const useSearchParams = () => {
  const search = useSyncExternalStore(onMove, () => location.search)
  const params = useMemo(() => new URLSearchParams(search), [search])
  const set = useCallback((next: Params | ((before: URLSearchParams) => Params), options?: NavigateOptions) => {
    const query = new URLSearchParams(typeof next === 'function' ? next(new URLSearchParams(location.search)) : next).toString()
    navigate(location.pathname + (query === '' ? '' : `?${query}`), options)
  }, [])
  return [params, set] as const
}

/** What the `:name` of a pattern stands for in the path; null when the path is another one. */
export const matchPath = (pattern: string, path: string): Readonly<Record<string, string>> | null => {
  const wanted = pattern.split('/')
  const parts = path.replace(/(.)\/$/, '$1').split('/')
  if (wanted.length !== parts.length) return null
  const found: Record<string, string> = {}
  for (const [at, want] of wanted.entries()) {
    const part = parts[at] ?? ''
    if (!want.startsWith(':')) {
      if (want !== part) return null
      continue
    }
    if (part === '') return null
    try {
      found[want.slice(1)] = decodeURIComponent(part)
    } catch {
      return null
    }
  }
  return found
}
