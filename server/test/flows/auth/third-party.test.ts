import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pkceChallenge } from '#kernel/crypto/token.ts'
import { sql } from '#kernel/db/sql.ts'
import { startTestApp, type TestApp, type TestTenant, testSms } from '../../support/app.ts'
import { sealFor } from '../../support/login.ts'
import { comeBack, decide, leaveFor, logInAs, testHost } from '../../support/third-party.ts'

let t: TestApp
let tenant: TestTenant
beforeAll(async () => {
  t = await startTestApp()
  tenant = await t.tenant()
})
afterAll(() => t.close())

const seal = (plain: string): string => sealFor(t, plain)

describe('[S7.06][S7.12] the doors', () => {
  test('the login page learns which doors are open; parameters of the tenant close them', async () => {
    const own = await t.tenant()
    const doors = async () => (await t.anonymous(own.tenantId).get('/blade-auth/oauth/doors')).body.data
    expect(await doors()).toEqual({
      captcha: true,
      sms: { candidate: true, staff: false },
      register: true,
      staffRegister: false,
      thirdParty: [
        {
          source: 'demo_social',
          kind: 'social',
          name: { zh: '演示社交账号', en: 'Demo social account' },
          icon: 'social',
          href: `/api/blade-auth/oauth/render/demo_social?tenantId=${own.tenantId}`,
        },
        {
          source: 'demo_sso',
          kind: 'sso',
          name: { zh: '演示统一身份认证', en: 'Demo single sign-on' },
          icon: 'sso',
          href: `/api/blade-auth/oauth/render/demo_sso?tenantId=${own.tenantId}`,
        },
      ],
    })
    await own.db(db =>
      db.run(
        sql`update param set param_value = case when param_key like 'staff.%' then '1' else '0' end where param_key in ('candidate.smsLogin', 'candidate.register', 'staff.smsLogin', 'staff.register')`,
      ),
    )
    expect(await doors()).toMatchObject({ sms: { candidate: false, staff: true }, register: false, staffRegister: true })
  })

  test('a code by SMS logs staff in only where the tenant wants it, and only by a proven phone', async () => {
    const own = await t.tenant()
    const person = await own.staff('reviewer1')
    const phone = '16055550001'
    const login = async () => {
      t.clock.advance(61_000)
      const guest = t.anonymous(own.tenantId)
      const { id } = (await guest.post('/blade-auth/oauth/sms/send-validate', { form: { phone: seal(phone) } })).body.data
      return guest.post('/blade-auth/oauth/token', { form: { grant_type: 'sms_code', phone: seal(phone), id, value: testSms } })
    }
    const prove = async () => {
      t.clock.advance(61_000)
      const { id } = (await t.anonymous(own.tenantId).post('/blade-auth/oauth/sms/send-validate', { form: { phone: seal(phone) } })).body
        .data
      return person.post('/blade-system/user/update-info', { json: { phone: seal(phone), smsId: id, smsCode: testSms } })
    }
    await person.post('/blade-system/user/update-info', { json: { phone: seal(phone) } })
    await own.db(db => db.run(sql`update param set param_value = '1' where param_key = 'staff.smsLogin'`))
    expect((await login()).body.error).toBe('invalid_sms_code')
    expect((await prove()).status).toBe(200)
    expect((await login()).body).toMatchObject({ user_id: person.userId, userType: 1 })
    await own.db(db => db.run(sql`update param set param_value = '0' where param_key = 'staff.smsLogin'`))
    expect((await login()).body.error).toBe('invalid_sms_code')
  })

  test('a code by SMS logs a candidate in, until the tenant closes that door', async () => {
    const own = await t.tenant()
    const candidate = await own.candidate({ phone: '16055550002' })
    const login = async () => {
      t.clock.advance(61_000)
      const guest = t.anonymous(own.tenantId)
      const { id } = (await guest.post('/blade-auth/oauth/sms/send-validate', { form: { phone: seal('16055550002') } })).body.data
      return guest.post('/blade-auth/oauth/token', { form: { grant_type: 'sms_code', phone: seal('16055550002'), id, value: testSms } })
    }
    expect((await login()).body).toMatchObject({ user_id: candidate.userId, userType: 2, role_name: 'candidate' })
    await own.db(db => db.run(sql`update param set param_value = '0' where param_key = 'candidate.smsLogin'`))
    expect((await login()).body.error).toBe('invalid_sms_code')
  })
})

describe('[S2.43] the way to a provider and back', () => {
  test('the address carries state, PKCE and our own return; the page lets a person choose; a stranger becomes a guest', async () => {
    const { cookie, asked } = await leaveFor(t, tenant.tenantId, 'demo_social')
    expect(Object.fromEntries(asked)).toEqual({
      response_type: 'code',
      client_id: 'kaopu-demo-social',
      redirect_uri: `http://${testHost}/oauth/redirect/demo_social`,
      scope: 'openid profile',
      state: expect.stringMatching(new RegExp(`^${tenant.tenantId}\\.[\\w-]{43}$`)),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
    })
    const page = await t
      .anonymous()
      .get('/demo/oauth/authorize', { query: Object.fromEntries(asked), headers: { host: testHost }, language: 'en' })
    expect([page.status, page.raw.toString().includes('林晓芸'), page.raw.toString().includes('Choose who you are')]).toEqual([
      200,
      true,
      true,
    ])
    const { back, place } = await decide(t, asked, 'p-1001')
    expect(place).toMatch(new RegExp(`^http://${testHost}/oauth/redirect/demo_social\\?code=`))
    const answer = await comeBack(t, tenant.tenantId, 'social', back, cookie)
    expect(answer.status).toBe(200)
    const [row] = await tenant.rows(
      sql<{ id: string }>`select id::text as id, source, uuid, account, nick_name, user_id from social_account`,
    )
    expect(row).toEqual({
      id: expect.any(String),
      source: 'demo_social',
      uuid: 'p-1001',
      account: 'linxiaoyun',
      nick_name: '林晓芸',
      user_id: null,
    })
    expect(answer.body).toMatchObject({
      user_id: '-1',
      account: 'linxiaoyun',
      nick_name: '林晓芸',
      role_name: 'guest',
      role_id: '',
      oauth_id: row?.id,
      tenant_id: tenant.tenantId,
      refresh_token: '',
      userType: 0,
      expires_in: 1800,
    })
    expect(String(answer.headers['set-cookie'])).toContain('kaopu-refresh-token=; ')
    expect(await tenant.rows(sql<object>`select grant_type, result from login_log order by id desc limit 1`)).toEqual([
      { grant_type: 'social', result: 'guest' },
    ])
  })

  test('the same person twice is one row, two people are two', async () => {
    const own = await t.tenant()
    await Promise.all([logInAs(t, own.tenantId, 'demo_social', 'p-1002'), logInAs(t, own.tenantId, 'demo_social', 'p-1002')])
    await logInAs(t, own.tenantId, 'demo_social', 'p-1003')
    expect(await own.rows(sql<object>`select uuid from social_account order by uuid`)).toEqual([{ uuid: 'p-1002' }, { uuid: 'p-1003' }])
  })

  test('a state counts once, in its own browser, its own tenant, its own door, and for ten minutes', async () => {
    const other = await t.tenant()
    const way = async () => {
      const { cookie, asked } = await leaveFor(t, tenant.tenantId, 'demo_social')
      return { cookie, back: (await decide(t, asked, 'p-1004')).back }
    }
    const stranger = (await leaveFor(t, tenant.tenantId, 'demo_social')).cookie
    const failed = { status: 400, body: { error: 'social_failed', error_code: 2922 } }
    const one = await way()
    expect(await comeBack(t, tenant.tenantId, 'social', one.back, '')).toMatchObject(failed)
    expect(await comeBack(t, tenant.tenantId, 'social', one.back, stranger)).toMatchObject(failed)
    expect(await comeBack(t, other.tenantId, 'social', one.back, one.cookie)).toMatchObject(failed)
    expect((await comeBack(t, tenant.tenantId, 'social', one.back, one.cookie)).status).toBe(200)
    expect(await comeBack(t, tenant.tenantId, 'social', one.back, one.cookie)).toMatchObject(failed)
    const two = await way()
    expect(await comeBack(t, tenant.tenantId, 'authorization_code', two.back, two.cookie)).toMatchObject(failed)
    const three = await way()
    expect(await comeBack(t, tenant.tenantId, 'social', three.back, three.cookie, { redirect_uri: 'http://elsewhere/' })).toMatchObject(
      failed,
    )
    const four = await way()
    t.clock.advance(11 * 60_000)
    expect(await comeBack(t, tenant.tenantId, 'social', four.back, four.cookie)).toMatchObject(failed)
    expect(await comeBack(t, tenant.tenantId, 'social', new URLSearchParams(), four.cookie)).toMatchObject({
      body: { error: 'invalid_request' },
    })
  })

  test('a code of somebody else’s login is worth nothing: it is bound to the secret of its own way', async () => {
    const [mine, theirs] = [await leaveFor(t, tenant.tenantId, 'demo_social'), await leaveFor(t, tenant.tenantId, 'demo_social')]
    const stolen = (await decide(t, theirs.asked, 'p-1002')).back
    const back = new URLSearchParams({ code: stolen.get('code') ?? '', state: mine.asked.get('state') ?? '' })
    expect(await comeBack(t, tenant.tenantId, 'social', back, mine.cookie)).toMatchObject({ body: { error: 'social_failed' } })
  })

  test('an unknown provider leads back to the login page; ways are not begun without end', async () => {
    const answer = await t.anonymous().get('/blade-auth/oauth/render/nowhere', { headers: { host: testHost } })
    expect([answer.status, answer.headers['location']]).toEqual([303, '/login?error=social_failed'])
    const own = await t.tenant()
    const statuses: number[] = []
    const begin = async (cookie?: string) =>
      t.anonymous().get('/blade-auth/oauth/render/demo_sso', {
        query: { tenantId: own.tenantId },
        ...(cookie === undefined ? {} : { headers: { cookie } }),
      })
    const cookie = String((await begin()).headers['set-cookie']).split(';')[0] ?? ''
    for (let i = 0; i < 21; i += 1) statuses.push((await begin(cookie)).status)
    // One browser has had its share; others at the same address have not.
    expect(statuses).toEqual([...Array(19).fill(303), 429, 429])
    expect((await begin()).status).toBe(303)
    await own.rows(sql`update param set param_value = '21' where param_key = 'address.flowMinute' returning id`)
    expect((await begin()).status).toBe(429)
  })

  test('somebody who cancels comes back without a code', async () => {
    const { asked } = await leaveFor(t, tenant.tenantId, 'demo_social')
    const { back } = await decide(t, asked, '')
    expect([back.get('error'), back.get('code'), back.get('state')]).toEqual(['access_denied', null, asked.get('state')])
  })
})

describe('the emulated provider', () => {
  test.each([
    ['another site', { redirect_uri: 'http://evil.example/oauth/redirect/demo_social' }],
    ['another path', { redirect_uri: `http://${testHost}/elsewhere` }],
    ['a longer path', { redirect_uri: `http://${testHost}/oauth/redirect/demo_social/x` }],
    ['an unknown client', { client_id: 'nobody' }],
  ])('%s is stopped on a page and never redirected to', async (_name, change) => {
    const { asked } = await leaveFor(t, tenant.tenantId, 'demo_social')
    expect(await decide(t, asked, 'p-1001', change)).toMatchObject({ status: 400, place: '' })
  })

  test('without PKCE nobody gets a code', async () => {
    const { asked } = await leaveFor(t, tenant.tenantId, 'demo_social')
    const { back } = await decide(t, asked, 'p-1001', { code_challenge: '' })
    expect([back.get('error'), back.get('code')]).toEqual(['invalid_request', null])
  })

  test('a code needs the client’s secret, its verifier and its address; it lives a minute and once, and a second use takes the token back', async () => {
    const emulator = t.app.oauth?.emulator
    if (!emulator) throw new Error('the emulator belongs to the test profile')
    const verifier = 'v'.repeat(43)
    const challenge = pkceChallenge(verifier)
    const request = {
      response_type: 'code',
      client_id: 'kaopu-demo-sso',
      redirect_uri: `http://${testHost}/oauth/redirect/demo_sso`,
      scope: 'openid',
      state: 's',
      code_challenge: challenge,
      code_challenge_method: 'S256',
    }
    const codeOf = (): string => {
      const outcome = emulator.decide(request, testHost, 'd-2001')
      return 'redirect' in outcome ? (new URL(outcome.redirect).searchParams.get('code') ?? '') : ''
    }
    const client = { client_id: request.client_id, client_secret: emulator.secretOf(request.client_id) }
    const form = (change: Record<string, string> = {}) => ({
      grant_type: 'authorization_code',
      code: codeOf(),
      redirect_uri: request.redirect_uri,
      code_verifier: verifier,
      ...client,
      ...change,
    })
    const statuses = [
      emulator.token({}, form({ client_secret: 'wrong' })),
      emulator.token({ authorization: `Basic ${Buffer.from(`${client.client_id}:no`).toString('base64')}` }, form()),
      emulator.token({}, form({ code_verifier: 'w'.repeat(43) })),
      emulator.token({}, form({ redirect_uri: `http://${testHost}/` })),
      emulator.token({}, form({ client_id: 'kaopu-demo-social', client_secret: emulator.secretOf('kaopu-demo-social') })),
      emulator.token({}, form({ grant_type: 'password' })),
    ].map(answer => answer.status)
    expect(statuses).toEqual([401, 401, 400, 400, 400, 400])
    const late = form()
    t.clock.advance(61_000)
    expect(emulator.token({}, late)).toEqual({ status: 400, json: { error: 'invalid_grant' } })
    const good = form()
    const { json } = emulator.token({}, good)
    const bearer = `Bearer ${(json as { access_token: string }).access_token}`
    expect(emulator.userinfo(bearer)).toEqual({ status: 200, json: { sub: 'd-2001', preferred_username: 'reviewer1a', name: '褚初审' } })
    expect(emulator.token({}, good).status).toBe(400)
    expect(emulator.userinfo(bearer).status).toBe(401)
  })
})

describe('[S7.06] single sign-on', () => {
  test('the directory’s name opens the account of the staff member of that name, and is tied to it', async () => {
    const own = await t.tenant()
    const person = await own.staff('reviewer1')
    await own.db(db => db.run(sql`update account set account = 'reviewer1a', account_key = 'reviewer1a' where id = ${person.userId}`))
    const first = await logInAs(t, own.tenantId, 'demo_sso', 'd-2001')
    expect(first.body).toMatchObject({
      user_id: person.userId,
      userType: 1,
      role_name: 'reviewer1',
      oauth_id: expect.stringMatching(/^\d+$/),
    })
    const headers = { 'blade-auth': `bearer ${first.body.access_token}` }
    const info = await t.anonymous().get('/blade-auth/oauth/user-info', { headers })
    expect(info.body.data).toMatchObject({ user_id: person.userId, oauthId: first.body.oauth_id })
    const cookie = String([first.headers['set-cookie']].flat().find(line => String(line).startsWith('kaopu-refresh-token=')))
    const refreshed = await t.anonymous(own.tenantId).post('/blade-auth/oauth/token', {
      form: { grant_type: 'refresh_token' },
      headers: { cookie: cookie.split(';')[0] ?? '', 'sec-fetch-site': 'same-origin' },
    })
    expect(refreshed.body).toMatchObject({ user_id: person.userId, oauth_id: first.body.oauth_id })
    // The tie holds when the account is renamed, and nobody else takes it over by taking the name.
    await own.db(db => db.run(sql`update account set account = 'renamed', account_key = 'renamed' where id = ${person.userId}`))
    expect((await logInAs(t, own.tenantId, 'demo_sso', 'd-2001')).body.user_id).toBe(person.userId)
    expect(await own.rows(sql<object>`select action, after_value from audit_log where entity_id = ${person.userId}`)).toEqual([
      { action: 'account.bound', after_value: { source: 'demo_sso', account: 'reviewer1a' } },
    ])
  })

  test('a candidate of that name, a disabled account and an unknown colleague get no login', async () => {
    const own = await t.tenant()
    const candidate = await own.candidate()
    await own.db(db => db.run(sql`update account set account = 'finance1', account_key = 'finance1' where id = ${candidate.userId}`))
    expect((await logInAs(t, own.tenantId, 'demo_sso', 'd-2002')).body).toMatchObject({ user_id: '-1', role_name: 'guest' })
    const person = await own.staff('reviewer1')
    await own.db(db =>
      db.run(sql`update account set account = 'reviewer1a', account_key = 'reviewer1a', status = 2 where id = ${person.userId}`),
    )
    expect((await logInAs(t, own.tenantId, 'demo_sso', 'd-2001')).body).toMatchObject({ error: 'account_disabled', error_code: 2918 })
    expect((await logInAs(t, own.tenantId, 'demo_sso', 'd-2003')).body).toMatchObject({ user_id: '-1', account: 'newcolleague' })
  })

  test('[S7.15] a program that names its redirect addresses lets people come back to these only', async () => {
    const own = await t.tenant()
    const operator = await t.platform().staff('administrator')
    const [web] = (await operator.get('/blade-system/client/list', { query: { clientId: 'kaopu-web' } })).body.data.records
    const name = async (webServerRedirectUri: string) => {
      expect((await operator.post('/blade-system/client/submit', { json: { id: web.id, webServerRedirectUri } })).status).toBe(200)
      // What is kept of a program goes when the change is heard.
      await t.app.catchUp()
    }
    const errors = async () => [
      (await logInAs(t, own.tenantId, 'demo_sso', 'd-2003')).body.error,
      (await logInAs(t, own.tenantId, 'demo_social', 'p-1001')).body.error,
    ]
    await name('https://elsewhere.example.cn/back')
    expect(await errors()).toEqual(['social_failed', 'social_failed'])
    await name(`https://elsewhere.example.cn/back,http://${testHost}/oauth/redirect/demo_sso`)
    expect(await errors()).toEqual([undefined, 'social_failed'])
    await name('')
    expect(await errors()).toEqual([undefined, undefined])
  })
})
