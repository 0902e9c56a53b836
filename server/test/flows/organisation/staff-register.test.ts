import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { type Answer, startTestApp, type TestApp, type TestTenant, testCaptcha } from '../../support/app.ts'
import { logInByPassword, sealFor } from '../../support/login.ts'

let t: TestApp
/** A second process on the same database. */
let two: TestApp
beforeAll(async () => {
  t = await startTestApp()
  two = await t.beside()
})
afterAll(() => t.close())

const password = 'seven green boats'
const ask = async (tenant: TestTenant, form: Record<string, string> = {}, at: TestApp = t): Promise<Answer> => {
  const guest = at.anonymous(tenant.tenantId)
  const { key } = (await guest.get('/blade-auth/oauth/captcha')).body
  return guest.post('/blade-auth/oauth/token', {
    form: { grant_type: 'register', name: '何新', account: 'he.xin', password: sealFor(t, password), ...form },
    headers: { 'captcha-key': key, 'captcha-code': testCaptcha },
  })
}
const turn = async (tenant: TestTenant, paramValue: '0' | '1'): Promise<void> => {
  const admin = await tenant.staff('admin')
  const { records } = (await admin.get('/blade-system/param/list', { query: { paramKey_equal: 'staff.register' } })).body.data
  expect((await admin.post('/blade-system/param/submit', { json: { id: records[0].id, paramValue } })).status).toBe(200)
}
const waiting = (tenant: TestTenant) =>
  tenant.rows(sql<object>`select account, status from account where user_type = 1 and status = 0 order by account`)

describe('[S7.06][S9.06] the grant register', () => {
  test('is off until a tenant switches it on: staff are told to ask their administrator, and nobody is registered', async () => {
    const tenant = await t.tenant()
    const answer = await ask(tenant)
    expect(answer).toMatchObject({
      status: 400,
      body: {
        error: 'unsupported_grant_type',
        error_code: 2913,
        success: false,
        reason: 'auth/staff-registration-off',
        error_description: '本机构未开放工作人员自行注册，请联系管理员开通账号',
      },
    })
    expect(await waiting(tenant)).toEqual([])
  })

  test('the switch reaches every process at once, both ways, and no other tenant', async () => {
    const [tenant, other] = [await t.tenant(), await t.tenant()]
    await turn(tenant, '1')
    await two.app.catchUp()
    expect((await ask(tenant, { account: 'one.first' })).body.reason).toBe('auth/registration-waits')
    expect((await ask(tenant, { account: 'two.first' }, two)).body.reason).toBe('auth/registration-waits')
    expect((await ask(other, {}, two)).body.reason).toBe('auth/staff-registration-off')
    await turn(tenant, '0')
    await two.app.catchUp()
    for (const at of [t, two]) expect((await ask(tenant, { account: 'late.one' }, at)).body.reason).toBe('auth/staff-registration-off')
    expect(await waiting(tenant)).toEqual([
      { account: 'one.first', status: 0 },
      { account: 'two.first', status: 0 },
    ])
  })

  test('on: the account waits, those who decide hear of it, and it opens nothing before somebody has approved', async () => {
    const tenant = await t.tenant()
    await turn(tenant, '1')
    const admin = await tenant.staff('admin')
    const answer = await ask(tenant, { phone: sealFor(t, '16066600001'), email: 'he.xin@example.org' })
    expect(answer).toMatchObject({
      status: 400,
      body: { error: 'account_pending', error_code: 2917, error_description: '注册申请已提交，请耐心等待管理员通过' },
    })
    expect(answer.body.access_token).toBeUndefined()
    const rows = await tenant.rows(sql<{ id: string }>`
      select id::text as id, real_name, user_type, status, phone_mask, phone_verified_at, email, created_by,
        (select count(*)::int from account_role r where r.user_id = account.id) as roles from account where account = 'he.xin'`)
    const id = rows[0]?.id ?? ''
    expect(rows).toEqual([
      {
        ...{ id, real_name: '何新', user_type: 1, status: 0, phone_mask: '160****0001', phone_verified_at: null },
        ...{ email: 'he.xin@example.org', created_by: null, roles: 0 },
      },
    ])
    expect(await tenant.rows(sql<object>`select action, after_value as after from audit_log where entity_id = ${id}`)).toEqual([
      { action: 'account.self-registered', after: { account: 'he.xin' } },
    ])
    expect(
      await tenant.rows(sql<object>`select user_id::text as to from notify where event_key = ${`account-pending-${id}`}`),
    ).toContainEqual({
      to: admin.userId,
    })
    const logIn = async () => (await logInByPassword(t, tenant.tenantId, 'he.xin', password)).body
    expect((await logIn()).error).toBe('account_pending')
    expect((await admin.post('/blade-system/user/audit-pass', { json: { userIds: id } })).status).toBe(200)
    expect(await logIn()).toMatchObject({ user_id: id, role_name: '' })
    // Whoever is refused hears that, not that an account of theirs was disabled, and may ask again.
    await ask(tenant, { account: 'wu.ren', password: sealFor(t, password) })
    const [other] = await tenant.rows(sql<{ id: string }>`select id::text as id from account where account = 'wu.ren'`)
    expect((await admin.post('/blade-system/user/audit-refuse', { json: { userIds: other?.id, reason: '不是本单位人员' } })).status).toBe(
      200,
    )
    expect(await logInByPassword(t, tenant.tenantId, 'wu.ren', password)).toMatchObject({
      status: 400,
      body: { error: 'account_disabled', reason: 'auth/account-refused' },
    })
    expect((await ask(tenant, { account: 'wu.ren' })).body.reason).toBe('auth/registration-waits')
  })

  test('a wrong captcha, a weak password, a taken name and a full list register nobody', async () => {
    const tenant = await t.tenant()
    await turn(tenant, '1')
    const reasons = async (form: Record<string, string>) => {
      const { body } = await ask(tenant, form)
      return body.data?.fields?.map((one: { field: string }) => one.field) ?? body.reason
    }
    const guest = t.anonymous(tenant.tenantId)
    const bare = { grant_type: 'register', name: '何新', account: 'he.xin', password: sealFor(t, password) }
    expect((await guest.post('/blade-auth/oauth/token', { form: bare })).body.error).toBe('invalid_captcha')
    expect(await reasons({ password: sealFor(t, 'short') })).toEqual(['password'])
    expect(await reasons({ account: 'a b' })).toEqual(['account'])
    expect(await reasons({ phone: sealFor(t, '12') })).toEqual(['phone'])
    expect(await reasons({ email: 'nobody' })).toEqual(['email'])
    expect(await reasons({ name: '' })).toBe('auth/invalid-request')
    expect(await waiting(tenant)).toEqual([])
    expect(await reasons({})).toBe('auth/registration-waits')
    expect(await reasons({ account: 'HE.XIN' })).toBe('auth/account-taken')
    await tenant.db(db =>
      db.run(sql`
        insert into account (tenant_id, account, account_key, user_type, nick_name, real_name, status)
        select ${tenant.tenantId}, 'w' || n, 'w' || n, 1, 'w', 'w', 0 from generate_series(1, 199) n`),
    )
    expect(await reasons({ account: 'one.more' })).toBe('auth/registrations-full')
  })
})
