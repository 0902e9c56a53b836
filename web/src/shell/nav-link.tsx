import type { AnchorHTMLAttributes, MouseEvent } from 'react'
import { goTo } from './go.ts'

/** A link inside the console: a plain click stays in the page, all other clicks do what the browser does with links. */
export const NavLink = ({
  to,
  onClick,
  children,
  ...rest
}: Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'> & { readonly to: string }) => (
  <a
    {...rest}
    href={to}
    onClick={(event: MouseEvent<HTMLAnchorElement>) => {
      onClick?.(event)
      if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
      event.preventDefault()
      goTo(to)
    }}
  >
    {children}
  </a>
)
