import { createRoot } from 'react-dom/client'
import { loadChunk } from '../kernel/chunk.ts'
import { isOwnPath } from '../kernel/own-path.ts'
import { safeRedirect } from '../kernel/safe-redirect.ts'
import { LoginPage } from './login-page.tsx'
import { takeLang } from './take-lang.ts'
import './login.css'

const statuses = { '/403': 403, '/404': 404, '/500': 500 } as const

/** Everything that somebody without a session may see (S2.23) but the candidate's registration. */
export const mount = (into: HTMLElement): (() => void) => {
  const root = createRoot(into)
  // Nobody logs in to be told that an address is none.
  const search = new URLSearchParams(location.search)
  const { pathname, searchParams } = new URL(safeRedirect(search.get('redirect')), location.origin)
  takeLang(search, searchParams)
  const status = location.pathname in statuses ? statuses[location.pathname as keyof typeof statuses] : isOwnPath(pathname) ? null : 404
  if (location.pathname.startsWith('/oauth/redirect/'))
    void loadChunk(() => import('./redirect-page.tsx')).then(({ RedirectPage }) => root.render(<RedirectPage />))
  else if (status === null) root.render(<LoginPage />)
  else void loadChunk(() => import('../shell/status-pages.tsx')).then(({ StatusPage }) => root.render(<StatusPage status={status} />))
  return () => root.unmount()
}
