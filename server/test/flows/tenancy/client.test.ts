import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { grantTypes } from '#contract/tenancy/client.resource.ts'
import { sql } from '#kernel/db/sql.ts'
import { seedBase } from '../../../seed/base/seed-base.ts'
import { type Answer, type Person, startTestApp, type TestApp, type TestTenant, testCaptcha } from '../../support/app.ts'
import { sealFor } from '../../support/login.ts'

const at = '/blade-system/client'
let t: TestApp
let operator: Person
let tenant: TestTenant
let account: string
beforeAll(async () => {
  t = await startTestApp()
  operator = await t.platform().staff('administrator')
  tenant = await t.tenant()
  const person = await tenant.staff('finance')
  const hash = await t.app.services.passwords.hash('old river stone 9')
  await tenant.db(db => db.run(sql`update account set password_hash = ${hash} where id = ${person.userId}`))
  account = (await tenant.rows(sql<{ account: string }>`select account from account where id = ${person.userId}`))[0]?.account ?? ''
})
afterAll(() => t.close())

const basic = (id: string, secret: string) => ({ authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}` })
const login = async (id: string, secret: string): Promise<Answer> => {
  await t.app.catchUp()
  const guest = t.anonymous(tenant.tenantId)
  const { body } = await guest.get('/blade-auth/oauth/captcha')
  return guest.post('/blade-auth/oauth/token', {
    query: { grant_type: 'captcha', username: account, password: sealFor(t, 'old river stone 9') },
    headers: { ...basic(id, secret), 'captcha-key': body.key, 'captcha-code': testCaptcha },
  })
}
const statusOf = async (token: string) => {
  await t.app.catchUp()
  return (await t.anonymous().get('/blade-system/user/info', { headers: { 'blade-auth': `bearer ${token}` } })).status
}
const desk = {
  clientId: 'desk-app',
  clientName: '窗口程序',
  authorizedGrantTypes: 'captcha',
  accessTokenValidity: 600,
  refreshTokenValidity: 3600,
  isOpen: 1,
}

test('[S7.06][S7.15] a client is made, gets a secret that is shown once, and its tokens live as long as it says', async () => {
  const { id } = (await operator.post(`${at}/submit`, { json: desk })).body.data
  expect((await login('desk-app', '')).body).toMatchObject({ error: 'invalid_client', error_code: 2912 })
  const first = (await operator.post(`${at}/renew-secret`, { json: { id } })).body.data
  expect(first).toEqual({ clientId: 'desk-app', clientSecret: expect.stringMatching(/^[\w-]{43}$/) })
  const opened = await login('desk-app', first.clientSecret)
  expect(opened.body).toMatchObject({ client_id: 'desk-app', expires_in: 600, account })
  const rows = await tenant.rows(sql<object>`
    select client_id, extract(epoch from access_until - created_at)::int as access, extract(epoch from refresh_until - created_at)::int as refresh from session where client_id = 'desk-app'`)
  expect(rows).toEqual([{ client_id: 'desk-app', access: 600, refresh: 3600 }])
  // The secret is in no answer and no audit line; the one before a renewal is worth nothing.
  const detail = await operator.get(`${at}/detail`, { query: { id } })
  expect([detail.body.data.secretState, detail.raw.includes(first.clientSecret)]).toEqual([1, false])
  const traces = await t.platform().rows(sql<{ text: string }>`select after_value::text as text from audit_log where entity = 'client'`)
  expect(traces.some(line => line.text?.includes(first.clientSecret))).toBe(false)
  const second = (await operator.post(`${at}/renew-secret`, { json: { id } })).body.data
  expect((await login('desk-app', first.clientSecret)).status).toBe(400)
  expect((await login('desk-app', second.clientSecret)).status).toBe(200)

  await operator.post(`${at}/submit`, { json: { id, authorizedGrantTypes: 'sms_code' } })
  expect((await login('desk-app', second.clientSecret)).body).toMatchObject({ error: 'unsupported_grant_type', error_code: 2913 })
  expect(await statusOf(opened.body.access_token)).toBe(200)
  await operator.post(`${at}/submit`, { json: { id, isOpen: 0 } })
  expect(await statusOf(opened.body.access_token)).toBe(401)
  expect((await login('desk-app', second.clientSecret)).body.error).toBe('invalid_client')
  // Opened again, it begins anew: what was over stays over, also where the closing could not be written to the sessions.
  await tenant.db(db => db.run(sql`update session set ended_at = null, end_reason = null where client_id = 'desk-app'`))
  expect(await statusOf(opened.body.access_token)).toBe(401)
  await operator.post(`${at}/submit`, { json: { id, isOpen: 1 } })
  expect(await statusOf(opened.body.access_token)).toBe(401)
  await operator.post(`${at}/submit`, { json: { id, isOpen: 0 } })
  expect((await operator.post(`${at}/remove`, { query: { ids: id } })).body.data).toEqual({ removed: 1 })
})

test('the program’s own client stays, keeps its grants and has no secret of its own; only its times change', async () => {
  const [own] = (await operator.get(`${at}/list`, { query: { clientId: 'kaopu-web' } })).body.data.records
  const refused = [
    await operator.post(`${at}/submit`, { json: { id: own.id, authorizedGrantTypes: 'captcha' } }),
    await operator.post(`${at}/submit`, { json: { id: own.id, isOpen: 0 } }),
    await operator.post(`${at}/submit`, { json: { id: own.id, clientId: 'other-web' } }),
    await operator.post(`${at}/remove`, { query: { ids: own.id } }),
    await operator.post(`${at}/renew-secret`, { json: { id: own.id } }),
  ]
  expect(refused.map(answer => answer.status)).toEqual([409, 409, 409, 409, 409])
  expect((await operator.post(`${at}/submit`, { json: { id: own.id, accessTokenValidity: 1800 } })).status).toBe(200)
  expect((await login('kaopu-web', 'kaopu-web')).body.expires_in).toBe(1800)
  expect((await operator.post(`${at}/submit`, { json: { id: own.id, accessTokenValidity: 7200 } })).body.data.fields).toMatchObject([
    { field: 'accessTokenValidity' },
  ])
  expect(
    (await operator.post(`${at}/submit`, { json: { ...desk, clientId: 'x-app', authorizedGrantTypes: 'client_credentials' } })).status,
  ).toBe(400)
})

test('[S7.06][21.10] another program gets the refresh token in the body and no cookie; our own pages get it in the cookie alone', async () => {
  const { id } = (
    await operator.post(`${at}/submit`, { json: { ...desk, clientId: 'api-app', authorizedGrantTypes: 'captcha,refresh_token' } })
  ).body.data
  const { clientSecret } = (await operator.post(`${at}/renew-secret`, { json: { id } })).body.data
  const refresh = (client: string, secret: string, token: string, headers: Record<string, string> = {}) =>
    t.anonymous(tenant.tenantId).post('/blade-auth/oauth/token', {
      form: { grant_type: 'refresh_token', refresh_token: token },
      headers: { ...basic(client, secret), ...headers },
    })
  const cookies = (answer: Answer): string => String([answer.headers['set-cookie'] ?? []].flat())
  const first = await login('api-app', clientSecret)
  expect([first.status, first.body.refresh_token]).toEqual([200, expect.stringMatching(/^[\w-]{43}$/)])
  expect(cookies(first)).not.toContain('kaopu-refresh-token')
  const second = await refresh('api-app', clientSecret, first.body.refresh_token)
  expect([second.status, second.body.refresh_token]).toEqual([200, expect.stringMatching(/^[\w-]{43}$/)])
  expect(second.body.refresh_token).not.toBe(first.body.refresh_token)
  expect(cookies(second)).not.toContain('kaopu-refresh-token')
  expect(await statusOf(second.body.access_token)).toBe(200)
  // It belongs to that program, and none of it opens the door of the pages.
  expect((await refresh('kaopu-web', 'kaopu-web', second.body.refresh_token)).body.error).toBe('invalid_refresh_token')

  const web = await login('kaopu-web', 'kaopu-web')
  expect([web.status, web.body.refresh_token]).toEqual([200, ''])
  const cookie = /kaopu-refresh-token=[\w-]{43}/.exec(cookies(web))?.[0] ?? ''
  const again = await refresh('kaopu-web', 'kaopu-web', '', { cookie, 'sec-fetch-site': 'same-origin' })
  expect([again.status, again.body.refresh_token, /kaopu-refresh-token=[\w-]{43}/.test(cookies(again))]).toEqual([200, '', true])
})

test('a grant that came with a new release reaches the web of an installation that is there already, other clients keep theirs', async () => {
  const grants = () =>
    t
      .platform()
      .rows(sql<object>`select client_id as id, authorized_grant_types as grants from oauth_client where not is_deleted order by client_id`)
  const before = await grants()
  await t.platform().db(db => db.run(sql`update oauth_client set authorized_grant_types = 'captcha' where client_id = 'kaopu-web'`))
  await seedBase(t.app.services.scopes, t.clock.now())
  expect(await grants()).toEqual(before)
  expect(before).toContainEqual({ id: 'kaopu-web', grants: grantTypes.join(',') })
})

test('hundreds who log in at the same moment look for client and tenant once, not each for themselves', async () => {
  const own = await t.tenant()
  t.app.modules.auth.cache.dropAll()
  t.app.modules.tenancy.clearCache()
  const looks = vi.spyOn(t.app.services.scopes, 'asPlatform')
  const guest = t.anonymous(own.tenantId)
  const answers = await Promise.all(
    Array.from({ length: 100 }, () =>
      guest.post('/blade-auth/oauth/token', { form: { grant_type: 'captcha', username: 'x', password: 'y' } }),
    ),
  )
  const why = looks.mock.calls.map(([because]) => because)
  looks.mockRestore()
  expect(new Set(answers.map(answer => answer.body.error))).toEqual(new Set(['invalid_captcha']))
  expect(why.filter(because => because.includes('clients') || because.includes('by its address'))).toHaveLength(2)
})

test('[S7.15] the other fields of a client row of the framework are kept as they were written, and the secret is in no answer', async () => {
  const kept = {
    scope: 'all',
    webServerRedirectUri: 'https://desk.example.cn/back,https://desk.example.cn/other',
    autoapprove: 'false',
    resourceIds: 'desk',
    authorities: 'read',
    additionalInformation: '{"note":"窗口"}',
  }
  const { id } = (await operator.post(`${at}/submit`, { json: { ...desk, clientId: 'desk-kept', ...kept } })).body.data
  expect((await operator.get(`${at}/detail`, { query: { id } })).body.data).toMatchObject({ clientId: 'desk-kept', ...kept })
  const plain = (await operator.post(`${at}/submit`, { json: { ...desk, clientId: 'desk-plain' } })).body.data
  expect((await operator.get(`${at}/detail`, { query: { id: plain.id } })).body.data).toMatchObject({
    scope: 'all',
    webServerRedirectUri: '',
    autoapprove: 'true',
    resourceIds: '',
    authorities: '',
    additionalInformation: '',
  })
  const emptied = { id, scope: null, autoapprove: null, resourceIds: null }
  expect((await operator.post(`${at}/submit`, { json: emptied })).status).toBe(200)
  const wrong = { scope: 'some', webServerRedirectUri: 'javascript:alert(1)', autoapprove: 'yes' }
  for (const [field, value] of Object.entries(wrong))
    expect((await operator.post(`${at}/submit`, { json: { id, [field]: value } })).body.data.fields).toMatchObject([{ field }])
})
