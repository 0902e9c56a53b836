import { sql } from '#kernel/db/sql.ts'
import type { RoleAlias } from '../../seed/base/menus.ts'
import type { Answer, TestApp, TestTenant } from './app.ts'
import { logInByPassword, sealFor, staffWithPassword, testPassword } from './login.ts'
import { createSerial } from './serial.ts'

/** What a browser keeps of a login. */
export interface Tab {
  readonly token: string
  /** The refresh cookie as the browser sends it back. */
  readonly cookie: string
  readonly userId: string
}
const cookieOf = (answer: Answer): string =>
  String([answer.headers['set-cookie'] ?? []].flat().find(line => String(line).startsWith('kaopu-refresh-token='))).split(';')[0] ?? ''
export const tabOf = (answer: Answer): Tab => ({
  token: answer.body.access_token,
  cookie: cookieOf(answer),
  userId: answer.body.user_id,
})

const nextCall = createSerial()
/** Another address for each call: limits by address are not what these tests are about. */
const address = (): string => {
  const calls = nextCall()
  return `10.${(calls >> 16) & 255}.${(calls >> 8) & 255}.${calls & 255}`
}

export interface Logins {
  seal(plain: string): string
  /** A member of staff with the test password and no session; their name to log in with. */
  account(roles?: RoleAlias | readonly RoleAlias[]): Promise<{ readonly userId: string; readonly name: string }>
  logIn(at: TestApp, name: string, plain: string): Promise<Answer>
  /** Logged in with the right password. */
  tab(at: TestApp, name: string): Promise<Tab>
  refresh(at: TestApp, tab: Tab): Promise<Answer>
  get(at: TestApp, tab: Tab, path?: string): Promise<Answer>
  post(at: TestApp, tab: Tab, path: string, json?: object): Promise<Answer>
}

/** People of a tenant who log in through the door that browsers use. */
export const loginsOf = (app: TestApp, tenant: TestTenant): Logins => {
  const seal = (plain: string): string => sealFor(app, plain)
  const as = (tab: Tab) => ({ headers: { 'blade-auth': `bearer ${tab.token}` } })
  const logIn = (at: TestApp, name: string, plain: string): Promise<Answer> =>
    logInByPassword(at, tenant.tenantId, name, plain, { ip: address() })
  return {
    seal,
    logIn,
    account: async (roles = 'reviewer1') => {
      const { userId, account: name } = await staffWithPassword(app, tenant, roles)
      // The session of the factory would be one more than the test opens.
      await tenant.db(db => db.run(sql`delete from session where user_id = ${userId}`))
      return { userId, name }
    },
    tab: async (at, name) => {
      const answer = await logIn(at, name, testPassword)
      if (answer.status !== 200) throw new Error(`${name} cannot log in: ${JSON.stringify(answer.body)}`)
      return tabOf(answer)
    },
    refresh: (at, tab) =>
      at.anonymous(tenant.tenantId).post('/blade-auth/oauth/token', {
        form: { grant_type: 'refresh_token' },
        headers: { cookie: tab.cookie, 'sec-fetch-site': 'same-origin' },
      }),
    get: (at, tab, path = '/blade-auth/oauth/user-info') => at.anonymous().get(path, as(tab)),
    post: (at, tab, path, json = {}) => at.anonymous().post(path, { json, ...as(tab) }),
  }
}
