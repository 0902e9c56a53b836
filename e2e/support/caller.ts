import { sm2Encrypt } from '#kernel/crypto/sm2.ts'
import { testCaptcha } from './server.ts'
import { ownTenant } from './tenant.ts'

const basic = `Basic ${Buffer.from('kaopu-web:kaopu-web').toString('base64')}`

/** A program that calls the server without a browser. */
export interface Caller {
  /** @returns the HTTP status and the envelope. @throws when no answer came back */
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape -- parsing border
  post(path: string, body: object, key?: string): Promise<{ readonly status: number; readonly body: any }>
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape -- parsing border
  get(path: string, query?: Readonly<Record<string, string>>): Promise<any>
}

const callerWith = (url: string, headers: Readonly<Record<string, string>>): Caller => ({
  post: async (path, body, key) => {
    const response = await fetch(`${url}/api${path}`, {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/json', ...(key === undefined ? {} : { 'Idempotency-Key': key }) },
      body: JSON.stringify(body),
    })
    return { status: response.status, body: await response.json() }
  },
  get: async (path, query = {}) => (await fetch(`${url}/api${path}?${new URLSearchParams(query)}`, { headers })).json(),
})

/** The token of a person who logs in with the account's password, as the login page does. */
export const logInAs = async (url: string, account: string, password: string): Promise<string> => {
  const guest = callerWith(url, { Authorization: basic, 'Tenant-Id': ownTenant() })
  const { data } = await guest.get('/blade-auth/oauth/public-key')
  const { key } = await guest.get('/blade-auth/oauth/captcha')
  const query = new URLSearchParams({
    grant_type: 'captcha',
    username: account,
    password: sm2Encrypt(data.publicKey, password),
    scope: 'all',
  })
  const response = await fetch(`${url}/api/blade-auth/oauth/token?${query}`, {
    method: 'POST',
    headers: { Authorization: basic, 'Tenant-Id': ownTenant(), 'captcha-key': key, 'captcha-code': testCaptcha },
  })
  const answer = (await response.json()) as { access_token?: string }
  if (answer.access_token === undefined) throw new Error(`${account} cannot log in: ${JSON.stringify(answer)}`)
  return answer.access_token
}

export const callAs = (url: string, token: string): Caller => callerWith(url, { Authorization: basic, 'Blade-Auth': `bearer ${token}` })
