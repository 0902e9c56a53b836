import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { totpStep } from '#kernel/crypto/totp.ts'
import { sql } from '#kernel/db/sql.ts'
import { spendStep } from '#modules/auth/data/second-factor.repo.ts'
import { type Person, startTestApp, type TestApp, type TestTenant, testCaptcha, testSms } from '../../support/app.ts'
import { codeOf, enrol, logInByPassword, sealFor, sendCode, staffWithPassword, testPassword, wrongCode } from '../../support/login.ts'
import { logInAs } from '../../support/third-party.ts'

let t: TestApp
/** A second process on the same database. */
let two: TestApp
let tenant: TestTenant
beforeAll(async () => {
  t = await startTestApp()
  two = await t.beside()
  tenant = await t.tenant()
})
afterAll(() => t.close())

/** The next 30 seconds, in which no code was used yet; both processes have one clock of their own. */
const nextStep = (): void => {
  t.clock.advance(30_000)
  two.clock.advance(30_000)
}
const set = (own: TestTenant, key: string, value: string) =>
  own.db(db => db.run(sql`update param set param_value = ${value} where param_key = ${key}`))
/** Wrong proofs have a test of their own, `proof-counter.test.ts`. */
const actionsOf = async (person: Person, own = tenant): Promise<string[]> =>
  (
    await own.rows(
      sql<{
        action: string
      }>`select action from audit_log where entity = 'account' and entity_id = ${person.userId} and action <> 'account.proof-wrong' order by id`,
    )
  ).map(row => row.action)
const triesOf = async (person: Person) =>
  (
    await tenant.rows(sql<{ failCount: number; isLocked: boolean }>`
      select fail_count as "failCount", locked_until is not null as "isLocked" from account where id = ${person.userId}`)
  )[0]
const sessionsOf = async (person: Person): Promise<number> =>
  (await tenant.rows(sql<{ n: number }>`select count(*)::int as n from session where user_id = ${person.userId} and ended_at is null`))[0]
    ?.n ?? 0

describe('a second factor that its owner sets up', () => {
  test('[S2.11] asks for the password, shows secret, picture and ten codes once, keeps none of them readable, and ends the other sessions', async () => {
    const person = await staffWithPassword(t, tenant, 'finance')
    const elsewhere = (await logInByPassword(t, tenant.tenantId, person.account)).body.access_token
    const state = async () => (await person.get('/blade-auth/second-factor/state')).body.data
    expect(await state()).toEqual({ isOffered: true, isOn: false, isRequired: false, since: '', recoveryLeft: 0 })
    expect((await person.post('/blade-auth/second-factor/begin', { json: { password: sealFor(t, 'another password') } })).body.reason).toBe(
      'auth/wrong-password',
    )
    const begun = (await person.post('/blade-auth/second-factor/begin', { json: { password: sealFor(t, testPassword) } })).body.data
    expect(begun).toEqual({
      secret: expect.stringMatching(/^[A-Z2-7]{32}$/),
      uri: expect.stringMatching(
        new RegExp(`^otpauth://totp/[^:]+:${person.account}\\?secret=${begun.secret}&issuer=.+&algorithm=SHA1&digits=6&period=30$`),
      ),
      qr: expect.stringMatching(/^data:image\/svg\+xml;base64,/),
    })
    // It opens nothing yet, and asks for nothing.
    expect([await state(), (await logInByPassword(t, tenant.tenantId, person.account)).status]).toMatchObject([{ isOn: false }, 200])
    expect((await person.post('/blade-auth/second-factor/confirm', { json: { code: wrongCode(t, begun.secret) } })).body.reason).toBe(
      'auth/wrong-code',
    )
    const done = await person.post('/blade-auth/second-factor/confirm', { json: { code: codeOf(t, begun.secret) } })
    expect(done.body.data.recoveryCodes).toHaveLength(10)
    expect(new Set(done.body.data.recoveryCodes).size).toBe(10)
    expect(done.body.data.recoveryCodes[0]).toMatch(/^[a-hj-km-np-z2-9]{4}(-[a-hj-km-np-z2-9]{4}){2}$/)
    expect(await state()).toEqual({
      isOffered: true,
      isOn: true,
      isRequired: false,
      since: expect.stringMatching(/^2026-/),
      recoveryLeft: 10,
    })
    await t.app.catchUp()
    expect((await t.anonymous().get('/blade-auth/oauth/user-info', { headers: { 'blade-auth': `bearer ${elsewhere}` } })).status).toBe(401)
    expect(await actionsOf(person)).toEqual(['account.second-factor-on'])
    const [row] = await tenant.rows(sql<{ factor: string; codes: string; audit: string }>`
      select (select string_agg(encode(secret_sealed, 'escape') || coalesce(pending_sealed::text, ''), '') from second_factor where user_id = ${person.userId}) as factor,
        (select string_agg(code_hash, ' ') from recovery_code where user_id = ${person.userId}) as codes,
        (select string_agg(l::text, ' ') from audit_log l) as audit`)
    const readable = JSON.stringify(row)
    expect(readable).not.toContain(begun.secret)
    for (const code of done.body.data.recoveryCodes) expect(readable).not.toContain(code)
  })

  test('a secret waits a quarter of an hour for its first code', async () => {
    const person = await staffWithPassword(t, tenant, 'finance')
    const { secret } = (await person.post('/blade-auth/second-factor/begin', { json: { password: sealFor(t, testPassword) } })).body.data
    t.clock.advance(15 * 60_000)
    expect((await person.post('/blade-auth/second-factor/confirm', { json: { code: codeOf(t, secret) } })).body.reason).toBe(
      'auth/enrolment-over',
    )
    two.clock.advance(15 * 60_000)
  })

  test('taking it away, changing the app and new codes each ask for password and code', async () => {
    const person = await staffWithPassword(t, tenant, 'finance')
    const { secret, recoveryCodes } = await enrol(t, person)
    const send = async (path: string, code: string, password = testPassword) =>
      (await person.post(`/blade-auth/second-factor/${path}`, { json: { password: sealFor(t, password), code } })).body
    for (const path of ['remove', 'recovery', 'begin']) {
      nextStep()
      expect([path, (await send(path, codeOf(t, secret), 'another password')).reason]).toEqual([path, 'auth/wrong-password'])
      expect([path, (await send(path, wrongCode(t, secret))).reason]).toEqual([path, 'auth/wrong-code'])
      t.clock.advance(16 * 60_000)
      two.clock.advance(16 * 60_000)
    }
    const renewed = (await send('recovery', codeOf(t, secret))).data.recoveryCodes
    nextStep()
    expect((await send('remove', recoveryCodes[0] ?? '')).reason).toBe('auth/wrong-code')
    const next = (await send('begin', codeOf(t, secret))).data
    nextStep()
    expect((await person.post('/blade-auth/second-factor/confirm', { json: { code: codeOf(t, next.secret) } })).status).toBe(200)
    nextStep()
    // The earlier secret and the earlier codes are of no use.
    expect((await send('remove', codeOf(t, secret))).reason).toBe('auth/wrong-code')
    expect((await send('remove', renewed[0])).reason).toBe('auth/wrong-code')
    expect((await send('remove', codeOf(t, next.secret))).code).toBe(200)
    expect((await send('remove', codeOf(t, next.secret, 1))).reason).toBe('auth/second-factor-off')
    expect((await logInByPassword(t, tenant.tenantId, person.account)).status).toBe(200)
    expect(await actionsOf(person)).toEqual([
      'account.second-factor-on',
      'account.recovery-codes-made',
      'account.second-factor-changed',
      'account.second-factor-off',
    ])
  })

  test('candidates have none', async () => {
    const candidate = await tenant.candidate()
    expect((await candidate.get('/blade-auth/second-factor/state')).body.data).toMatchObject({ isOffered: false, isOn: false })
    expect((await candidate.post('/blade-auth/second-factor/begin', { json: { password: sealFor(t, 'x') } })).body.reason).toBe(
      'auth/second-factor-none',
    )
    expect((await candidate.post('/blade-auth/second-factor/confirm', { json: { code: '123456' } })).body.reason).toBe(
      'auth/second-factor-none',
    )
  })
})

describe('[S7.06][S3.07] a login with a second factor', () => {
  test('the password opens no session but a ticket, the code opens the session that was asked for', async () => {
    const person = await staffWithPassword(t, tenant, ['finance', 'reviewer1'])
    const { secret } = await enrol(t, person)
    nextStep()
    const before = await sessionsOf(person)
    const role = (await tenant.rows(sql<{ id: string }>`select id::text as id from role where role_alias = 'finance'`))[0]?.id ?? ''
    const first = await logInByPassword(t, tenant.tenantId, person.account, testPassword, { headers: { 'role-id': role } })
    expect(first).toMatchObject({
      status: 400,
      body: {
        error: 'second_factor_required',
        error_code: 2923,
        error_description: '请完成两步验证',
        success: false,
        data: { next: 'code', ticket: expect.stringMatching(/^[\w-]{43}$/), expiresIn: 300 },
      },
    })
    expect([first.headers['set-cookie'], JSON.stringify(first.body).includes('access_token'), await sessionsOf(person)]).toEqual([
      undefined,
      false,
      before,
    ])
    const { ticket } = first.body.data
    // The ticket is no token.
    expect((await t.anonymous().get('/blade-auth/oauth/user-info', { headers: { 'blade-auth': `bearer ${ticket}` } })).status).toBe(401)
    const second = await sendCode(t, tenant.tenantId, ticket, codeOf(t, secret))
    expect(second).toMatchObject({
      status: 200,
      body: { token_type: 'bearer', user_id: person.userId, role_id: role, role_name: 'finance' },
    })
    expect(String(second.headers['set-cookie'])).toMatch(
      /^kaopu-refresh-token=[\w-]{43}; Path=\/api\/blade-auth\/oauth\/token; HttpOnly; SameSite=Strict/,
    )
    expect(
      (await t.anonymous().get('/blade-auth/oauth/user-info', { headers: { 'blade-auth': `bearer ${second.body.access_token}` } })).status,
    ).toBe(200)
    expect(
      await tenant.rows(sql`select grant_type as "grant", result from login_log where user_id = ${person.userId} order by id desc limit 2`),
    ).toEqual([
      { grant: 'password', result: 'ok' },
      { grant: 'password', result: 'auth/second-factor' },
    ])
  })

  test('a code and a ticket are good once, also for two that arrive together at two processes', async () => {
    const person = await staffWithPassword(t, tenant, 'finance')
    const { secret } = await enrol(t, person)
    const ticketOf = async () => (await logInByPassword(t, tenant.tenantId, person.account)).body.data.ticket as string
    // The code that confirmed the app was used by that.
    expect((await sendCode(t, tenant.tenantId, await ticketOf(), codeOf(t, secret))).body.reason).toBe('auth/wrong-code')
    nextStep()
    const tickets = [await ticketOf(), await ticketOf(), await ticketOf()]
    const together = await Promise.all(tickets.map((ticket, i) => sendCode(i % 2 ? two : t, tenant.tenantId, ticket, codeOf(t, secret))))
    expect(together.map(answer => answer.body.reason ?? 'in').sort()).toEqual(['auth/wrong-code', 'auth/wrong-code', 'in'])
    nextStep()
    const ticket = await ticketOf()
    expect((await sendCode(t, tenant.tenantId, ticket, codeOf(t, secret))).status).toBe(200)
    nextStep()
    expect((await sendCode(t, tenant.tenantId, ticket, codeOf(t, secret))).body).toMatchObject({
      reason: 'auth/ticket-over',
      error_code: 2911,
    })
    // The database itself lets a step be used once, whoever looked at it before.
    const step = totpStep(t.clock.now()) + 1
    expect([
      await tenant.db(db => spendStep(db, person.userId, step)),
      await tenant.db(db => spendStep(db, person.userId, step)),
      await tenant.db(db => spendStep(db, person.userId, step - 1)),
    ]).toEqual([true, false, false])
    nextStep()
    // A step before one that was used is over too, although its half minute is not.
    nextStep()
    const [late, later] = [await ticketOf(), await ticketOf()]
    expect((await sendCode(t, tenant.tenantId, late, codeOf(t, secret, 1))).status).toBe(200)
    expect((await sendCode(t, tenant.tenantId, later, codeOf(t, secret, 0))).body.reason).toBe('auth/wrong-code')
  })

  test('the ticket is bound to tenant, client and browser, and to five minutes', async () => {
    const person = await staffWithPassword(t, tenant, 'finance')
    const { secret } = await enrol(t, person)
    nextStep()
    const { ticket } = (await logInByPassword(t, tenant.tenantId, person.account)).body.data
    const other = await t.tenant()
    await t.platform().db(db =>
      db.run(sql`
        insert into oauth_client (tenant_id, client_id, client_name, secret_hash, authorized_grant_types, access_token_validity, refresh_token_validity)
        select tenant_id, 'kaopu-other', 'x', secret_hash, authorized_grant_types, 3600, 604800 from oauth_client where client_id = 'kaopu-web'`),
    )
    const by = (headers: Record<string, string>, at = tenant.tenantId) => sendCode(t, at, ticket, codeOf(t, secret), headers)
    const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`
    expect((await by({}, other.tenantId)).body.reason).toBe('auth/ticket-over')
    expect((await by({ authorization: basic('kaopu-other:kaopu-web') })).body.reason).toBe('auth/ticket-over')
    expect((await by({ authorization: basic('kaopu-web:wrong') })).body.reason).toBe('auth/invalid-client')
    expect((await by({ 'user-agent': 'another browser' })).body.reason).toBe('auth/ticket-over')
    t.clock.advance(5 * 60_000)
    expect((await by({})).body.reason).toBe('auth/ticket-over')
    two.clock.advance(5 * 60_000)
  })

  test('wrong codes lock like wrong passwords, right passwords in between buy no new ones, and 20 at once are five', async () => {
    const person = await staffWithPassword(t, tenant, 'finance')
    const { secret } = await enrol(t, person)
    nextStep()
    const ticketOf = async () => (await logInByPassword(t, tenant.tenantId, person.account)).body.data?.ticket as string
    const seen: string[] = []
    for (let i = 0; i < 5; i += 1) seen.push((await sendCode(t, tenant.tenantId, await ticketOf(), wrongCode(t, secret))).body.reason)
    expect(seen).toEqual(Array(5).fill('auth/wrong-code'))
    expect(await triesOf(person)).toEqual({ failCount: 5, isLocked: true })
    expect((await logInByPassword(t, tenant.tenantId, person.account)).body.error).toBe('account_locked')
    for (const app of [t, two]) app.clock.advance(15 * 60_000)
    const ticket = await ticketOf()
    const burst = await Promise.all(
      Array.from({ length: 20 }, (_, i) => sendCode(i % 2 ? two : t, tenant.tenantId, ticket, wrongCode(t, secret))),
    )
    const counted = Object.groupBy(burst, answer => String(answer.body.reason))
    expect([counted['auth/wrong-code']?.length, counted['auth/account-locked']?.length]).toEqual([5, 15])
    expect((await sendCode(t, tenant.tenantId, ticket, codeOf(t, secret))).body.reason).toBe('auth/account-locked')
    for (const app of [t, two]) app.clock.advance(24 * 3_600_000)
    expect((await sendCode(t, tenant.tenantId, await ticketOf(), codeOf(t, secret))).status).toBe(200)
    expect(await triesOf(person)).toEqual({ failCount: 0, isLocked: false })
  })

  test('a recovery code opens once, in any spelling, is told in the audit and counts down', async () => {
    const person = await staffWithPassword(t, tenant, 'finance')
    const stranger = await staffWithPassword(t, tenant, 'finance')
    const { recoveryCodes } = await enrol(t, person)
    const theirs = (await enrol(t, stranger)).recoveryCodes
    const send = async (code: string) =>
      sendCode(t, tenant.tenantId, (await logInByPassword(t, tenant.tenantId, person.account)).body.data.ticket, code)
    const [code = ''] = recoveryCodes
    expect((await send(theirs[0] ?? '')).body.reason).toBe('auth/wrong-code')
    expect((await send(` ${code.toUpperCase().replaceAll('-', ' ')} `)).status).toBe(200)
    expect((await send(code)).body.reason).toBe('auth/wrong-code')
    expect((await person.get('/blade-auth/second-factor/state')).body.data).toMatchObject({ isOn: true, recoveryLeft: 9 })
    expect(await actionsOf(person)).toEqual(['account.second-factor-on', 'account.recovery-code-used'])
  })

  test('every door asks: code by SMS and the organisation’s directory', async () => {
    const own = await t.tenant()
    await set(own, 'staff.smsLogin', '1')
    const person = await staffWithPassword(t, own, 'reviewer1')
    const phone = '16055559001'
    await own.db(db =>
      db.run(sql`
        update account set account = 'reviewer1a', account_key = 'reviewer1a', phone_verified_at = app_now(),
          phone_index = ${t.app.services.cipher.blindIndex(own.tenantId, 'phone', phone)} where id = ${person.userId}`),
    )
    await enrol(t, person)
    const guest = t.anonymous(own.tenantId)
    const { id } = (await guest.post('/blade-auth/oauth/sms/send-validate', { form: { phone: sealFor(t, phone) } })).body.data
    const sms = await guest.post('/blade-auth/oauth/token', {
      form: { grant_type: 'sms_code', phone: sealFor(t, phone), id, value: testSms },
    })
    expect(sms.body).toMatchObject({ reason: 'auth/second-factor', data: { next: 'code' } })
    expect((await logInAs(t, own.tenantId, 'demo_sso', 'd-2001')).body).toMatchObject({
      reason: 'auth/second-factor',
      data: { next: 'code' },
    })
    expect((await own.rows(sql<{ n: number }>`select count(*)::int as n from session where ended_at is null`))[0]?.n).toBe(1)
  })
})

describe('a tenant that demands it', () => {
  test('leads administrators, then all staff, to set it up before there is a session; candidates never', async () => {
    const own = await t.tenant()
    const [admin, clerk] = [await staffWithPassword(t, own, 'admin'), await staffWithPassword(t, own, 'finance')]
    const kindOf = async (account: string) => (await logInByPassword(t, own.tenantId, account)).body.data?.next ?? 'in'
    expect([await kindOf(admin.account), await kindOf(clerk.account)]).toEqual(['in', 'in'])
    await set(own, 'account.totpAdmin', '1')
    expect([await kindOf(admin.account), await kindOf(clerk.account)]).toEqual(['enrol', 'in'])
    await set(own, 'account.totpStaff', '1')
    expect([await kindOf(admin.account), await kindOf(clerk.account)]).toEqual(['enrol', 'enrol'])
    const candidate = await own.candidate()
    const hash = await t.app.services.passwords.hash(testPassword)
    await own.db(db => db.run(sql`update account set password_hash = ${hash}, account_key = 'someone' where id = ${candidate.userId}`))
    expect(await kindOf('someone')).toBe('in')
  })

  test('the ticket sets the app up, its first code opens the session and answers the recovery codes', async () => {
    const own = await t.tenant()
    const admin = await staffWithPassword(t, own, 'admin')
    await set(own, 'account.totpAdmin', '1')
    const first = await logInByPassword(t, own.tenantId, admin.account)
    expect(first.body.data).toEqual({ error: 'second_factor_required', next: 'enrol', ticket: expect.any(String), expiresIn: 900 })
    const { ticket } = first.body.data
    const begin = (headers = {}) => t.anonymous(own.tenantId).post('/blade-auth/oauth/second-factor/begin', { json: { ticket }, headers })
    expect((await begin({ 'user-agent': 'another browser' })).body.reason).toBe('auth/ticket-over')
    expect((await sendCode(t, own.tenantId, ticket, '123456')).body.reason).toBe('auth/ticket-over')
    const { secret } = (await begin()).body.data
    expect((await sendCode(t, own.tenantId, ticket, wrongCode(t, secret))).body.reason).toBe('auth/wrong-code')
    const done = await sendCode(t, own.tenantId, ticket, codeOf(t, secret))
    expect(done).toMatchObject({
      status: 200,
      body: { user_id: admin.userId, recoveryCodes: expect.arrayContaining([expect.any(String)]) },
    })
    expect((await begin()).body.reason).toBe('auth/ticket-over')
    // From now on it is asked for, and cannot be turned off.
    const again = await logInByPassword(t, own.tenantId, admin.account)
    expect(again.body.data.next).toBe('code')
    nextStep()
    expect(
      (await admin.post('/blade-auth/second-factor/remove', { json: { password: sealFor(t, testPassword), code: codeOf(t, secret) } })).body
        .reason,
    ).toBe('auth/second-factor-due')
    expect((await admin.get('/blade-auth/second-factor/state')).body.data).toMatchObject({ isOn: true, isRequired: true })
  })

  test('sessions from before the demand end with their next refresh', async () => {
    const own = await t.tenant()
    const admin = await staffWithPassword(t, own, 'admin')
    const first = await logInByPassword(t, own.tenantId, admin.account)
    const cookie = String(first.headers['set-cookie']).split(';')[0] ?? ''
    await set(own, 'account.totpAdmin', '1')
    const answer = await t.anonymous(own.tenantId).post('/blade-auth/oauth/token', {
      form: { grant_type: 'refresh_token' },
      headers: { cookie, 'sec-fetch-site': 'same-origin' },
    })
    expect(answer.body.error).toBe('invalid_refresh_token')
  })
})

describe('[S7.19] an administrator takes the second factor of somebody else away', () => {
  test('[two persons: secondFactorReset] with a right of its own and a reason; sessions end, the password stays, the line in the audit is written', async () => {
    const admin = await tenant.staff('admin')
    const person = await staffWithPassword(t, tenant, 'finance')
    const { secret } = await enrol(t, person)
    const reset = (by: Person, json: object) => by.post('/blade-system/user/reset-second-factor', { json })
    const line = async () => (await admin.get('/blade-system/user/detail', { query: { id: person.userId } })).body.data.secondFactor
    expect(await line()).toBe(1)
    expect((await reset(await tenant.staff('finance'), { userIds: person.userId, reason: '手机丢失' })).status).toBe(403)
    expect((await reset(await (await t.tenant()).staff('admin'), { userIds: person.userId, reason: '手机丢失' })).status).toBe(404)
    expect((await reset(admin, { userIds: person.userId })).body).toMatchObject({ code: 400, msg: '请输入重置原因' })
    expect((await reset(admin, { userIds: admin.userId, reason: '自己' })).body.reason).toBe('user/self')
    // The owner has a password: two persons, the owner told, and a waiting time, or a document shown to both.
    const colleague = await tenant.staff('admin')
    const lost = { userIds: person.userId, reason: '手机丢失' }
    expect((await reset(admin, lost)).body.data).toMatchObject({ changed: 0, waiting: [{ userId: person.userId }] })
    expect((await reset(admin, lost)).body.reason).toBe('kernel/two-persons-own')
    // An account without a number is not told by what lies inside it: somebody telephones, and it is written who.
    expect((await reset(colleague, lost)).body.reason).toBe('kernel/two-persons-untold')
    const told = { of: `factor-${person.userId}`, note: '拨打单位电话，本人知悉' }
    expect((await admin.get('/blade-send/told/state', { query: { of: told.of } })).body.data).toMatchObject({
      ...{ toldTime: null, persons: [{ sms: 'none', mayCall: true, readTime: null }] },
    })
    expect((await admin.post('/blade-send/told/call', { json: told })).body.data.persons).toMatchObject([
      { callNote: told.note, mayCall: false },
    ])
    expect((await reset(colleague, lost)).body.data).toMatchObject({ changed: 0, waiting: [{ waiting: expect.stringContaining('2026-') }] })
    expect((await reset(colleague, lost)).body.reason).toBe('kernel/two-persons-waits')
    expect([await line(), (await person.get('/blade-auth/oauth/user-info')).status]).toEqual([1, 200])
    expect(await tenant.rows(sql`select title_zh as title from notify where user_id = ${person.userId}`)).toEqual([
      { title: '有人申请变更您的账号' },
    ])
    await tenant.rows(sql`update two_person_act set apply_at = app_now() where kind = 'secondFactorReset'`)
    expect((await reset(admin, lost)).body.data).toEqual({ changed: 1, waiting: [] })
    expect((await reset(admin, { userIds: person.userId, reason: '再来' })).body.reason).toBe('user/no-second-factor')
    await t.app.catchUp()
    expect([await line(), (await person.get('/blade-auth/oauth/user-info')).status]).toEqual([0, 401])
    nextStep()
    const answer = await logInByPassword(t, tenant.tenantId, person.account)
    expect([answer.status, answer.body.user_id]).toEqual([200, person.userId])
    expect(codeOf(t, secret)).toMatch(/^\d{6}$/)
    expect(
      await tenant.rows(sql`
        select action, user_id::text as "by", reason from audit_log where entity_id = ${person.userId} and action = 'account.second-factor-reset'`),
    ).toEqual([{ action: 'account.second-factor-reset', by: admin.userId, reason: '手机丢失' }])
  })
})

test('[S7.06] the captcha is still asked for in front of a second factor', async () => {
  const person = await staffWithPassword(t, tenant, 'finance')
  await enrol(t, person)
  const answer = await t.anonymous(tenant.tenantId).post('/blade-auth/oauth/token', {
    form: { grant_type: 'password', username: person.account, password: sealFor(t, testPassword), key: 'x', code: testCaptcha },
  })
  expect(answer.body.error).toBe('invalid_captcha')
})
