import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sm2Encrypt } from '#kernel/crypto/sm2.ts'
import { sql } from '#kernel/db/sql.ts'
import { startTestApp, type TestApp, type TestTenant, testStart } from '../../support/app.ts'
import { buildExam } from '../../support/factories.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp({ profile: 'production' })
})
afterAll(() => t.close())
beforeEach(() => t.clock.set(testStart))

const askCode = async (tenant: TestTenant, phone: string, language: 'zh' | 'en' = 'zh') => {
  const guest = t.anonymous(tenant.tenantId)
  const { body } = await guest.get('/blade-auth/oauth/public-key')
  return guest.post('/blade-auth/oauth/sms/send-validate', { language, form: { phone: sm2Encrypt(body.data.publicKey, phone) } })
}
const alarms = (tenant: TestTenant, userId: string) =>
  tenant.rows(sql<{ title: string; link: string }>`select title_zh as title, link from notify where user_id = ${userId} order by id`)
const noService = { title: '告警：未设置短信服务，短信未发出', link: '/resource/sms' }

describe('production without a text message service', () => {
  test('a code is refused at once, in words; administrators of the tenant and of the platform are alarmed once a day', async () => {
    const tenant = await t.tenant()
    const [admin, officer, operator] = [
      await tenant.staff('admin'),
      await tenant.staff('exam_admin'),
      await t.platform().staff('administrator'),
    ]
    const refused = await askCode(tenant, '16000020001')
    expect([refused.status, refused.body.code, refused.body.reason, refused.body.msg]).toEqual([
      503,
      2704,
      'sms/no-service',
      '本系统尚未开通短信，验证码无法发出。请联系考试组织单位',
    ])
    expect((await askCode(tenant, '16000020002', 'en')).body.msg).toContain('no code can be sent')
    expect(await tenant.rows(sql`select 1 from login_challenge where kind = 'sms'`)).toEqual([])
    expect(await tenant.rows(sql`select 1 from sms_message`)).toEqual([])
    expect(await alarms(tenant, admin.userId)).toEqual([noService])
    expect(await alarms(tenant, officer.userId)).toEqual([])
    expect(await alarms(t.platform(), operator.userId)).toEqual([noService])
    t.clock.advance(24 * 3_600_000)
    await askCode(tenant, '16000020001')
    expect(await alarms(tenant, admin.userId)).toEqual([noService, noService])
  })

  test('a message that is due does not count as sent', async () => {
    const tenant = await t.tenant()
    const admin = await tenant.staff('admin')
    await tenant.db(db =>
      t.app.modules.message.sendSms(db, { phone: '16000030001', template: 'refund-done', params: { amount: '1.00' }, userId: null }),
    )
    await t.runTasks()
    expect(await tenant.rows(sql`select state, fail_kind as kind, fail_reason as reason from sms_message`)).toEqual([
      { state: 3, kind: 'ours', reason: '没有启用的短信服务，短信未发出' },
    ])
    expect(await alarms(tenant, admin.userId)).toEqual([noService])
  })

  test('the release check of an examination names it, unless candidates neither register nor log in by text message', async () => {
    const tenant = await t.tenant()
    const officer = await tenant.staff('exam_admin')
    const { examId } = await buildExam(tenant)
    const check = async (): Promise<readonly { path: string; msg: string }[]> =>
      (await officer.post('/blade-exam/examination/releaseExam', { json: { id: examId, dryRun: 1 } })).body.data.problems
    expect((await check()).filter(({ path }) => path === 'sms')).toEqual([
      { path: 'sms', msg: '没有启用的短信服务：考生收不到验证码，无法注册或用短信登录（消息 › 短信服务）' },
    ])
    await tenant.rows(sql`update param set param_value = '0' where param_key in ('candidate.register', 'candidate.smsLogin')`)
    expect((await check()).filter(({ path }) => path === 'sms')).toEqual([])
  })

  test('a service that knows no number for the words of codes is as good as none', async () => {
    const tenant = await t.tenant()
    const admin = await tenant.staff('admin')
    await tenant.db(async db => {
      const { id } = await db.one(sql<{ id: string }>`select next_id()::text as id`)
      const sealed = t.app.services.cipher.seal(
        tenant.tenantId,
        { table: 'sms_provider', column: 'secret_key_sealed', rowId: id },
        'secret',
      )
      await db.run(sql`
        insert into sms_provider (tenant_id, id, category, sms_code, sign_name, template_id, access_key, secret_key_sealed, region_id, app_id, status)
        values (${tenant.tenantId}, ${id}, '3', 'main', '某区卫健局', 'SMS_1', 'key', ${sealed}, 'cn-hangzhou', '', 2)`)
    })
    await tenant.rows(sql`
      insert into send_template (tenant_id, code, name, scene, title, content, vars, template_id, sign_name, status)
      values (${tenant.tenantId}, 'code', '登录验证码', 'login-code', '', '验证码 {code}', 'code', '', '', 1)`)
    expect((await askCode(tenant, '16000040001')).body.reason).toBe('sms/no-service')
    expect((await alarms(tenant, admin.userId)).map(({ title }) => title)).toEqual(['告警：验证码短信没有模板编号，短信未发出'])
    await tenant.rows(sql`update send_template set template_id = 'SMS_2' where scene = 'login-code'`)
    expect((await askCode(tenant, '16000040001')).status).toBe(200)
  })
})

test('demo and tests go on without a service', async () => {
  const demo = await startTestApp()
  try {
    const tenant = await demo.tenant()
    expect(await tenant.db(demo.app.modules.message.codeProblem)).toBeUndefined()
  } finally {
    await demo.close()
  }
})
