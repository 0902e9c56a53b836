import type { BrowserContext } from 'playwright-core'
import { sm2Encrypt } from '#kernel/crypto/sm2.ts'
import { testCaptcha } from './server.ts'
import { ownTenant } from './tenant.ts'

/** What the web keeps of a session beside the token (web/src/kernel/session.ts). */
export interface SessionUser {
  readonly userId: string
  readonly account: string
  readonly realName: string
  readonly nickName: string
  readonly roleIds: readonly string[]
  readonly roles: readonly string[]
  readonly deptId: string
  readonly avatar: string
  readonly tenantId: string
  readonly oauthId: string
  readonly userType: number
  readonly userCode: string
}

const list = (joined = ''): string[] => joined.split(',').filter(part => part !== '')

/** Puts a session into the browser as the login page leaves it: the token's cookie and the entry of the storage. */
export const keepSession = async (context: BrowserContext, url: string, token: string, user: SessionUser): Promise<void> => {
  await context.addCookies([{ name: 'kaopu-access-token', value: encodeURIComponent(token), url, sameSite: 'Strict' }])
  const [page = await context.newPage()] = context.pages()
  // The storage belongs to the origin: an empty page of it is enough.
  const empty = new URL('/empty-page-of-the-tests', url).href
  await page.route(empty, route => route.fulfill({ contentType: 'text/html', body: '<link rel="icon" href="data:,">' }), { times: 1 })
  await page.goto(empty)
  const session = { user, tokenAtMs: Date.now(), locked: false, lockedBy: null }
  const entries = { session: JSON.stringify(session), tenant: JSON.stringify(user.tenantId) }
  await page.evaluate(`Object.entries(${JSON.stringify(entries)}).forEach(([name, value]) => localStorage.setItem('kaopu-' + name, value))`)
}

/** Logs in with the account's password by the calls of the login page; the refresh cookie lands in the browser too. */
export const openSession = async (context: BrowserContext, account: string, password: string): Promise<void> => {
  const headers = { Authorization: `Basic ${Buffer.from('kaopu-web:kaopu-web').toString('base64')}`, 'Tenant-Id': ownTenant() }
  const { request } = context
  const { data } = await (await request.get('/api/blade-auth/oauth/public-key', { headers })).json()
  const { key } = await (await request.get('/api/blade-auth/oauth/captcha', { headers })).json()
  const response = await request.post('/api/blade-auth/oauth/token', {
    params: { grant_type: 'captcha', username: account, password: sm2Encrypt(data.publicKey, password), scope: 'all' },
    headers: { ...headers, 'captcha-key': key, 'captcha-code': testCaptcha },
  })
  const answer = await response.json()
  if (answer.access_token === undefined) throw new Error(`${account} cannot log in: ${JSON.stringify(answer)}`)
  await keepSession(context, new URL(response.url()).origin, answer.access_token, {
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
    userType: Number(answer.detail?.userType ?? 1),
    userCode: answer.detail?.userCode ?? '',
  })
}
