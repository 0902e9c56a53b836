import { type ApiOutput, api } from '../kernel/api.ts'
import { askToken } from '../kernel/ask-token.ts'
import { encrypt } from '../kernel/cipher.ts'
import type { TokenAnswer } from '../kernel/session.ts'
import { tenantId } from '../kernel/session.ts'

export interface Captcha {
  readonly key: string
  /** Data URL. */
  readonly image: string
}

// No call here says whose it is: every call carries the tenant that the address or this browser names, and without one the server goes by the host.

export const getCaptcha = (signal: AbortSignal, quiet = false): Promise<Captcha> =>
  api.request<Captcha>({ method: 'GET', path: '/blade-auth/oauth/captcha', answer: 'bare', signal, quiet })

/** The tenant named by the address or remembered, else the one that serves this host (decision 3.10), with its title (S1.07). */
export const findTenant = (): Promise<ApiOutput<'GET /blade-system/tenant/info'>> => {
  const named = tenantId()
  return api.call(
    'GET /blade-system/tenant/info',
    { domain: location.origin, ...(named === null ? {} : { tenantId: named }) },
    { quiet: true },
  )
}

/** S7.06, grant `register`. There is never a token: failures, and that it waits, are the caller's to show. */
export const registerStaff = (of: {
  account: string
  name: string
  phone: string
  password: string
  captchaKey: string
  captchaCode: string
}): Promise<TokenAnswer> =>
  askToken(
    async () => ({
      grant_type: 'register',
      account: of.account,
      name: of.name,
      phone: await encrypt(of.phone),
      password: await encrypt(of.password),
    }),
    { 'Captcha-Key': of.captchaKey, 'Captcha-Code': of.captchaCode },
    true,
  )

export const logInBySms = (of: { phone: string; id: string; value: string }): Promise<TokenAnswer> =>
  askToken(async () => ({ grant_type: 'sms_code', phone: await encrypt(of.phone), id: of.id, value: of.value }), {})
