import { create } from 'zustand'
import { onStored, readCookie, readStored, writeCookie, writeStored } from './storage.ts'

/** 1 member of staff, 2 candidate, 3 service account (domain 2.1). */
export type UserType = 1 | 2 | 3

/** Who is logged in (S3.07), without the tokens. */
export interface SessionUser {
  readonly userId: string
  readonly account: string
  readonly realName: string
  readonly nickName: string
  readonly roleIds: readonly string[]
  /** Role aliases such as `exam_admin`; the wire calls the joined list `role_name`. */
  readonly roles: readonly string[]
  readonly deptId: string
  readonly avatar: string
  readonly tenantId: string
  readonly oauthId: string
  readonly userType: UserType
  /** Unit, school or site code of a member of staff, candidate number of a candidate. */
  readonly userCode: string
}

/** The flat answer of the token call (framework-contract 2.2). */
export interface TokenAnswer {
  readonly access_token: string
  readonly user_id: string
  readonly account: string
  readonly real_name?: string
  readonly nick_name?: string
  readonly role_id?: string
  readonly role_name?: string
  readonly dept_id?: string
  readonly avatar?: string
  readonly tenant_id: string
  readonly oauth_id?: string
  /** Until the one-time password is changed every other call is refused. */
  readonly password_due?: boolean
  readonly detail?: { readonly userType?: number | string; readonly userCode?: string | null }
}

export interface Session {
  readonly user: SessionUser | null
  readonly token: string | null
  /** When the token was given, epoch milliseconds; its age decides on renewal (S4.05). */
  readonly tokenAtMs: number
  readonly locked: boolean
  /** Where this tab of the browser goes back to when it is unlocked. */
  readonly lockedAt: string | null
  /** `server`: the server said so, as after half an hour without work; then the login password opens it (decision 4.7). */
  readonly lockedBy: 'person' | 'server' | null
}

interface Stored {
  readonly user: SessionUser
  readonly tokenAtMs: number
  readonly locked: boolean
  readonly lockedBy: Session['lockedBy']
}

const tokenCookie = 'access-token'
const staffCookie = undefined // ends with the browser
const candidateCookieS = 7 * 24 * 3600
const nobody: Session = { user: null, token: null, tokenAtMs: 0, locked: false, lockedAt: null, lockedBy: null }

const placeKey = 'kaopu-locked-at'
/** Each tab goes back to its own page, so this is kept per tab. */
const place = {
  read: (): string | null => {
    try {
      return sessionStorage.getItem(placeKey)
    } catch {
      return null
    }
  },
  write: (path: string | null): void => {
    try {
      if (path === null) sessionStorage.removeItem(placeKey)
      else sessionStorage.setItem(placeKey, path)
    } catch {
      // The home page is then where it goes on.
    }
  },
}

const load = (): Session => {
  const stored = readStored<Stored>('session')
  const token = readCookie(tokenCookie)
  return stored === null || token === null ? nobody : { ...stored, token, lockedAt: stored.locked ? place.read() : null }
}

/** The session of this page; components read it with a selector: `useSession(s => s.user)`. */
export const useSession = create<Session>(() => nobody)

const list = (joined: string | undefined): readonly string[] => (joined ?? '').split(',').filter(part => part !== '')

export const userOf = (answer: TokenAnswer): SessionUser => ({
  userId: String(answer.user_id),
  account: answer.account,
  realName: answer.real_name ?? '',
  nickName: answer.nick_name || answer.real_name || answer.account,
  roleIds: list(answer.role_id),
  roles: list(answer.role_name),
  deptId: answer.dept_id ?? '',
  avatar: answer.avatar ?? '',
  tenantId: answer.tenant_id,
  oauthId: answer.oauth_id ?? '',
  userType: ([2, 3] as const).find(type => type === Number(answer.detail?.userType)) ?? 1,
  userCode: answer.detail?.userCode ?? '',
})

const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel('kaopu-session')

/** Keeps the session for all tabs of the browser; pages use what is exported for them. */
export const storeSession = (session: Session): void => {
  const { user, token, lockedAt, ...rest } = session
  place.write(lockedAt)
  writeCookie(tokenCookie, token, user?.userType === 2 ? candidateCookieS : staffCookie)
  writeStored('session', user === null ? null : { user, ...rest })
  useSession.setState(session)
  channel?.postMessage('changed')
}

/** Runs when the person leaves: stores that hold a person's data clear themselves here (S4.04). */
const forgetters = new Set<() => void>()
export const onForget = (forget: () => void): (() => void) => {
  forgetters.add(forget)
  return () => forgetters.delete(forget)
}

/** The same person with a new token; lock and tabs stay. */
export const renew = (answer: TokenAnswer): void =>
  storeSession({ ...useSession.getState(), user: userOf(answer), token: answer.access_token, tokenAtMs: Date.now() })

/** Stores let go of what they hold of a person, or of a person's former roles. */
export const forgetAll = (): void => {
  for (const forget of forgetters) forget()
}

/** S4.04: clears token, menus, roles and tabs in every tab of the browser. The server is told by the caller. */
export const forgetSession = (): void => {
  forgetAll()
  storeSession(nobody)
}

const currentPlace = (): string | null => (location.pathname === '/lock' ? place.read() : location.pathname + location.search)

/** All tabs of the browser follow. */
export const lock = (by: 'person' | 'server'): void =>
  storeSession({ ...useSession.getState(), locked: true, lockedAt: currentPlace(), lockedBy: by })

/** The session as the cookie and the storage have it now: another tab may have renewed it. */
export const reloadSession = (): Session => {
  const session = load()
  useSession.setState(session)
  return session
}

/**
 * Call once per page. `changedPerson` runs when another tab logged out, chose other roles, or somebody else logged in: this page then shows data of
 * a person who is gone and has to start anew.
 */
export const startSession = (changedPerson: () => void): Session => {
  const heard = () => {
    const before = useSession.getState()
    const stored = readStored<Stored>('session')
    if (stored?.locked && !before.locked) place.write(currentPlace())
    const now = reloadSession()
    const worksAs = (session: Session) => [session.user?.userId, session.user?.deptId, session.user?.roleIds.join()].join('|')
    // Another person, or the same one with other roles: what this page shows and offers is not theirs any more.
    if (worksAs(before) !== worksAs(now)) {
      forgetAll()
      changedPerson()
    }
  }
  channel?.addEventListener('message', heard)
  onStored('session', heard)
  return reloadSession()
}

/** The tenant of calls without a session: the address, then what this browser remembers (decisions 1.5, 3.10). */
export const tenantId = (): string | null => {
  const named = new URLSearchParams(location.search).get('tenantId')
  if (named !== null && /^\d{6}$/.test(named)) {
    setTenantId(named)
    return named
  }
  return readStored<string>('tenant')
}

export const setTenantId = (id: string): void => writeStored('tenant', id)
