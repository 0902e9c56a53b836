import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { BusyError } from '#kernel/crypto/gate.ts'
import { sql } from '#kernel/db/sql.ts'
import { startTestApp, type TestApp, type TestTenant, testCaptcha, testSms } from '../../support/app.ts'
import { logInByPassword, sealFor, staffWithPassword, testPassword } from '../../support/login.ts'
import { comeBack, decide, leaveFor } from '../../support/third-party.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp()
})
afterAll(() => t.close())

const linesOf = (tenant: TestTenant) =>
  tenant.rows(sql<{ grant: string; result: string; key: string; user: string; ip: string }>`
    select grant_type as grant, result, account_key as key, user_id::text as "user", ip from login_log order by id`)

describe('[S7.06] tries that fail before a password is looked at', () => {
  test('wrong captchas, ciphertexts that cannot be opened and failed third-party log-ins stand in the login log', async () => {
    const tenant = await t.tenant()
    const guest = t.anonymous(tenant.tenantId)
    const ip = '10.1.2.3'
    const send = (form: Record<string, string>) => guest.post('/blade-auth/oauth/token', { form, ip })
    const captcha = async () => (await guest.get('/blade-auth/oauth/captcha', { ip })).body.key as string
    const sealed = sealFor(t, testPassword)
    const form = { grant_type: 'captcha', username: ' Some.One ', password: sealed }
    expect((await send({ ...form, key: await captcha(), code: 'wrong' })).body.error).toBe('invalid_captcha')
    expect((await send(form)).body.error).toBe('invalid_captcha')
    expect((await send({ ...form, password: 'f'.repeat(256), key: await captcha(), code: testCaptcha })).body.reason).toBe(
      'auth/bad-cipher',
    )
    // One that was used before is no better.
    await send({ ...form, key: await captcha(), code: testCaptcha })
    expect((await send({ ...form, key: await captcha(), code: testCaptcha })).body.reason).toBe('auth/bad-cipher')
    expect((await send({ grant_type: 'sms_code', phone: 'e'.repeat(240), id: 'x', value: '123456' })).body.reason).toBe('auth/bad-cipher')
    const { cookie, asked } = await leaveFor(t, tenant.tenantId, 'demo_social')
    const { back } = await decide(t, asked, 'p-1001')
    back.set('code', 'not-the-code')
    expect((await comeBack(t, tenant.tenantId, 'social', back, cookie)).body.error).toBe('social_failed')
    expect((await send({ grant_type: 'authorization_code', code: 'c', state: `${tenant.tenantId}.s` })).body.error).toBe('social_failed')
    const named = { grant: 'password', key: 'some.one', user: '0', ip }
    const unnamed = { key: '', user: '0', ip }
    expect(await linesOf(tenant)).toEqual([
      { ...named, result: 'auth/invalid-captcha' },
      { ...named, result: 'auth/invalid-captcha' },
      { ...named, result: 'auth/bad-cipher' },
      { ...named, result: 'auth/invalid-grant' },
      { ...named, result: 'auth/bad-cipher' },
      { ...unnamed, grant: 'sms_code', result: 'auth/bad-cipher' },
      { ...unnamed, grant: 'social', result: 'auth/social-failed', ip: '127.0.0.1' },
      { ...unnamed, grant: 'authorization_code', result: 'auth/social-failed' },
    ])
    const text = JSON.stringify(await tenant.rows(sql<object>`select to_jsonb(l) as line from login_log l`))
    for (const secret of [sealed, sealed.slice(0, 64), testPassword, 'not-the-code', 'f'.repeat(64)]) expect(text).not.toContain(secret)
  })

  test('[19.18] a wrong SMS code for a phone that nobody has stands there with the phone masked, a right one as well', async () => {
    const tenant = await t.tenant()
    const guest = t.anonymous(tenant.tenantId)
    const ip = '10.1.2.9'
    t.clock.advance(61_000)
    const phone = '16077770001'
    const sent = await guest.post('/blade-auth/oauth/sms/send-validate', { form: { phone: sealFor(t, phone) }, ip })
    const logIn = (value: string) =>
      guest.post('/blade-auth/oauth/token', {
        form: { grant_type: 'sms_code', phone: sealFor(t, phone), id: sent.body.data.id, value },
        ip,
      })
    expect((await logIn('000001')).body.reason).toBe('auth/invalid-sms-code')
    expect((await logIn(testSms)).body.reason).toBe('auth/invalid-sms-code')
    const line = { grant: 'sms_code', result: 'auth/invalid-sms-code', key: '160****0001', user: '0', ip }
    expect(await linesOf(tenant)).toEqual([line, line])
    const auditor = await tenant.staff('auditor')
    const shown = (await auditor.get('/blade-system/auth-log/page', { query: { account: '160****0001' } })).body.data.records
    expect(shown.map((one: { account: string }) => one.account)).toEqual(['160****0001', '160****0001'])
  })

  test('a stranger cannot fill the table: an address has three hundred such lines a minute, and the next minute three hundred more', async () => {
    const tenant = await t.tenant()
    const flood = async () => {
      for (let sent = 0; sent < 310; sent += 1)
        await t.anonymous(tenant.tenantId).post('/blade-auth/oauth/token', {
          form: { grant_type: 'captcha', username: `name${sent}`, password: 'x' },
          ip: '10.9.9.9',
        })
      return (await linesOf(tenant)).length
    }
    t.clock.advance(60_000)
    expect(await flood()).toBe(300)
    t.clock.advance(60_000)
    expect(await flood()).toBe(600)
  })
})

describe('[S4.06] an account that is shut', () => {
  test('says how to whoever knows the password; a stranger hears of a wrong one like everybody', async () => {
    const tenant = await t.tenant()
    const admin = await tenant.staff('admin')
    const said = async (account: string, password = testPassword, language: 'zh' | 'en' = 'zh') => {
      const headers: Record<string, string> = language === 'en' ? { 'accept-language': 'en' } : {}
      const { body } = await logInByPassword(t, tenant.tenantId, account, password, { headers })
      return [body.error, body.error_code, body.error_description]
    }
    const [locked, disabled] = [await staffWithPassword(t, tenant, 'finance'), await staffWithPassword(t, tenant, 'finance')]
    await admin.post('/blade-system/user/lock', { json: { userIds: locked.userId, reason: '停岗' } })
    await admin.post('/blade-system/user/changeStatus', { json: { id: disabled.userId, status: 2 } })
    expect(await said(locked.account)).toEqual(['account_locked', 2916, '账号已被管理员锁定，请联系管理员解锁'])
    expect(await said(locked.account, testPassword, 'en')).toEqual([
      'account_locked',
      2916,
      'An administrator has locked this account; ask for it to be unlocked',
    ])
    expect(await said(disabled.account)).toEqual(['account_disabled', 2918, '账号已停用'])
    const stranger = ['invalid_grant', 2914, '用户名或密码错误']
    for (const account of [locked.account, disabled.account, 'nobody.here']) expect(await said(account, 'guessed wrong')).toEqual(stranger)
    // After five of them all three say the same again, and no more to whoever comes with the right one.
    for (const account of [locked.account, disabled.account, 'nobody.here']) {
      for (let wrong = 1; wrong < 5; wrong += 1) await said(account, 'guessed wrong')
      expect(await said(account)).toEqual(['account_locked', 2916, '登录失败次数过多，请 15 分钟后再试'])
    }
  })
})

describe('[S7.06] a server that is busy', () => {
  test('refuses without counting a try: whoever does as it says and tries again is not locked out, known or not', async () => {
    const tenant = await t.tenant()
    const { account, userId } = await staffWithPassword(t, tenant, 'finance')
    const { passwords } = t.app.services
    const full = async () => {
      throw new BusyError('too many requests are waiting')
    }
    const looks = [vi.spyOn(passwords, 'verify').mockImplementation(full), vi.spyOn(passwords, 'dummyVerify').mockImplementation(full)]
    for (const name of [account, 'nobody.here'])
      for (let tries = 0; tries < 7; tries += 1) {
        const { status, headers, body } = await logInByPassword(t, tenant.tenantId, name)
        expect([status, body.reason, headers['retry-after']]).toEqual([429, 'kernel/busy', '2'])
      }
    for (const look of looks) look.mockRestore()
    expect(await tenant.rows(sql<object>`select fail_count, locked_until from account where id = ${userId}`)).toEqual([
      { fail_count: 0, locked_until: null },
    ])
    expect((await logInByPassword(t, tenant.tenantId, 'nobody.here')).body.error).toBe('invalid_grant')
    expect((await logInByPassword(t, tenant.tenantId, account)).status).toBe(200)
  })
})
