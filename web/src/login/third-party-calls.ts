import { type ApiOutput, api } from '../kernel/api.ts'
import { encrypt } from '../kernel/cipher.ts'
import { type TokenAnswer, tenantId } from '../kernel/session.ts'
import * as settings from '../kernel/settings.ts'

/** The header of a call for a tenant that is known otherwise than by the address or this browser. */
export const ofTenant = (tenant: string | null): Record<string, string> => (tenant === null ? {} : { 'Tenant-Id': tenant })

/** What the login page of this tenant offers. */
export type Doors = ApiOutput<'GET /blade-auth/oauth/doors'>

/** @param tenant - null where the address and this browser name none: the server then goes by the host */
export const getDoors = (tenant: string | null): Promise<Doors> =>
  api.call('GET /blade-auth/oauth/doors', {}, { headers: ofTenant(tenant), quiet: true })

/** A page that is left for a provider; the way goes on there after the login. */
const afterKey = 'kaopu-after-login'
export const keepWay = (path: string): void => {
  try {
    sessionStorage.setItem(afterKey, path)
  } catch {
    // It then goes on at the home page.
  }
}
export const takeWay = (): string | null => {
  try {
    const path = sessionStorage.getItem(afterKey)
    sessionStorage.removeItem(afterKey)
    return path
  } catch {
    return null
  }
}

/** The tenant is the part of the state before the point; the server made it. */
export const tenantOfState = (state: string): string | null => /^(\d{6})\./.exec(state)?.[1] ?? tenantId()

/** Whom a provider has let through: an account here, or a guest. */
export const isGuest = (answer: TokenAnswer): boolean => answer.user_id === '' || answer.user_id.startsWith('-')

const grants = { social: 'social', sso: 'authorization_code' } as const

/** S7.12: the second half of a login by a provider. */
export const logInByProvider = async (of: { source: string; code: string; state: string }): Promise<TokenAnswer> => {
  const tenant = tenantOfState(of.state)
  const doors = await getDoors(tenant)
  const kind = doors.thirdParty.find(door => door.source === of.source)?.kind ?? 'social'
  return api.request<TokenAnswer>({
    method: 'POST',
    path: '/blade-auth/oauth/token',
    answer: 'bare',
    headers: ofTenant(tenant),
    body: new URLSearchParams({
      grant_type: grants[kind],
      scope: 'all',
      source: of.source,
      code: of.code,
      state: of.state,
      ...(kind === 'sso' ? { redirect_uri: `${location.origin}/oauth/redirect/${of.source}` } : {}),
    }),
  })
}

export interface GuestInput {
  readonly tenantId: string
  readonly name: string
  readonly account: string
  readonly password: string
  readonly password2: string
}

/** A guest's token opens nothing but these two calls, so it is not kept as a session. */
const asGuest = (guest: TokenAnswer) => ({ 'Blade-Auth': `bearer ${guest.access_token}`, 'Tenant-Id': guest.tenant_id })

/** S7.13. Failures are the caller's to show (S8.07). */
export const registerGuest = (guest: TokenAnswer, input: GuestInput): Promise<unknown> =>
  api.call(
    'POST /blade-system/user/register-guest',
    async () => {
      const [password, password2] = await Promise.all([encrypt(input.password), encrypt(input.password2)])
      return { ...input, password, password2, ...(guest.oauth_id ? { oauthId: guest.oauth_id } : {}) }
    },
    { headers: asGuest(guest), quiet: true },
  )

export const leaveAsGuest = async (guest: TokenAnswer): Promise<void> => {
  try {
    await api.call('GET /blade-auth/oauth/logout', {}, { headers: asGuest(guest), quiet: true, timeoutMs: settings.leaveTimeoutMs })
  } catch {
    // The guest's token ends by itself.
  }
}
