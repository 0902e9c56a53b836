import { describe, expect, it } from 'vitest'
import { decide, entryOf, type GuardSession, isPublicPath } from './guard.ts'
import { isOwnPath } from './own-path.ts'

/** Where menus and pages say their addresses. */
const sources = import.meta.glob<string>(
  ['../../../contract/src/*/{menus,*.resource,*.resources}.ts', '../features/**/pages.ts', '../console/*.ts', '../portal/routes.tsx'],
  { eager: true, query: '?raw', import: 'default' },
)

const nobody: GuardSession = { token: null, userType: null }
const staff: GuardSession = { token: 't', userType: 1 }
const candidate: GuardSession = { token: 't', userType: 2 }
const at = (pathname: string, search = '') => ({ pathname, search, isPublic: isPublicPath(pathname) })

describe('guard', () => {
  it('[S2.19] sends a person with a token from /login to /', () => {
    expect(decide(staff, false, at('/login'))).toEqual({ kind: 'redirect', to: '/' })
  })
  it('[S2.19][S2.20] looks at /login before the lock', () => {
    expect(decide(staff, true, at('/login'))).toEqual({ kind: 'redirect', to: '/' })
  })
  it('[S2.20] sends a locked session to /lock, and an unlocked one away from it', () => {
    expect(decide(staff, true, at('/wel/index'))).toEqual({ kind: 'redirect', to: '/lock' })
    expect(decide(staff, true, at('/404'))).toEqual({ kind: 'redirect', to: '/lock' })
    expect(decide(staff, true, at('/lock'))).toEqual({ kind: 'allow' })
    expect(decide(staff, false, at('/lock'))).toEqual({ kind: 'redirect', to: '/' })
  })
  it('[S2.21] logs out when the token is empty or belongs to nobody', () => {
    expect(decide({ token: '', userType: 1 }, false, at('/wel/index'))).toEqual({ kind: 'redirect', to: '/login', forget: true })
    expect(decide({ token: 't', userType: null }, false, at('/wel/index'))).toEqual({ kind: 'redirect', to: '/login', forget: true })
  })
  it('[S2.22] opens every other page', () => {
    expect(decide(staff, false, at('/system/param', '?size=30'))).toEqual({ kind: 'allow' })
  })
  it('[S2.23] opens only public pages without a token, and comes back after the login', () => {
    expect(['/login', '/403', '/404', '/500', '/register', '/register/sms'].map(path => decide(nobody, false, at(path)).kind)).toEqual(
      Array(6).fill('allow'),
    )
    expect(decide(nobody, false, at('/'))).toEqual({ kind: 'redirect', to: '/login' })
    expect(decide(nobody, false, at('/lock'))).toEqual({ kind: 'redirect', to: '/login' })
    expect(decide(nobody, false, at('/system/param', '?size=30'))).toEqual({
      kind: 'redirect',
      to: '/login?redirect=%2Fsystem%2Fparam%3Fsize%3D30',
    })
  })
  it('[S2.23] knows the addresses of all pages and menus, and which are none', () => {
    expect(['/registers', '/public', '/foo/bar', '/loginx'].filter(isOwnPath)).toEqual([])
    const declared = Object.values(sources).flatMap(text =>
      [...text.matchAll(/(?:\b(?:path|menuPath): |\[)'(\/(?!blade-)[^']+)'/g)].map(([, path]) => path ?? ''),
    )
    expect(declared.length).toBeGreaterThan(90)
    expect(declared.filter(path => !isOwnPath(path))).toEqual([])
  })
  it('[S2.01] chooses the program by session and path', () => {
    expect([
      entryOf(nobody, '/login'),
      entryOf(nobody, '/register'),
      entryOf(staff, '/wel/index'),
      entryOf(candidate, '/signup/examList'),
    ]).toEqual(['login', 'portal', 'console', 'portal'])
  })
})
