import { type AnchorHTMLAttributes, type MouseEvent, useSyncExternalStore } from 'react'

const moved = 'kaopu-moved'

/** For `useSyncExternalStore`: the address may be another one. */
export const onMove = (tell: () => void): (() => void) => {
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
export const navigate = (to: string, { replace = false, state = null }: NavigateOptions = {}): void => {
  history[replace ? 'replaceState' : 'pushState'](state, '', to)
  dispatchEvent(new Event(moved))
}

export const usePath = (): string => useSyncExternalStore(onMove, () => location.pathname)

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
