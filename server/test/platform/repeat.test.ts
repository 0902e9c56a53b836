import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { type Answer, startTestApp, type TestApp, type TestTenant } from '../support/app.ts'
import { logInByPassword, sealFor } from '../support/login.ts'

let t: TestApp
let two: TestApp
let tenant: TestTenant
beforeAll(async () => {
  t = await startTestApp()
  two = await t.beside()
  tenant = await t.tenant()
})
afterAll(() => t.close())

const keptText = async (of: TestTenant): Promise<string> =>
  (await of.rows(sql<{ text: string }>`select coalesce(string_agg(i::text, ' '), '') as text from idempotency i`))[0]?.text ?? ''
const keyed = (key: string) => ({ headers: { 'idempotency-key': key } })
const answerOf = ({ status, body }: Answer) => [status, body.data ?? body.reason]

describe('[19.19] a repeated key at routes with transactions of their own', () => {
  test('user/submit and reset-password: done once, the one-time password comes again and lies nowhere in plain text', async () => {
    const admin = await tenant.staff('admin')
    const add = (account = 'made.once') =>
      admin.post('/blade-system/user/submit', { json: { account, realName: '李四' }, ...keyed('user-submit-1') })
    const first = await add()
    expect(first.status).toBe(200)
    expect((await add()).body.data).toEqual(first.body.data)
    expect(answerOf(await add('made.twice'))).toEqual([422, 'kernel/idempotency-mismatch'])
    expect((await tenant.rows(sql<object>`select account from account where account like 'made.%'`)).length).toBe(1)

    const reset = () =>
      admin.post('/blade-system/user/reset-password', { query: { userIds: first.body.data.id }, ...keyed('reset-password-1') })
    const [one, again] = [await reset(), await reset()]
    expect(again.body).toEqual(one.body)
    const [{ password = '' } = {}] = one.body.data as { password: string }[]
    expect((await logInByPassword(t, tenant.tenantId, 'made.once', password)).status).toBe(200)
    expect(await tenant.rows(sql<object>`select count(*)::int as n from audit_log where action = 'account.password-reset'`)).toEqual([
      { n: 1 },
    ])
    const text = await keptText(tenant)
    expect(text).toContain('sealed')
    for (const secret of [password, first.body.data.oneTime.password, 'made.once']) expect(text).not.toContain(secret)
  })

  test('tenant/submit makes one tenant; its administrator’s password is sealed', async () => {
    const operator = await t.platform().staff('administrator')
    const make = (tenantName = '重复一中心') =>
      operator.post('/blade-system/tenant/submit', {
        json: { tenantName, linkman: '林主任', adminAccount: 'guanli' },
        ...keyed('tenant-submit-1'),
      })
    const [first, again] = [await make(), await make()]
    expect(first.status).toBe(200)
    expect(again.body.data).toEqual(first.body.data)
    expect(answerOf(await make('重复二中心'))).toEqual([422, 'kernel/idempotency-mismatch'])
    expect((await t.platform().rows(sql<object>`select 1 from tenant where tenant_name like '重复%'`)).length).toBeLessThanOrEqual(1)
    expect(await keptText(t.platform())).not.toContain(first.body.data.password)
  })

  test('two at once on two processes: one is done, the other is told to ask again, and then gets the answer', async () => {
    const person = await tenant.staff('reviewer1')
    const change = (at: TestApp) =>
      at.anonymous().post('/blade-system/user/update-info', {
        json: { name: '同时' },
        headers: { 'blade-auth': `bearer ${person.token}`, 'idempotency-key': 'update-info-1' },
      })
    const both = await Promise.all([change(t), change(two)])
    const reasons = both.map(answer => answer.body.reason ?? 'done')
    expect(reasons).toContain('done')
    expect(reasons.every(reason => reason === 'done' || reason === 'kernel/idempotency-running')).toBe(true)
    expect((await change(two)).body.data.name).toBe('同时')
    expect(
      await tenant.rows(
        sql<object>`select count(*)::int as n from audit_log where action = 'account.profile-changed' and entity_id = ${person.userId}`,
      ),
    ).toEqual([{ n: 1 }])
  })

  test('a refusal gives the key back; a call whose process died is never run again, and says so', async () => {
    const admin = await tenant.staff('admin')
    const add = (realName: string | undefined, key: string) =>
      admin.post('/blade-system/user/submit', { json: { account: 'late.one', ...(realName ? { realName } : {}) }, ...keyed(key) })
    expect((await add(undefined, 'refused-first-1')).status).toBe(400)
    expect((await tenant.rows(sql<object>`select 1 from idempotency where key = 'refused-first-1'`)).length).toBe(0)
    expect((await add('李四', 'refused-first-1')).status).toBe(200)

    await tenant.db(db => db.run(sql`update idempotency set answer = null, status = null where key = 'refused-first-1'`))
    const running = await add('李四', 'refused-first-1')
    expect([...answerOf(running), running.headers['retry-after']]).toEqual([409, 'kernel/idempotency-running', '2'])
    t.clock.advance(5 * 60_000)
    expect(answerOf(await add('李四', 'refused-first-1'))).toEqual([409, 'kernel/outcome-lost'])
    t.clock.advance(-5 * 60_000)
  })

  test('nobody’s calls keep the promise too', async () => {
    const guest = t.anonymous(tenant.tenantId)
    const phone = sealFor(t, '16055599001')
    const send = () => guest.post('/blade-auth/oauth/sms/send-validate', { form: { phone }, ...keyed('sms-code-1') })
    const [first, again] = [await send(), await send()]
    expect([first.status, again.body.data]).toEqual([200, first.body.data])
    expect((await tenant.rows(sql<object>`select 1 from login_challenge where kind = 'sms'`)).length).toBe(1)
  })
})
