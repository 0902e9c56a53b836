import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { startTestApp, type TestApp, type TestTenant, testSms } from '../../support/app.ts'
import { logInByPassword, sealFor, staffWithPassword, testPassword } from '../../support/login.ts'

let t: TestApp
let tenant: TestTenant
beforeAll(async () => {
  t = await startTestApp()
  tenant = await t.tenant()
})
afterAll(() => t.close())

const sealed = (plain: string): string => sealFor(t, plain)
const linesOf = (userId: string) =>
  tenant.rows(sql<object>`
    select l.grant_type || ' ' || l.result as line from login_log l join account a on a.id = ${userId}
    where (l.user_id = a.id or l.account_key = a.account_key) and l.result <> 'ok' order by l.id`)
const auditOf = (userId: string) =>
  tenant.rows(sql<object>`
    select action, after_value->>'door' as door, user_id::text as by from audit_log
    where entity = 'account' and entity_id = ${userId} and action in ('account.proof-wrong', 'account.shut-out') order by id`)
const countOf = async (userId: string) =>
  (await tenant.rows(sql<{ n: number }>`select fail_count as n from account where id = ${userId}`))[0]?.n

describe('[19.17] one counter for every door of an account but the codes by SMS', () => {
  test('a session that nobody locked has nothing to unlock: no password is compared, right or wrong', async () => {
    const person = await staffWithPassword(t, tenant, 'reviewer1')
    for (const word of [testPassword, 'a guess']) {
      const answer = await person.post('/blade-auth/oauth/unlock', { json: { password: sealed(word) } })
      expect([answer.status, answer.body.reason, answer.body.msg]).toEqual([409, 'auth/not-locked', '屏幕未锁定，无需解锁'])
    }
    expect([await countOf(person.userId), await linesOf(person.userId), await auditOf(person.userId)]).toEqual([0, [], []])
  })

  test('wrong words at four doors of a member of staff lock them all but the code by SMS, each is written down', async () => {
    const person = await staffWithPassword(t, tenant, 'reviewer1')
    const lock = () => person.post('/blade-auth/oauth/lock', { json: { password: sealed('tea time') } })
    const unlock = (word: string) => person.post('/blade-auth/oauth/unlock', { json: { password: sealed(word) } })
    const [next, again] = ['Sunny-river-27', 'Sunny-river-27']
    const change = (old: string) =>
      person.post('/blade-system/user/update-password', {
        json: { oldPassword: sealed(old), newPassword: sealed(next), newPassword1: sealed(again) },
      })
    const beginFactor = (password: string) => person.post('/blade-auth/second-factor/begin', { json: { password: sealed(password) } })
    const phone = '16055588001'
    const proveNewPhone = async (smsCode: string) => {
      t.clock.advance(61_000)
      const sent = await t.anonymous(tenant.tenantId).post('/blade-auth/oauth/sms/send-validate', { form: { phone: sealed(phone) } })
      return person.post('/blade-system/user/update-info', { json: { phone: sealed(phone), smsId: sent.body.data.id, smsCode } })
    }

    await lock()
    expect((await unlock('wrong')).body.reason).toBe('auth/wrong-password')
    // The word of one's own lock is no proof that gives new tries.
    for (let round = 0; round < 3; round += 1) {
      expect((await unlock('tea time')).status).toBe(200)
      await lock()
    }
    expect((await unlock('tea time')).status).toBe(200)
    expect(await countOf(person.userId)).toBe(1)
    expect((await change('wrong')).body.reason).toBe('auth/wrong-password')
    expect((await beginFactor('wrong')).body.reason).toBe('auth/wrong-password')
    expect((await proveNewPhone('000000')).body.reason).toBe('auth/invalid-sms-code')
    expect(await countOf(person.userId)).toBe(3)
    expect((await beginFactor('wrong')).body.reason).toBe('auth/wrong-password')
    expect((await logInByPassword(t, tenant.tenantId, person.account, 'wrong')).body.error).toBe('invalid_grant')

    const refused = [await change(testPassword), await beginFactor(testPassword)].map(one => one.body.reason)
    expect(refused).toEqual(['auth/account-locked', 'auth/account-locked'])
    expect((await proveNewPhone(testSms)).status).toBe(200)
    expect((await logInByPassword(t, tenant.tenantId, person.account)).body.error).toBe('account_locked')
    await lock()
    expect((await unlock('tea time')).status).toBe(401)
    expect((await person.get('/blade-system/user/info')).status).toBe(401)
    expect((await linesOf(person.userId)).map(row => (row as { line: string }).line)).toEqual([
      'unlock auth/wrong-password',
      'own_password auth/wrong-password',
      'own_password auth/wrong-password',
      'sms_code auth/invalid-sms-code',
      'own_password auth/wrong-password',
      'password auth/invalid-grant',
      'own_password auth/account-locked',
      'own_password auth/account-locked',
      'password auth/account-locked',
      'unlock auth/account-locked',
    ])
    const by = person.userId
    expect(await auditOf(person.userId)).toEqual([
      { action: 'account.proof-wrong', door: 'unlock', by },
      { action: 'account.proof-wrong', door: 'own_password', by },
      { action: 'account.proof-wrong', door: 'own_password', by },
      { action: 'account.proof-wrong', door: 'sms_code', by },
      { action: 'account.proof-wrong', door: 'own_password', by },
      { action: 'account.shut-out', door: null, by: '0' },
    ])
  })

  test('a candidate is one account by name, by phone in any spelling and by the calls of a session', async () => {
    const phone = '16055588002'
    const person = await tenant.candidate({ phone })
    const [row] = await tenant.rows(sql<{ account: string }>`select account from account where id = ${person.userId}`)
    const hash = await t.app.services.passwords.hash(testPassword)
    await tenant.db(db => db.run(sql`update account set password_hash = ${hash} where id = ${person.userId}`))
    const wide = [...phone].map(digit => String.fromCodePoint(0xff10 + Number(digit))).join('')
    const errors = []
    for (const name of [row?.account ?? '', ` ${phone} `, wide])
      errors.push((await logInByPassword(t, tenant.tenantId, name, 'wrong')).body.error)
    errors.push((await logInByPassword(t, tenant.tenantId, phone, 'wrong')).body.error)
    errors.push((await person.post('/me/closing/request', { json: { password: sealed('wrong') } })).body.reason)
    errors.push((await logInByPassword(t, tenant.tenantId, phone)).body.error)
    errors.push((await person.post('/me/export', { json: { password: sealed(testPassword) } })).body.reason)
    expect(errors).toEqual([
      'invalid_grant',
      'invalid_grant',
      'invalid_grant',
      'invalid_grant',
      'auth/wrong-password',
      'account_locked',
      'auth/account-locked',
    ])
  })

  test('a phone that nobody has is counted the same over its spellings', async () => {
    const phone = '16055588003'
    const errors = []
    for (const name of [phone, ` ${phone}`, `${phone} `]) errors.push((await logInByPassword(t, tenant.tenantId, name, 'wrong')).body.error)
    for (const name of [phone, phone, phone, `${phone} `])
      errors.push((await logInByPassword(t, tenant.tenantId, name, 'wrong')).body.error)
    expect(errors).toEqual([
      'invalid_grant',
      'invalid_grant',
      'invalid_grant',
      'invalid_grant',
      'invalid_grant',
      'account_locked',
      'account_locked',
    ])
  })
})
