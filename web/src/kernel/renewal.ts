import { ApiError } from './api-error.ts'
import { translate } from './i18n/index.ts'
import { notify } from './notify.ts'
import { jsonOf, newKey, send } from './send.ts'
import { forgetSession, reloadSession, renew, type TokenAnswer, useSession } from './session.ts'

let leaving = false
/**
 * S8.03: one message, the session is removed, and the page starts again at /login.
 * @returns what the call that found it out throws
 */
export const expire = (): ApiError => {
  const message = translate('error.tokenExpired')
  if (!leaving) {
    leaving = true
    notify('error', message)
    const back = location.pathname + location.search
    forgetSession()
    setTimeout(() => location.assign(`/login?redirect=${encodeURIComponent(back)}`), 1_200)
  }
  return new ApiError({ code: 401, status: 401, message })
}

let refreshing: Promise<boolean> | null = null
/** With a choice the session goes on with these roles and departments (S6.07). */
export const requestNewToken = async (usedToken: string | null, choice: Readonly<Record<string, string>> = {}): Promise<boolean> => {
  const now = reloadSession()
  if (now.user === null) return false
  if (now.token !== usedToken && Object.keys(choice).length === 0) return true // another tab was faster
  const answer = await send(
    {
      method: 'POST',
      path: '/blade-auth/oauth/token',
      query: { grant_type: 'refresh_token', scope: 'all', tenantId: now.user.tenantId },
      headers: { 'Tenant-Id': now.user.tenantId, ...choice },
    },
    newKey(),
  )
  const json = await jsonOf(answer)
  if (answer.status !== 200 || typeof json?.['access_token'] !== 'string') return false
  renew(json as unknown as TokenAnswer)
  return true
}

/** One at a time for all tabs where the browser has locks, else for this page. */
export const exclusively = async (ask: () => Promise<boolean>): Promise<boolean> => {
  if (navigator.locks !== undefined) return navigator.locks.request('kaopu-refresh', ask)
  await refreshing
  return ask()
}

/**
 * One renewal at a time for all calls of the page, and of all tabs where the browser has locks (S8.02); the refresh token is an
 * HttpOnly cookie.
 * @returns whether there is a new token
 */
export const refreshToken = (): Promise<boolean> => {
  const used = useSession.getState().token
  refreshing ??= exclusively(() => requestNewToken(used)).finally(() => {
    refreshing = null
  })
  return refreshing
}
