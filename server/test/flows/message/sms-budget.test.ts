import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sm2Encrypt } from '#kernel/crypto/sm2.ts'
import { sql } from '#kernel/db/sql.ts'
import { startTestApp, type TestApp, type TestTenant, testStart } from '../../support/app.ts'
import { noticesOf, runTask } from '../../support/pay.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp()
})
afterAll(() => t.close())
beforeEach(() => t.clock.set(testStart))

const setUp = async (budget: string): Promise<TestTenant> => {
  const tenant = await t.tenant()
  await tenant.rows(sql`update param set param_value = ${budget} where param_key = 'sms.dailyBudget'`)
  return tenant
}
/** A message of one part to a candidate, as the outcome of some decision. */
const tell = (tenant: TestTenant, phone: string) =>
  tenant.db(db => t.app.modules.message.sendSms(db, { phone, template: 'refund-done', params: { amount: '1.00' }, userId: null }))
const states = (tenant: TestTenant) =>
  tenant.rows(sql<{ state: number; reason: string | null }>`select state, fail_reason as reason from sms_message order by id`)
const askCode = async (tenant: TestTenant, phone: string) => {
  const guest = t.anonymous(tenant.tenantId)
  const { body } = await guest.get('/blade-auth/oauth/public-key')
  return guest.post('/blade-auth/oauth/sms/send-validate', { form: { phone: sm2Encrypt(body.data.publicKey, phone) } })
}
const used = 3
const failed = { state: 3, reason: '当日短信额度已用完' }
const sent = { state: 1, reason: null }

describe('daily budget of text messages (decision 4.7)', () => {
  test('what is beyond it is not handed to the provider, administrators are told once, the next day it goes on', async () => {
    const tenant = await setUp(String(used))
    const admin = await tenant.staff('admin')
    const officer = await tenant.staff('exam_admin')
    const other = await setUp('1')
    for (let i = 0; i < used + 2; i += 1) await tell(tenant, `1600001000${i}`)
    await tell(other, '16000010009')
    await t.runTasks()
    expect(await states(tenant)).toEqual([sent, sent, sent, failed, failed])
    expect(await states(other)).toEqual([sent])
    expect(await noticesOf(tenant, admin.userId)).toEqual(['今日短信额度已用 80%', '今日短信额度已用完'])
    expect(await noticesOf(tenant, officer.userId)).toEqual([])

    t.clock.set('2026-03-17T23:59:59+08:00')
    await tell(tenant, '16000010010')
    await t.runTasks()
    expect((await states(tenant)).at(-1)).toEqual(failed)
    t.clock.set('2026-03-18T00:00:00+08:00')
    await tell(tenant, '16000010011')
    await t.runTasks()
    expect((await states(tenant)).at(-1)).toEqual(sent)
    expect(await noticesOf(tenant, admin.userId)).toHaveLength(2)
  })

  test('a code is refused with 2703 until midnight, messages on their way counted; no code is made', async () => {
    const tenant = await setUp('2')
    expect((await askCode(tenant, '16000020001')).status).toBe(200)
    await tell(tenant, '16000020002')
    const refused = await askCode(tenant, '16000020003')
    expect([refused.status, refused.body.code, refused.body.reason]).toEqual([429, 2703, 'sms/daily-budget'])
    expect(refused.headers['retry-after']).toBe(String(14 * 3_600))
    expect(await tenant.rows(sql`select count(*)::int as n from login_challenge where kind = 'sms'`)).toEqual([{ n: 1 }])
    await t.runTasks()
    expect((await askCode(tenant, '16000020004')).body.reason).toBe('sms/daily-budget')
    t.clock.set('2026-03-18T00:00:00+08:00')
    expect((await askCode(tenant, '16000020005')).status).toBe(200)
  })

  test('a task that runs again takes nothing from the budget again; long texts count by their parts', async () => {
    const tenant = await setUp('10')
    await tell(tenant, '16000030001')
    const [row] = await tenant.rows(sql<{ id: string }>`select id::text as id from sms_message`)
    await t.runTasks()
    await tenant.rows(sql`update sms_message set state = 0`)
    await runTask(t, 'message.send-sms', { tenantId: tenant.tenantId, id: row?.id })
    expect(await tenant.rows(sql`select used from sms_day`)).toEqual([{ used: 1 }])
    await tenant.db(db =>
      t.app.modules.message.sendSms(db, {
        phone: '16000030002',
        template: 'post-cancelled',
        params: { exam: '考'.repeat(80), post: '岗'.repeat(80), deadline: '2026-03-28 10:00' },
        userId: null,
      }),
    )
    await t.runTasks()
    expect(await tenant.rows(sql`select used from sms_day`)).toEqual([{ used: 3 }])
  })

  test('0 sends nothing; what is no number counts as the default', async () => {
    const [none, odd] = [await setUp('0'), await setUp('unlimited')]
    await tell(none, '16000040001')
    await tell(odd, '16000040002')
    await t.runTasks()
    expect([await states(none), await states(odd)]).toEqual([[failed], [sent]])
  })

  test('two workers at once never pass it together', async () => {
    const tenant = await setUp('4')
    for (let i = 0; i < 12; i += 1) await tell(tenant, `160000500${10 + i}`)
    const rows = await tenant.rows(sql<{ id: string }>`select id::text as id from sms_message`)
    await Promise.all(rows.map(({ id }) => runTask(t, 'message.send-sms', { tenantId: tenant.tenantId, id })))
    expect((await states(tenant)).filter(row => row.state === 1)).toHaveLength(4)
    await t.runTasks()
    expect(await tenant.rows(sql`select used from sms_day`)).toEqual([{ used: 4 }])
  })
})
