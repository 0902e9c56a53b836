import { type AnchorHTMLAttributes, type MouseEvent, useCallback, useMemo, useSyncExternalStore } from 'react'

const moved = 'kaopu-moved'

const subscribe = (tell: () => void): (() => void) => {
  addEventListener('popstate', tell)
  addEventListener(moved, tell)
  return () => {
    removeEventListener('popstate', tell)
    removeEventListener(moved, tell)
  }
}

export interface NavigateOptions {
  readonly replace?: boolean
  readonly state?: unknown
}

/** Goes to an address of the portal without loading a page. */
const navigate = (to: string, { replace = false, state = null }: NavigateOptions = {}): void => {
  history[replace ? 'replaceState' : 'pushState'](state, '', to)
  dispatchEvent(new Event(moved))
}

export const usePath = (): string => useSyncExternalStore(subscribe, () => location.pathname)

type Params = URLSearchParams | Readonly<Record<string, string>>

/** The query of the address, and how to change it. A change of the same page replaces nothing unless it is told to. */
export const useSearchParams = () => {
  const search = useSyncExternalStore(subscribe, () => location.search)
  const params = useMemo(() => new URLSearchParams(search), [search])
  const set = useCallback((next: Params | ((before: URLSearchParams) => Params), options?: NavigateOptions) => {
    const query = new URLSearchParams(typeof next === 'function' ? next(new URLSearchParams(location.search)) : next).toString()
    navigate(location.pathname + (query === '' ? '' : `?${query}`), options)
  }, [])
  return [params, set] as const
}

/** A link inside the portal; the browser's own ways to open one elsewhere stay. */
export const Link = ({ href, onClick, ...rest }: AnchorHTMLAttributes<HTMLAnchorElement> & { readonly href: string }) => (
  <a
    {...rest}
    href={href}
    onClick={(event: MouseEvent<HTMLAnchorElement>) => {
      onClick?.(event)
      if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
      event.preventDefault()
      navigate(href)
    }}
  />
)

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
