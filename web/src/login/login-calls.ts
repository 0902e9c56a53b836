import { api } from '../kernel/api.ts'
import { encrypt } from '../kernel/cipher.ts'
import type { TokenAnswer } from '../kernel/session.ts'
import { tenantId } from '../kernel/session.ts'
import { settings } from '../kernel/settings.ts'

export interface Captcha {
  readonly key: string
  /** Data URL. */
  readonly image: string
}

export const getCaptcha = (signal: AbortSignal): Promise<Captcha> =>
  api.request<Captcha>({ method: 'GET', path: '/blade-auth/oauth/captcha', answer: 'bare', signal })

export interface TenantInfo {
  readonly tenantId?: string
  readonly backgroundUrl?: string
}

/** The tenant that serves this host; an address with `?tenantId=` and an earlier choice come first (decision 3.10). */
export const findTenant = (): Promise<TenantInfo | null> =>
  api.request<TenantInfo | null>({
    method: 'GET',
    path: '/blade-system/tenant/info',
    query: { domain: location.origin },
    quiet: true,
  })

const currentTenant = (): string => tenantId() ?? settings.defaultTenantId

const token = (fields: () => Promise<Record<string, string>>, headers: Record<string, string>): Promise<TokenAnswer> =>
  api.request<TokenAnswer>({
    method: 'POST',
    path: '/blade-auth/oauth/token',
    answer: 'bare',
    headers: { 'Tenant-Id': currentTenant(), ...headers },
    body: async () => new URLSearchParams({ scope: 'all', tenantId: currentTenant(), ...(await fields()) }),
  })

export const logInByPassword = (of: { account: string; password: string; captchaKey: string; captchaCode: string }): Promise<TokenAnswer> =>
  token(async () => ({ grant_type: 'captcha', username: of.account, password: await encrypt(of.password), type: 'account' }), {
    'Captcha-Key': of.captchaKey,
    'Captcha-Code': of.captchaCode,
  })

/** @returns the id under which the code is checked */
export const sendSmsCode = async (phone: string, headers: Record<string, string>): Promise<string> => {
  const sent = await api.request<{ id: string }>({
    method: 'POST',
    path: '/blade-auth/oauth/sms/send-validate',
    headers: { 'Tenant-Id': currentTenant(), ...headers },
    body: async () => new URLSearchParams({ tenantId: currentTenant(), phone: await encrypt(phone) }),
  })
  return sent.id
}

export const logInBySms = (of: { phone: string; id: string; value: string }): Promise<TokenAnswer> =>
  token(async () => ({ grant_type: 'sms_code', phone: await encrypt(of.phone), id: of.id, value: of.value }), {})
