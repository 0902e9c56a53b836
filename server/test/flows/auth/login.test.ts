import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSm2KeyPair, sm2Encrypt } from '#kernel/crypto/sm2.ts'
import { sm3 } from '#kernel/crypto/sm3.ts'
import { sql } from '#kernel/db/sql.ts'
import { startTestApp, type TestApp, testCaptcha, testSms } from '../../support/app.ts'
import { testIdCard } from '../../support/id-card.ts'
import { doWork } from '../../support/own-work.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp()
})
afterAll(() => t.close())

const seal = async (tenantId: string, plain: string): Promise<string> => {
  const { body } = await t.anonymous(tenantId).get('/blade-auth/oauth/public-key')
  return sm2Encrypt(body.data.publicKey, plain)
}

const registered = async (tenantId: string, account: string, serial: number, password = 'Sunny-river-27') => {
  const guest = t.anonymous(tenantId)
  const phone = `160${String(90_000_000 + serial)}`
  const sms = await guest.post('/blade-auth/oauth/sms/send-validate', { form: { phone: await seal(tenantId, phone) } })
  const fields = {
    username: account,
    password: await seal(tenantId, password),
    password2: await seal(tenantId, password),
    realName: '李测',
    phone: await seal(tenantId, phone),
    idCard: testIdCard(serial),
    smsId: sms.body.data?.id ?? '',
    smsCode: testSms,
    consent: '1',
  }
  return { phone, answer: await guest.post('/blade-system/user/register', { multipart: { fields } }) }
}

const login = async (tenantId: string, account: string, password: string, captcha = testCaptcha) => {
  const guest = t.anonymous(tenantId)
  const { body: challenge } = await guest.get('/blade-auth/oauth/captcha')
  return guest.post('/blade-auth/oauth/token', {
    query: { grant_type: 'captcha', username: account, password: await seal(tenantId, password), scope: 'all' },
    headers: { 'captcha-key': challenge.key, 'captcha-code': captcha },
  })
}

describe('registration and login', () => {
  test('[S3.10][S5.30][S7.06][S7.19] a candidate registers with an SMS code and logs in with the sealed password', async () => {
    const tenant = await t.tenant()
    const { answer } = await registered(tenant.tenantId, 'wangce', 11)
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({ code: 200, success: true, data: { status: 1, userCode: 'K0000000001' } })
    const token = await login(tenant.tenantId, 'wangce', 'Sunny-river-27')
    expect(token.status).toBe(200)
    expect(token.body).toMatchObject({
      token_type: 'bearer',
      expires_in: 3600,
      tenant_id: tenant.tenantId,
      account: 'wangce',
      role_name: 'candidate',
      userType: 2,
      refresh_token: '',
      detail: { type: 'web', userType: 2, userCode: 'K0000000001' },
    })
    expect(String(token.headers['set-cookie'])).toMatch(
      /^kaopu-refresh-token=[\w-]{43}; Path=\/api\/blade-auth\/oauth\/token; HttpOnly; SameSite=Strict/,
    )
    const rows = await tenant.rows(sql<{ phone_mask: string; id_card_mask: string; plain: boolean }>`
      select phone_mask, id_card_mask, position('1609000' in encode(phone_sealed, 'escape')) > 0 as plain from account where account = 'wangce'`)
    expect(rows).toEqual([{ phone_mask: '160****0011', id_card_mask: expect.stringMatching(/^3301\*{10}\d{3}[\dX]$/), plain: false }])
    expect(await tenant.rows(sql<{ action: string }>`select action from audit_log where entity = 'account'`)).toEqual([
      { action: 'candidate.registered' },
    ])
  })

  test('[S7.19] registration belongs to the tenant of header or address; one named in the body is refused and nobody is registered', async () => {
    const [tenant, other] = [await t.tenant(), await t.tenant()]
    const fields = { username: 'misplaced', tenantId: other.tenantId }
    const tries = [
      await t.anonymous(tenant.tenantId).post('/blade-system/user/register', { multipart: { fields } }),
      await t.anonymous(tenant.tenantId).post('/blade-system/user/register', { json: fields }),
      await t.anonymous().post('/blade-system/user/register', { multipart: { fields } }),
    ]
    for (const { status, body } of tries)
      expect([status, body.data.fields.map((one: { field: string }) => one.field)]).toEqual([400, expect.arrayContaining(['tenantId'])])
  })

  test('[S3.21][S8.01] a wrong password answers with error_description and opens no session', async () => {
    const tenant = await t.tenant()
    await registered(tenant.tenantId, 'wrong', 12)
    const answer = await login(tenant.tenantId, 'wrong', 'not-the-password')
    expect(answer.status).toBe(400)
    expect(answer.body).toMatchObject({
      error: 'invalid_grant',
      error_code: 2914,
      error_description: '用户名或密码错误',
      code: 2914,
      success: false,
    })
    expect(await tenant.rows(sql`select 1 from session`)).toEqual([])
  })

  test('[S7.06][S7.07] a captcha counts once, whether the answer is right or wrong', async () => {
    const tenant = await t.tenant()
    await registered(tenant.tenantId, 'captcha', 13)
    expect((await login(tenant.tenantId, 'captcha', 'Sunny-river-27', 'zzzzz')).body.error).toBe('invalid_captcha')
    const guest = t.anonymous(tenant.tenantId)
    const { body: challenge } = await guest.get('/blade-auth/oauth/captcha')
    const once = async () =>
      guest.post('/blade-auth/oauth/token', {
        query: {
          grant_type: 'password',
          username: 'captcha',
          password: await seal(tenant.tenantId, 'Sunny-river-27'),
          key: challenge.key,
          code: testCaptcha,
        },
      })
    expect((await once()).status).toBe(200)
    expect((await once()).body.error).toBe('invalid_captcha')
  })

  test('[S5.30] a sealed password is accepted once, plain and md5 never', async () => {
    const tenant = await t.tenant()
    await registered(tenant.tenantId, 'replay', 14)
    const guest = t.anonymous(tenant.tenantId)
    const cipher = await seal(tenant.tenantId, 'Sunny-river-27')
    const attempt = async (password: string) => {
      const { body: challenge } = await guest.get('/blade-auth/oauth/captcha')
      return guest.post('/blade-auth/oauth/token', {
        query: { grant_type: 'captcha', username: 'replay', password, key: challenge.key, code: testCaptcha },
      })
    }
    expect((await attempt(cipher)).status).toBe(200)
    expect((await attempt(cipher)).body).toMatchObject({ code: 400, reason: 'auth/bad-cipher' })
    expect((await attempt('Sunny-river-27')).body).toMatchObject({ reason: 'auth/bad-cipher' })
    expect((await attempt('d41d8cd98f00b204e9800998ecf8427e')).body).toMatchObject({ reason: 'auth/bad-cipher' })
  })

  test('[S7.06] a solved captcha is used up by a password that cannot be opened, and a wrong captcha leaves the password', async () => {
    const tenant = await t.tenant()
    await registered(tenant.tenantId, 'together', 15)
    const guest = t.anonymous(tenant.tenantId)
    const cipher = await seal(tenant.tenantId, 'Sunny-river-27')
    const { body: challenge } = await guest.get('/blade-auth/oauth/captcha')
    const attempt = (password: string, key: string, code = testCaptcha) =>
      guest.post('/blade-auth/oauth/token', { query: { grant_type: 'captcha', username: 'together', password, key, code } })
    expect((await attempt('Sunny-river-27', challenge.key)).body).toMatchObject({ reason: 'auth/bad-cipher' })
    expect((await attempt(cipher, challenge.key)).body).toMatchObject({ error: 'invalid_captcha' })
    expect((await attempt(cipher, (await guest.get('/blade-auth/oauth/captcha')).body.key, 'zzzzz')).body).toMatchObject({
      error: 'invalid_captcha',
    })
    expect((await attempt(cipher, (await guest.get('/blade-auth/oauth/captcha')).body.key)).status).toBe(200)
  })

  test('[19.23] and a ciphertext that one tenant has seen opens nothing in another', async () => {
    const [first, second] = [await t.tenant(), await t.tenant()]
    await registered(first.tenantId, 'twice', 45)
    await registered(second.tenantId, 'twice', 46)
    const cipher = await seal(first.tenantId, 'Sunny-river-27')
    const attempt = async (tenantId: string) => {
      const guest = t.anonymous(tenantId)
      const { body: challenge } = await guest.get('/blade-auth/oauth/captcha')
      const answer = await guest.post('/blade-auth/oauth/token', {
        query: { grant_type: 'captcha', username: 'twice', password: cipher, key: challenge.key, code: testCaptcha },
      })
      return answer.body.reason ?? answer.status
    }
    expect([await attempt(first.tenantId), await attempt(second.tenantId), await attempt(first.tenantId)]).toEqual([
      200,
      'auth/bad-cipher',
      'auth/bad-cipher',
    ])
  })

  test('five wrong passwords lock the account, for one that exists and for one that does not, and the right one no longer helps', async () => {
    const tenant = await t.tenant()
    await registered(tenant.tenantId, 'locked', 15)
    for (const account of ['locked', 'nobody']) {
      const errors: string[] = []
      for (let i = 0; i < 6; i += 1) errors.push((await login(tenant.tenantId, account, `wrong-password-${i}`)).body.error)
      expect(errors).toEqual(['invalid_grant', 'invalid_grant', 'invalid_grant', 'invalid_grant', 'invalid_grant', 'account_locked'])
    }
    expect((await login(tenant.tenantId, 'locked', 'Sunny-river-27')).body.error).toBe('account_locked')
    t.clock.advance(15 * 60_000)
    expect((await login(tenant.tenantId, 'locked', 'Sunny-river-27')).status).toBe(200)
  })

  test('20 wrong passwords at once: five are looked at, and nothing tells an account from a name that nobody has', async () => {
    const tenant = await t.tenant()
    await registered(tenant.tenantId, 'known', 41)
    const told: Record<string, string[]> = {}
    for (const account of ['known', 'unknown']) {
      const errors = await Promise.all(Array.from({ length: 20 }, () => login(tenant.tenantId, account, 'not-the-password')))
      told[account] = errors.map(answer => answer.body.error).sort()
    }
    expect(told['known']).toEqual([...Array(15).fill('account_locked'), ...Array(5).fill('invalid_grant')])
    expect(told['unknown']).toEqual(told['known'])
    const words = async (account: string) => (await login(tenant.tenantId, account, 'not-the-password')).body.error_description
    t.clock.advance(5 * 60_000)
    expect([await words('known'), await words('unknown')]).toEqual(Array(2).fill('登录失败次数过多，请 10 分钟后再试'))
    t.clock.advance(10 * 60_000)
    for (const account of ['known', 'unknown']) for (let i = 0; i < 5; i += 1) await words(account)
    expect([await words('known'), await words('unknown')]).toEqual(Array(2).fill('登录失败次数过多，请 30 分钟后再试'))
  })

  test('one code a minute and five sessions hold for calls that arrive together', async () => {
    const tenant = await t.tenant()
    await registered(tenant.tenantId, 'together', 42)
    const logins = await Promise.all(Array.from({ length: 9 }, () => seal(tenant.tenantId, '16090000043')))
    const sent = await Promise.all(
      logins.map(phone => t.anonymous(tenant.tenantId).post('/blade-auth/oauth/sms/send-validate', { form: { phone } })),
    )
    expect(sent.map(answer => answer.status).sort()).toEqual([200, ...Array(8).fill(429)])
    for (let i = 0; i < 2; i += 1) await Promise.all(Array.from({ length: 4 }, () => login(tenant.tenantId, 'together', 'Sunny-river-27')))
    expect(await tenant.rows(sql`select 1 from session where ended_at is null`)).toHaveLength(5)
  })

  test('what has run out is removed every hour, in every tenant, and what has not stays', async () => {
    const [tenant, other] = [await t.tenant(), await t.tenant()]
    await registered(tenant.tenantId, 'purged', 44)
    await login(tenant.tenantId, 'purged', 'not-the-password')
    await login(other.tenantId, 'nobody-here', 'not-the-password')
    const left = async () => {
      const counts = sql<{ name: string; count: number }>`
        select 'captchas' as name, count(*)::int as count from login_challenge union all select 'ciphers', count(*)::int from used_cipher
        union all select 'tries', count(*)::int from login_try union all select 'failed', count(*)::int from account where fail_count > 0`
      const rows = [...(await tenant.rows(counts)), ...(await other.rows(counts))]
      return Object.fromEntries(rows.map(({ name }) => [name, rows.filter(row => row.name === name).map(row => row.count)]))
    }
    const purge = async () => {
      await doWork(t, 'auth.purge')
    }
    const before = await left()
    expect(before).toEqual({ captchas: [2, 1], ciphers: [5, 1], tries: [0, 1], failed: [1, 0] })
    await purge()
    expect(await left()).toEqual(before)
    t.clock.advance(25 * 3_600_000)
    await purge()
    expect(await left()).toEqual({ ...before, captchas: [0, 0] })
    t.clock.advance(31 * 24 * 3_600_000)
    await purge()
    // A used ciphertext would open again as long as the log-in key lives: it stays known.
    expect(await left()).toEqual({ captchas: [0, 0], ciphers: [5, 1], tries: [0, 0], failed: [0, 0] })
  })

  describe('a recorded ciphertext of a password', () => {
    const prime = 0xfffffffeffffffffffffffffffffffffffffffff00000000ffffffffffffffffn
    const refused = '400 invalid_request: 加密内容无效，请重试'
    /** The same ciphertext with the other root of its point. */
    const mirrored = (cipher: string): string =>
      cipher.slice(0, 64) + (prime - BigInt(`0x${cipher.slice(64, 128)}`)).toString(16).padStart(64, '0') + cipher.slice(128)
    const sent = async (tenantId: string, username: string, password: string) => {
      const guest = t.anonymous(tenantId)
      const { key } = (await guest.get('/blade-auth/oauth/captcha')).body
      const { status, body } = await guest.post('/blade-auth/oauth/token', {
        query: { grant_type: 'captcha', username, password, key, code: testCaptcha },
      })
      return status === 200 ? 'in' : `${status} ${body.error}: ${body.error_description}`
    }

    test('[S5.30] logs in once: not again in another spelling, with the other root of its point, in another tenant, or months later', async () => {
      const [tenant, other] = [await t.tenant(), await t.tenant()]
      await registered(tenant.tenantId, 'recorded', 61)
      await registered(other.tenantId, 'recorded', 61)
      const cipher = await seal(tenant.tenantId, 'Sunny-river-27')
      const swapped = cipher.slice(0, 128) + cipher.slice(192) + cipher.slice(128, 192)
      // Not even the first time: it is not what the sender made.
      expect(await sent(tenant.tenantId, 'recorded', mirrored(cipher))).toBe(refused)
      expect(await sent(tenant.tenantId, 'recorded', cipher)).toBe('in')
      for (const again of [cipher, `04${cipher}`, swapped, cipher.toUpperCase(), mirrored(cipher), mirrored(swapped)])
        expect(await sent(tenant.tenantId, 'recorded', again)).toBe(refused)
      expect(await sent(other.tenantId, 'recorded', cipher)).toBe(refused)
      t.clock.advance(100 * 24 * 3_600_000)
      await doWork(t, 'auth.purge')
      expect(await sent(tenant.tenantId, 'recorded', cipher)).toBe(refused)
    })

    test('what a release before wrote down of it, a digest of its point, still refuses it', async () => {
      const tenant = await t.tenant()
      await registered(tenant.tenantId, 'before', 62)
      const cipher = await seal(tenant.tenantId, 'Sunny-river-27')
      const digest = sm3(Buffer.from(cipher.slice(0, 128), 'hex')).toString('hex')
      await tenant.db(db =>
        db.run(sql`insert into used_cipher (tenant_id, digest, former) values (${tenant.tenantId}, ${digest}, ${digest})`),
      )
      expect(await sent(tenant.tenantId, 'before', cipher)).toBe(refused)
    })

    test('the log-in key is replaced: the old one is good for a day, then it opens nothing and what was used of it is forgotten', async () => {
      const own = await startTestApp()
      try {
        const tenant = await own.tenant()
        const { keys } = own.app
        const [former, next] = [keys.secrets.login, createSm2KeyPair()]
        const phones = [1, 2, 3, 4, 5].map(n => `1609999990${n}`)
        const opens = async (publicKey: string): Promise<string> => {
          const { status, body } = await own.anonymous(tenant.tenantId).post('/blade-auth/oauth/sms/send-validate', {
            form: { phone: sm2Encrypt(publicKey, phones.shift() ?? '') },
          })
          return status === 200 ? 'opened' : body.code === 400 ? 'refused' : `${status} ${JSON.stringify(body)}`
        }
        const known = async () => (await tenant.rows(sql<{ n: number }>`select count(*)::int as n from used_cipher`))[0]?.n
        expect(await opens(former.publicKey)).toBe('opened')
        own.clock.advance(1_000)
        keys.replace({ ...keys.secrets, login: next, formerLogins: [{ ...former, until: own.clock.now() }] })
        const told = (await own.anonymous(tenant.tenantId).get('/blade-auth/oauth/public-key')).body.data
        expect(told.publicKey).toBe(next.publicKey)
        own.clock.advance(23 * 3_600_000)
        expect([await opens(former.publicKey), await opens(next.publicKey)]).toEqual(['opened', 'opened'])
        await doWork(own, 'auth.purge')
        expect(await known()).toBe(3)
        own.clock.advance(2 * 3_600_000)
        expect([await opens(former.publicKey), await opens(next.publicKey)]).toEqual(['refused', 'opened'])
        await doWork(own, 'auth.purge')
        // Those that came after the change may be of the key that is good.
        expect(await known()).toBe(3)
      } finally {
        await own.close()
      }
    })
  })

  test('[S4.05][S7.06] a refresh token is used once; its replay after the grace ends the session', async () => {
    const tenant = await t.tenant()
    await registered(tenant.tenantId, 'refresh', 16)
    const first = await login(tenant.tenantId, 'refresh', 'Sunny-river-27')
    const cookieOf = (headers: Readonly<Record<string, unknown>>) => String(headers['set-cookie']).split(';')[0] ?? ''
    const refresh = (cookie: string) =>
      t
        .anonymous(tenant.tenantId)
        .post('/blade-auth/oauth/token', { query: { grant_type: 'refresh_token' }, headers: { cookie, 'sec-fetch-site': 'same-origin' } })
    const cookie = cookieOf(first.headers)
    const second = await refresh(cookie)
    const raced = await refresh(cookie)
    expect([second.status, raced.status]).toEqual([200, 200])
    expect(raced.body.access_token).toBe(second.body.access_token)
    const me = (token: string) => t.anonymous().get('/blade-auth/oauth/user-info', { headers: { 'blade-auth': `bearer ${token}` } })
    expect((await me(second.body.access_token)).body.data).toMatchObject({ account: 'refresh', roles: ['candidate'] })
    expect((await me(first.body.access_token)).status).toBe(401)
    t.clock.advance(11_000)
    expect((await refresh(cookie)).body.error).toBe('invalid_refresh_token')
    expect((await me(second.body.access_token)).status).toBe(401)
  })

  test('a refresh cookie from another site is not enough', async () => {
    const tenant = await t.tenant()
    await registered(tenant.tenantId, 'csrf', 17)
    const first = await login(tenant.tenantId, 'csrf', 'Sunny-river-27')
    const cookie = String(first.headers['set-cookie']).split(';')[0] ?? ''
    const answer = await t
      .anonymous(tenant.tenantId)
      .post('/blade-auth/oauth/token', { query: { grant_type: 'refresh_token' }, headers: { cookie } })
    expect(answer.body.error).toBe('invalid_refresh_token')
  })

  test('[S7.08][S4.04] logout ends the session; a list in its body is an error report and does not', async () => {
    const tenant = await t.tenant()
    const person = await tenant.staff('admin')
    expect((await person.post('/blade-auth/oauth/logout', { json: [{ type: 'error', message: 'x' }] })).status).toBe(200)
    expect((await person.get('/blade-auth/oauth/user-info')).status).toBe(200)
    expect((await person.get('/blade-auth/oauth/logout')).status).toBe(200)
    expect((await person.get('/blade-auth/oauth/user-info')).status).toBe(401)
  })

  test('[S4.02] a locked session answers 423 until its lock password is given', async () => {
    const tenant = await t.tenant()
    const person = await tenant.staff('admin')
    // Nothing, as it is or sealed: 192 digits hold no character.
    for (const password of ['', 'a'.repeat(192)])
      expect((await person.post('/blade-auth/oauth/lock', { json: { password } })).body).toMatchObject({
        code: 400,
        msg: '锁屏密码不能为空',
        data: { fields: [{ field: 'password', msg: '锁屏密码不能为空' }] },
      })
    expect((await person.post('/blade-auth/oauth/lock', { json: { password: await seal(tenant.tenantId, 'tea time') } })).status).toBe(200)
    expect((await person.post('/blade-auth/oauth/unlock', { json: { password: '' }, language: 'en' })).body.msg).toBe(
      'The lock password is required',
    )
    expect((await person.get('/blade-system/param/list')).status).toBe(423)
    expect((await person.post('/blade-auth/oauth/unlock', { json: { password: await seal(tenant.tenantId, 'wrong') } })).body.reason).toBe(
      'auth/wrong-password',
    )
    expect((await person.post('/blade-auth/oauth/unlock', { json: { password: await seal(tenant.tenantId, 'tea time') } })).status).toBe(
      200,
    )
    expect((await person.get('/blade-system/param/list')).status).toBe(200)
  })

  test('[S7.11] one code a minute per phone, and the message reaches the log sealed and masked', async () => {
    const tenant = await t.tenant()
    const guest = t.anonymous(tenant.tenantId)
    const send = async () =>
      guest.post('/blade-auth/oauth/sms/send-validate', { form: { phone: await seal(tenant.tenantId, '16000000077') } })
    expect((await send()).status).toBe(200)
    expect(await send()).toMatchObject({ status: 429, body: { code: 2703 } })
    expect(await t.runTasks()).toContain('message.send-sms')
    expect(await tenant.rows(sql<object>`select phone_mask, content, state, provider from sms_message`)).toEqual([
      { phone_mask: '160****0077', content: '【考谱】验证码 123456，5 分钟内有效，请勿告诉他人。', state: 1, provider: 'log' },
    ])
  })
})
