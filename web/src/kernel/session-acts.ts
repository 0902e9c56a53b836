import { forgetAll, type SessionUser, setTenantId, storeSession, type TokenAnswer, userOf, useSession } from './session.ts'

/** What only some programs do with a session: the portal's first page carries what all of them do (ADR 0014). */

/** S4.03: keeps token, tenant and user, clears what an earlier person left (tabs, menus) and the lock. */
export const logIn = (answer: TokenAnswer): SessionUser => {
  forgetAll()
  const user = userOf(answer)
  setTenantId(user.tenantId)
  storeSession({ user, token: answer.access_token, tokenAtMs: Date.now(), locked: false, lockedAt: null, lockedBy: null })
  return user
}

export const unlock = (): void => storeSession({ ...useSession.getState(), locked: false, lockedAt: null, lockedBy: null })

/** What the person has changed about themselves shows in the header at once. */
export const changeUser = (changed: Partial<Pick<SessionUser, 'avatar' | 'nickName' | 'realName'>>): void => {
  const session = useSession.getState()
  if (session.user !== null) storeSession({ ...session, user: { ...session.user, ...changed } })
}
