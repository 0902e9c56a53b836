import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { type Person, startTestApp, type TestApp, type TestTenant, testSms, testStart } from '../../support/app.ts'
import { testIdCard } from '../../support/id-card.ts'
import { logInByPassword, sealFor } from '../../support/login.ts'

let t: TestApp
let tenant: TestTenant
beforeAll(async () => {
  t = await startTestApp()
  tenant = await t.tenant()
})
afterAll(() => t.close())

const sealed = (plain: string): string => sealFor(t, plain)
const [before, after] = ['Quiet-lanterns-drift-48', 'Sunny-river-2727']

interface Someone extends Person {
  readonly account: string
  readonly phone: string
  readonly idCard: string
}
let serial = 700
const someone = async (): Promise<Someone> => {
  serial += 1
  const own = { phone: `16066${String(serial).padStart(6, '0')}`, idCard: testIdCard(serial) }
  const person = await tenant.candidate({ realName: '王测', ...own })
  const hash = await t.app.services.passwords.hash(before)
  const [row] = await tenant.rows(
    sql<{ account: string }>`update account set password_hash = ${hash} where id = ${person.userId} returning account`,
  )
  return { ...person, ...own, account: row?.account ?? '' }
}
const codeTo = async (phone: string): Promise<string> => {
  t.clock.advance(61_000)
  const sent = await t.anonymous(tenant.tenantId).post('/blade-auth/oauth/sms/send-validate', { form: { phone: sealed(phone) } })
  return sent.body.data.id
}
const reset = async (phone: string, idCard: string, more: Readonly<Record<string, string>> = {}) =>
  t.anonymous(tenant.tenantId).post('/blade-system/user/reset-by-sms', {
    json: {
      ...{ phone: sealed(phone), idCard: sealed(idCard), smsId: more['smsId'] ?? (await codeTo(phone)), smsCode: testSms },
      ...{ password: sealed(after), password2: sealed(after), ...more },
    },
  })
const logInBySms = async (phone: string): Promise<Record<string, string>> => {
  const form = { grant_type: 'sms_code', phone: sealed(phone), id: await codeTo(phone), value: testSms }
  const { status, body } = await t.anonymous(tenant.tenantId).post('/blade-auth/oauth/token', { form })
  expect(status).toBe(200)
  return { 'blade-auth': `bearer ${body.access_token}` }
}
const failures = (userId: string) =>
  tenant.rows(
    sql<object>`select grant_type || ' ' || result as line from login_log where user_id = ${userId} and result <> 'ok' order by id`,
  )

describe('[19.7] a candidate who forgot the password', () => {
  test('chooses another one by SMS code and id number; the old one, every session and the code are spent, and it is told and audited', async () => {
    const person = await someone()
    const other = await someone()
    const answer = await reset(person.phone, person.idCard.toLowerCase())
    expect([answer.status, answer.body.data]).toEqual([200, { account: person.account }])
    expect((await person.get('/blade-system/user/info')).status).toBe(401)
    expect((await logInByPassword(t, tenant.tenantId, person.account, before)).body.error).toBe('invalid_grant')
    expect((await logInByPassword(t, tenant.tenantId, person.phone, after)).status).toBe(200)
    expect((await other.get('/blade-system/user/info')).status).toBe(200)
    expect(await tenant.rows(sql`select title_zh as title from notify where user_id = ${person.userId}`)).toEqual([
      { title: '登录密码已重设' },
    ])
    expect(await tenant.rows(sql`select action, entity_id as id from audit_log where action = 'account.password-reset-by-owner'`)).toEqual([
      { action: 'account.password-reset-by-owner', id: person.userId },
    ])
  })

  test('a wrong code, another person’s id number and a phone that nobody has change nothing, and the last two are answered alike', async () => {
    const [person, other] = [await someone(), await someone()]
    expect((await reset(person.phone, person.idCard, { smsCode: '000001' })).body.reason).toBe('auth/invalid-sms-code')
    const foreign = await reset(person.phone, other.idCard)
    const nobody = await reset('16077000001', person.idCard)
    const shown = ({ status, body: { code, reason, msg } }: typeof foreign) => ({ status, code, reason, msg })
    expect(shown(foreign)).toEqual({
      status: 400,
      code: 2914,
      reason: 'auth/not-yours',
      msg: '手机号与证件号码不匹配，请核对；手机号已不用的，请选择“手机号不用了”',
    })
    expect(shown(nobody)).toEqual(shown(foreign))
    expect(await failures(person.userId)).toEqual([{ line: 'sms_code auth/invalid-sms-code' }, { line: 'reset_password auth/not-yours' }])
    for (const one of [person, other]) expect((await logInByPassword(t, tenant.tenantId, one.account, before)).status).toBe(200)
  })

  test('guesses at the id number count with all the other doors and lock the account', async () => {
    const person = await someone()
    for (let at = 0; at < 4; at += 1) await reset(person.phone, testIdCard(30 + at))
    await logInByPassword(t, tenant.tenantId, person.account, 'wrong')
    expect((await reset(person.phone, person.idCard)).body.reason).toBe('auth/account-locked')
    expect((await logInByPassword(t, tenant.tenantId, person.account, before)).body.error).toBe('account_locked')
  })

  test('what is typed wrong is named: phone, number, weak and different passwords; a code is good once', async () => {
    const person = await someone()
    const field = async (answer: ReturnType<typeof reset>) => (await answer).body.data?.fields?.[0]?.field ?? (await answer).body.reason
    expect([
      await field(reset(person.phone, person.idCard, { smsId: 'none', phone: sealed('123') })),
      await field(reset(person.phone, '330106199806301024', { smsId: 'none' })),
      await field(reset(person.phone, person.idCard, { smsId: 'none', password: sealed('short'), password2: sealed('short') })),
      await field(reset(person.phone, person.idCard, { smsId: 'none', password2: sealed('Sunny-river-2728') })),
    ]).toEqual(['phone', 'idCard', 'password', 'auth/password-mismatch'])
    const smsId = await codeTo(person.phone)
    expect((await reset(person.phone, person.idCard, { smsId })).status).toBe(200)
    expect((await reset(person.phone, person.idCard, { smsId })).body.reason).toBe('auth/sms-code-over')
  })

  test('members of staff and accounts that are off have no such way', async () => {
    const person = await someone()
    await tenant.db(db => db.run(sql`update account set status = 2 where id = ${person.userId}`))
    expect((await reset(person.phone, person.idCard)).body.reason).toBe('auth/account-disabled')
    const staff = await tenant.staff('reviewer1')
    const index = (kind: string, value: string) => t.app.services.cipher.blindIndex(tenant.tenantId, kind, value)
    const own = { phone: '16066999001', idCard: testIdCard(799) }
    await tenant.db(db =>
      db.run(sql`
        update account set phone_index = ${index('phone', own.phone)}, phone_verified_at = app_now(), id_card_index = ${index('id-card', own.idCard)}
        where id = ${staff.userId}`),
    )
    expect((await reset(own.phone, own.idCard)).body.reason).toBe('auth/not-yours')
  })
})

describe('[19.7] after a login by SMS code', () => {
  const change = (headers: Record<string, string>, more: object = {}) =>
    t.anonymous(tenant.tenantId).post('/blade-system/user/update-password', {
      headers,
      json: { newPassword: sealed(after), newPassword1: sealed(after), ...more },
    })

  test('the old password is not asked for half an hour; afterwards, and after a login by password, it is', async () => {
    const person = await someone()
    const headers = await logInBySms(person.phone)
    const me = () => t.anonymous(tenant.tenantId).get('/blade-system/user/info', { headers })
    expect((await me()).body.data.passwordAsked).toBe(false)
    expect((await person.get('/blade-system/user/info')).body.data.passwordAsked).toBe(true)
    expect((await change({ 'blade-auth': `bearer ${person.token}` })).body.reason).toBe('auth/wrong-password')
    expect((await change(headers)).status).toBe(200)
    expect((await logInByPassword(t, tenant.tenantId, person.account, after)).status).toBe(200)
    expect((await t.anonymous(tenant.tenantId).post('/me/closing/request', { headers, json: {} })).status).toBe(200)
    t.clock.advance(30 * 60_000)
  })

  test('half an hour later the session is as any other', async () => {
    const person = await someone()
    const headers = await logInBySms(person.phone)
    t.clock.advance(30 * 60_000 + 1)
    expect((await t.anonymous(tenant.tenantId).get('/blade-system/user/info', { headers })).body.data.passwordAsked).toBe(true)
    expect((await change(headers)).body.reason).toBe('auth/wrong-password')
    expect((await change(headers, { oldPassword: sealed(before) })).status).toBe(200)
    t.clock.set(testStart)
  })
})
