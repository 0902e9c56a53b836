import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allRoutes } from '#contract/registry.ts'
import { sql } from '#kernel/db/sql.ts'
import { startTestApp, type TestApp, type TestTenant } from '../../support/app.ts'
import { sealFor } from '../../support/login.ts'
import { logInAs } from '../../support/third-party.ts'

let t: TestApp
let tenant: TestTenant
beforeAll(async () => {
  t = await startTestApp()
  tenant = await t.tenant()
})
afterAll(() => t.close())

const seal = (plain: string): string => sealFor(t, plain)
const as = (token: string) => {
  const headers = { 'blade-auth': `bearer ${token}` }
  const anonymous = t.anonymous()
  return {
    get: (path: string) => anonymous.get(path, { headers }),
    post: (path: string, json: object = {}) => anonymous.post(path, { json, headers }),
  }
}
const ask = (token: string, fields: Record<string, string> = {}) =>
  as(token).post('/blade-system/user/register-guest', {
    name: '林晓芸',
    account: 'linxiaoyun',
    password: seal('seven green boats'),
    password2: seal('seven green boats'),
    ...fields,
  })

describe('[S2.43][S7.13] a guest', () => {
  test('may ask for an account and leave: every other route that needs a login refuses with 403', async () => {
    const own = await t.tenant()
    const { access_token: token } = (await logInAs(t, own.tenantId, 'demo_social', 'p-1001')).body
    const wrong: string[] = []
    for (const route of allRoutes().filter(one => !('public' in one.access) && !one.guests && !('guest' in one.access))) {
      const path = route.path.replace(/:\w+/g, '1')
      const answer = route.method === 'GET' ? await as(token).get(path) : await as(token).post(path)
      if (answer.status !== 403) wrong.push(`${route.method} ${route.path} ${answer.status}`)
    }
    expect(wrong).toEqual([])
    expect(
      allRoutes()
        .filter(one => one.guests || 'guest' in one.access)
        .map(one => `${one.method} ${one.path}`),
    ).toEqual([
      'GET /blade-auth/oauth/logout',
      'POST /blade-auth/oauth/logout',
      'POST /blade-auth/logout',
      'POST /blade-system/user/register-guest',
    ])
    expect((await as(token).post('/blade-auth/oauth/logout', [{ message: 'x' }])).status).toBe(403)
    expect((await as(token).get('/blade-auth/oauth/logout')).status).toBe(200)
    expect((await ask(token)).status).toBe(401)
  })

  test('a token of staff, of a candidate, a refused one and one of half an hour ago ask for nothing', async () => {
    const own = await t.tenant()
    const { access_token: token } = (await logInAs(t, own.tenantId, 'demo_social', 'p-1001')).body
    expect((await ask((await own.staff('admin')).token)).status).toBe(403)
    expect((await ask((await own.candidate()).token)).status).toBe(403)
    expect((await t.anonymous().post('/blade-system/user/register-guest', { json: {} })).status).toBe(401)
    t.clock.advance(30 * 60_000 + 1)
    expect((await ask(token)).status).toBe(401)
  })

  test.each([
    ['S5.16', { account: '' }, '请先输入账号名称'],
    ['S5.17', { password: '' }, '请先输入密码'],
    ['S5.17', { password2: '' }, '请先输入密码'],
  ])('[%s] %o is refused in the words of the specification', async (_id, change, msg) => {
    const { access_token: token } = (await logInAs(t, tenant.tenantId, 'demo_social', 'p-1003')).body
    expect(await ask(token, change as never)).toMatchObject({ status: 400, body: { msg } })
  })

  test('[S5.14][S5.18] the server checks again: two passwords, the policy, the name, the tenant, the row of the provider', async () => {
    const { access_token: token, oauth_id: oauthId } = (await logInAs(t, tenant.tenantId, 'demo_social', 'p-1003')).body
    const refused = async (change: Record<string, string>) => {
      const { status, body } = await ask(token, change)
      return [status, body.msg]
    }
    expect(await refused({ password2: seal('other') })).toEqual([400, '两次密码输入不一致'])
    expect(await refused({ password: seal('river'), password2: seal('river') })).toEqual([400, '密码至少 12 位'])
    expect(await refused({ password: seal('linxiaoyun-2026'), password2: seal('linxiaoyun-2026') })).toEqual([
      400,
      '密码不能包含账号、手机号或单位名称',
    ])
    expect(await refused({ name: '1' })).toEqual([400, expect.any(String)])
    expect(await refused({ tenantId: '000000' })).toEqual([400, '租户信息有误'])
    expect((await refused({ oauthId: String(BigInt(oauthId) + 1n) }))[0]).toBe(404)
    expect((await refused({ password: 'plain text password' }))[0]).toBe(400)
    expect((await refused({ roleId: '1' }))[0]).toBe(400)
    expect(await tenant.rows(sql`select 1 from account where account = 'linxiaoyun'`)).toEqual([])
  })

  test('[S2.46][S4.06] asks, waits, is passed and comes in by both doors; administrators hear of it', async () => {
    const own = await t.tenant()
    const [admin, reviewer] = [await own.staff('admin'), await own.staff('reviewer1')]
    const { access_token: token, oauth_id: oauthId } = (await logInAs(t, own.tenantId, 'demo_social', 'p-1001')).body
    const asked = await ask(token, { tenantId: own.tenantId, oauthId })
    expect(asked).toMatchObject({ status: 200, body: { data: { status: 0 } } })
    const { userId } = asked.body.data
    expect(
      await own.rows(sql<object>`
        select account, user_type, real_name, status, password_hash like '%argon2id%' as hashed, (select user_id::text from social_account where id = ${oauthId}) as bound,
          (select count(*)::int from account_role where user_id = ${userId}) as roles from account where id = ${userId}`),
    ).toEqual([{ account: 'linxiaoyun', user_type: 1, real_name: '林晓芸', status: 0, hashed: true, bound: userId, roles: 0 }])
    expect((await admin.get('/me/notices')).body.data.tabs[0].records).toMatchObject([
      { title: '有新的账号注册申请', link: '/system/user?status=0' },
    ])
    expect((await reviewer.get('/me/notices')).body.data.unreadCount).toBe(0)
    expect((await ask(token, { account: 'another-one' })).body).toMatchObject({ code: 2917, reason: 'auth/account-pending' })
    expect((await logInAs(t, own.tenantId, 'demo_social', 'p-1001')).body).toMatchObject({ error: 'account_pending', error_code: 2917 })
    const waiting = await admin.get('/blade-system/user/page', { query: { status: 0 } })
    expect(waiting.body.data.records.map((row: { account: string }) => row.account)).toEqual(['linxiaoyun'])

    expect((await reviewer.post('/blade-system/user/audit-pass', { query: { userIds: userId } })).status).toBe(403)
    const elsewhere = await (await t.tenant()).staff('admin')
    expect((await elsewhere.post('/blade-system/user/audit-pass', { query: { userIds: userId } })).status).toBe(404)
    expect((await admin.post('/blade-system/user/audit-pass', { query: { userIds: `${userId},${admin.userId}` } })).body).toMatchObject({
      code: 2201,
    })
    expect((await admin.post('/blade-system/user/audit-pass', { query: { userIds: userId } })).body.data).toEqual({ changed: 1 })
    expect((await admin.post('/blade-system/user/audit-pass', { query: { userIds: userId } })).status).toBe(409)
    expect((await admin.post('/blade-system/user/audit-pass')).body.msg).toBe('请选择至少一条数据')
    expect((await logInAs(t, own.tenantId, 'demo_social', 'p-1001')).body).toMatchObject({
      user_id: userId,
      oauth_id: oauthId,
      role_name: '',
    })
    const { key } = (await t.anonymous(own.tenantId).get('/blade-auth/oauth/captcha')).body
    const byPassword = await t.anonymous(own.tenantId).post('/blade-auth/oauth/token', {
      form: { grant_type: 'captcha', username: 'linxiaoyun', password: seal('seven green boats'), key, code: 'abcde' },
    })
    expect(byPassword.body.user_id).toBe(userId)
    expect(await own.rows(sql<object>`select action, user_id::text as by from audit_log where entity_id = ${userId} order by id`)).toEqual([
      { action: 'account.guest-registered', by: '0' },
      { action: 'account.audit-passed', by: admin.userId },
    ])
  })

  test('[S4.06] who is refused hears why, may ask again under the same name, and the old account stays shut', async () => {
    const own = await t.tenant()
    const admin = await own.staff('admin')
    const first = (await logInAs(t, own.tenantId, 'demo_social', 'p-1001')).body
    const { userId } = (await ask(first.access_token)).body.data
    expect(
      (await admin.post('/blade-system/user/audit-refuse', { query: { userIds: userId, reason: '不是本单位人员' } })).body.data,
    ).toEqual({ changed: 1 })
    expect(await own.rows(sql<object>`select status from account where id = ${userId}`)).toEqual([{ status: 3 }])
    expect(await own.rows(sql<object>`select content_zh from notify where user_id = ${userId}`)).toEqual([{ content_zh: '不是本单位人员' }])
    expect(await own.rows(sql<object>`select action, reason from audit_log where entity_id = ${userId} order by id desc limit 1`)).toEqual([
      { action: 'account.audit-refused', reason: '不是本单位人员' },
    ])
    const again = (await logInAs(t, own.tenantId, 'demo_social', 'p-1001')).body
    expect(again).toMatchObject({ user_id: '-1', oauth_id: first.oauth_id })
    const second = (await ask(again.access_token)).body.data
    expect(second).toMatchObject({ status: 0 })
    expect(second.userId).not.toBe(userId)
  })

  test('a taken name and a full house are told; two requests of one guest at once make one account', async () => {
    const own = await t.tenant()
    const admin = await own.staff('admin')
    await own.db(db => db.run(sql`update account set account = 'taken', account_key = 'taken' where id = ${admin.userId}`))
    const { access_token: token } = (await logInAs(t, own.tenantId, 'demo_social', 'p-1001')).body
    expect((await ask(token, { account: 'Taken' })).body.reason).toBe('auth/account-taken')
    const both = await Promise.all([ask(token, { account: 'twin-a' }), ask(token, { account: 'twin-b' })])
    expect(both.map(answer => answer.status).sort()).toEqual([200, 400])
    const [waiting] = await own.rows(sql<{ id: string }>`select id::text as id from account where status = 0`)
    await t.app.services.scopes.asPlatform('test', t.clock.now(), db =>
      db.run(sql`update tenant set account_number = 1 where tenant_id = ${own.tenantId}`),
    )
    expect((await admin.post('/blade-system/user/audit-pass', { query: { userIds: waiting?.id } })).body).toMatchObject({
      reason: 'auth/tenant-full',
      msg: '账号数已达上限 1，请联系平台管理员',
    })
    expect(await own.rows(sql`select 1 from account where status = 0`)).toHaveLength(1)
  })
})
