import { api } from './api.ts'
import { encrypt } from './cipher.ts'
import type { TokenAnswer } from './session.ts'

/** One call for all ways to log in. */
export const askToken = (
  fields: () => Promise<Record<string, string>>,
  headers: Record<string, string>,
  quiet = false,
): Promise<TokenAnswer> =>
  api.request<TokenAnswer>({
    method: 'POST',
    path: '/blade-auth/oauth/token',
    answer: 'bare',
    quiet,
    headers,
    body: async () => new URLSearchParams({ scope: 'all', ...(await fields()) }),
  })

export interface PasswordLogin {
  readonly account: string
  readonly password: string
  readonly captchaKey: string
  readonly captchaCode: string
}

export const logInByPassword = (of: PasswordLogin, quiet = false): Promise<TokenAnswer> =>
  askToken(
    async () => ({ grant_type: 'captcha', username: of.account, password: await encrypt(of.password), type: 'account' }),
    { 'Captcha-Key': of.captchaKey, 'Captcha-Code': of.captchaCode },
    quiet,
  )
