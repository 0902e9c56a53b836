import type { UserType } from './session.ts'

export interface GuardSession {
  readonly token: string | null
  readonly userType: UserType | null
}
export interface GuardLocation {
  readonly pathname: string
  readonly search: string
  /** The page's meta: it may be opened without a session (S2.23). */
  readonly isPublic: boolean
}
export type Decision =
  | { readonly kind: 'allow' }
  /** `forget`: what is left of a session goes first (S2.21). */
  | { readonly kind: 'redirect'; readonly to: string; readonly forget?: true }

const allow: Decision = { kind: 'allow' }

/** What is published is read without a session, by candidates and staff at the same addresses. */
export const isReading = (pathname: string): boolean => /^\/(notices|publicity|news)(\/|$)/.test(pathname)
/** Pages that need no session, whatever the entry (S2.01–S2.03; registration is the portal's, providers send people back to /oauth/redirect). */
export const isPublicPath = (pathname: string): boolean =>
  isReading(pathname) || /^\/(login|lock|403|404|500|register|oauth\/redirect)(\/|$)/.test(pathname)

/**
 * What happens to a navigation, in the order of S2.19–S2.23. Pure: it is asked before each page.
 * @param locked - the session is locked (decision 3.9)
 */
export const decide = (session: GuardSession, locked: boolean, location: GuardLocation): Decision => {
  const { pathname } = location
  if (session.token !== null) {
    if (pathname === '/login') return { kind: 'redirect', to: '/' } // S2.19
    if (locked && pathname !== '/lock') return { kind: 'redirect', to: '/lock' } // S2.20
    if (!locked && pathname === '/lock') return { kind: 'redirect', to: '/' }
    if (session.token === '' || session.userType === null) return { kind: 'redirect', to: '/login', forget: true } // S2.21
    return allow // S2.22
  }
  if (location.isPublic && pathname !== '/lock') return allow // S2.23
  const back = pathname === '/' || pathname === '/lock' ? '' : `?redirect=${encodeURIComponent(pathname + location.search)}`
  return { kind: 'redirect', to: `/login${back}` }
}

export type Entry = 'login' | 'console' | 'portal'

/** Which of the three programs draws a page (decision 2.14). */
export const entryOf = (session: GuardSession, pathname: string): Entry => {
  if (isReading(pathname)) return 'portal'
  if (session.token === null) return /^\/register(\/|$)/.test(pathname) ? 'portal' : 'login'
  return session.userType === 2 ? 'portal' : 'console'
}
