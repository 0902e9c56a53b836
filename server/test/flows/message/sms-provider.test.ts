import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import type { SmsEmulator } from '#server/demo/sms-emulator/emulator.ts'
import { type Person, startTestApp, type TestApp, type TestTenant, testStart } from '../../support/app.ts'
import { sealFor } from '../../support/login.ts'
import { noticesOf, runTask } from '../../support/pay.ts'
import { createSerial } from '../../support/serial.ts'
import { registerTemplates, serviceForm, smsEmulatorOf, switchedOn } from '../../support/sms.ts'

let t: TestApp
let emulator: SmsEmulator
let tenant: TestTenant
let admin: Person
let colleague: Person
beforeAll(async () => {
  t = await startTestApp()
  emulator = await smsEmulatorOf(t)
})
afterAll(() => t.close())
beforeEach(async () => {
  t.clock.set(testStart)
  tenant = await t.tenant()
  admin = await tenant.staff('admin')
  colleague = await tenant.staff('admin')
})

const nextSerial = createSerial()
const nextPhone = (): string => `1391000${String(nextSerial()).padStart(4, '0')}`
const tell = (phone: string, of = tenant) =>
  of.db(db => t.app.modules.message.sendSms(db, { phone, template: 'refund-done', params: { amount: '1.00' }, userId: null }))
const rows = (of = tenant) =>
  of.rows(sql<{ state: number; kind: string | null; reason: string | null }>`
    select state, fail_kind as kind, fail_reason as reason from sms_message order by id`)
const takenBy = (phone: string): string[] =>
  emulator
    .taken()
    .filter(one => one.phone === phone)
    .map(one => one.content)
const receipts = async (): Promise<void> => {
  const processor = t.app.modules.processors.find(one => one.name === 'message.receipts')
  if (!processor) throw new Error('nobody asks for receipts')
  await processor.run({
    tenantId: '000000',
    params: '',
    item: undefined,
    attempt: 1,
    now: t.clock.now(),
    signal: new AbortController().signal,
    log: () => {},
  })
}
const minutesLater = (minutes: number): void => t.clock.set(new Date(t.clock.now().getTime() + minutes * 60_000).toISOString())

describe('[S7.24] text message services', () => {
  test('keys go in and never out; of several one is on; the trail has no key', async () => {
    const first = await switchedOn(t, admin, '3')
    const second = await switchedOn(t, admin, '4')
    const list = await admin.get('/blade-resource/sms/list')
    expect(
      list.body.data.records.map((row: Record<string, unknown>) => [row['id'], row['smsCode'], row['secretKey'], row['status']]),
    ).toEqual([
      [first, 'aliyun', '', 1],
      [second, 'tencent', '', 2],
    ])
    expect(list.raw.toString()).not.toContain('demo-secret')
    const trail = await tenant.rows(sql<{ action: string; text: string }>`
      select action, coalesce(before_value::text, '') || coalesce(after_value::text, '') as text from audit_log where entity = 'sms' order by id`)
    expect(trail.map(row => row.action)).toEqual(['sms.added', 'sms.switched-on', 'sms.added', 'sms.switched-on'])
    for (const row of trail) expect(row.text).not.toContain('demo-secret')
    const [kept] = await tenant.rows(sql<{ sealed: Buffer }>`select secret_key_sealed as sealed from sms_provider where id = ${first}`)
    expect(kept?.sealed.includes('demo-secret')).toBe(false)
    // A change without a key keeps the one that is there: it still signs.
    const detail = (await admin.get('/blade-resource/sms/detail', { query: { id: second } })).body.data
    expect((await admin.post('/blade-resource/sms/submit', { json: { ...detail, remark: '备用' } })).status).toBe(200)
    await registerTemplates(tenant, '4')
    const phone = nextPhone()
    await tell(phone)
    await t.runTasks()
    expect(takenBy(phone)).toEqual(['【考谱】已退费 1.00 元，原路退回。'])
  })

  test('the service that is on is not removed; another tenant and whoever lacks the right reach none', async () => {
    const id = await switchedOn(t, admin, '3')
    const kept = await admin.post('/blade-resource/sms/remove', { query: { ids: id } })
    expect([kept.status, kept.body.reason]).toEqual([409, 'sms/in-use'])
    const stranger = await (await t.tenant()).staff('admin')
    expect((await stranger.post('/blade-resource/sms/enable', { json: { id } })).status).toBe(404)
    expect((await stranger.get('/blade-resource/sms/detail', { query: { id } })).status).toBe(404)
    expect((await (await tenant.staff('exam_admin')).post('/blade-resource/sms/enable', { json: { id } })).status).toBe(403)
    expect((await admin.post('/blade-resource/sms/enable', { json: { id, off: 1 } })).status).toBe(200)
    expect((await admin.post('/blade-resource/sms/remove', { query: { ids: id } })).body.data).toEqual({ removed: 1 })
  })

  test('providers that are not spoken with, an application id that lacks and a code that is taken are refused at their fields', async () => {
    const fieldOf = async (form: object) => {
      const { body } = await admin.post('/blade-resource/sms/submit', { json: form })
      return [body.reason, body.data.fields[0].field]
    }
    expect(await fieldOf({ ...serviceForm(t, '3'), category: '1' })).toEqual(['sms/category', 'category'])
    expect(await fieldOf({ ...serviceForm(t, '4'), appId: '' })).toEqual(['sms/app-id', 'appId'])
    await switchedOn(t, admin, '3')
    expect(await fieldOf(serviceForm(t, '3'))).toEqual(['kernel/duplicate', 'smsCode'])
  })

  test('a test message tells what the provider said; numbers in every form, a landline refused', async () => {
    await switchedOn(t, admin, '3')
    const send = async (phones: string, params: string, language: 'zh' | 'en' = 'zh') => {
      const json = { code: 'aliyun', phones, params }
      await colleague.post('/blade-resource/sms/send-message', { json })
      return admin.post('/blade-resource/sms/send-message', { json, language })
    }
    expect((await send('+86 139-0000-0001，１３９０００００００２', '{"code":"123456"}')).body.data).toEqual({
      success: true,
      code: 'OK',
      msg: '服务商已受理',
    })
    expect([takenBy('13900000001'), takenBy('13900000002')]).toEqual([
      ['【考谱】验证码 123456，5 分钟内有效，请勿告诉他人。'],
      ['【考谱】验证码 123456，5 分钟内有效，请勿告诉他人。'],
    ])
    expect((await send('0571-88888888', '{}')).body).toMatchObject({ reason: 'sms/phones' })
    expect((await send('13900000001', '[1]')).body).toMatchObject({ reason: 'sms/params' })
    expect((await send('13900000001', '{}')).body.data).toEqual({
      success: false,
      code: 'isv.TEMPLATE_MISSING_PARAMETERS',
      msg: '服务商拒绝：模板变量与服务商处不一致（isv.TEMPLATE_MISSING_PARAMETERS）',
    })
    emulator.fate('13900000003', 'nonsense')
    expect((await send('13900000003', '{"code":"1"}', 'en')).body.data).toEqual({
      success: false,
      code: 'NO_JSON',
      msg: 'The provider has not answered; it will be asked whether it was sent',
    })
  })
})

test('[two persons: trialMessage] one person alone tries a message at the own proven number only; to others the same is sent by two', async () => {
  await switchedOn(t, admin, '3')
  const [own, outside] = [nextPhone(), nextPhone()]
  const send = (who: Person, phones: string, code = '123456') =>
    who.post('/blade-resource/sms/send-message', { json: { code: 'aliyun', phones, params: `{"code":"${code}"}` } })
  const index = t.app.services.cipher.blindIndex(tenant.tenantId, 'phone', own)
  await tenant.rows(sql`update account set phone_index = ${index} where id = ${admin.userId}`)
  // Not proven: it may be anybody's.
  expect((await send(admin, own)).body.data.code).toBe('WAITING')
  await tenant.rows(sql`update account set phone_verified_at = app_now() where id = ${admin.userId}`)
  expect((await send(admin, own)).body.data.code).toBe('OK')
  const first = await send(admin, outside)
  const waits = '已提交，尚未发送：须由另一人按相同内容再发一次（发给本人已验证的手机号不需要）'
  expect(first.body.data).toEqual({ success: true, code: 'WAITING', msg: waits })
  expect((await send(admin, `${own},${outside}`)).body.data.code).toBe('WAITING')
  expect((await send(admin, outside)).body.data.code).toBe('WAITING')
  expect((await send(colleague, outside, '654321')).body.reason).toBe('kernel/two-persons-other')
  expect(takenBy(outside)).toEqual([])
  expect((await send(colleague, outside)).body.data.code).toBe('OK')
  expect([takenBy(own).length, takenBy(outside).length]).toEqual([1, 1])
  await tenant.rows(sql`update account set phone_index = null, phone_verified_at = null where id = ${admin.userId}`)
})

describe('before a service is switched on', () => {
  test('it is tried; switching it on names the templates whose numbers are another provider’s', async () => {
    await registerTemplates(tenant, '4')
    const { id } = (await admin.post('/blade-resource/sms/submit', { json: serviceForm(t, '3') })).body.data
    const phone = nextPhone()
    const trial = { json: { code: 'aliyun', phones: phone, params: '{"code":"123456"}' } }
    await colleague.post('/blade-resource/sms/send-message', trial)
    const tried = await admin.post('/blade-resource/sms/send-message', trial)
    expect([tried.body.data.success, takenBy(phone).length]).toEqual([true, 1])
    expect((await admin.post('/blade-resource/sms/enable', { json: { id } })).body.data.msg).toBe(
      '已启用。注意：2 个模板（login-code、refund-done）的编号不是该服务商的，请在“消息模板”中更换，否则不能发短信',
    )
  })

  test('a signature loses its brackets, here and in templates; a number of another provider is refused at its field', async () => {
    const save = (more: object) => admin.post('/blade-resource/sms/submit', { json: serviceForm(t, '3', more) })
    for (const [more, field] of [
      [{ signName: '【】' }, 'signName'],
      [{ templateId: '900100001' }, 'templateId'],
      [{ category: '4', appId: '1400000000', templateId: 'SMS_1' }, 'templateId'],
    ] as const)
      expect((await save(more)).body.data.fields.map((one: { field: string }) => one.field)).toEqual([field])
    const { id } = (await save({ signName: '【考谱】' })).body.data
    expect((await admin.get('/blade-resource/sms/detail', { query: { id } })).body.data.signName).toBe('考谱')
    await admin.post('/blade-resource/sms/enable', { json: { id } })
    const template = (more: object) =>
      admin.post('/blade-sendTemplate/sendtemplate/submit', {
        json: {
          code: 'tip',
          name: '提醒',
          scene: 'batch',
          content: '请带身份证。',
          templateId: 'SMS_900100001',
          signName: '【卫健】',
          ...more,
        },
      })
    expect((await template({ templateId: '1234567' })).body.data.fields).toEqual([
      { field: 'templateId', msg: '“1234567”不是该服务商的模板编号，应如 SMS_123456789' },
    ])
    expect((await template({})).status).toBe(200)
    expect(await tenant.rows(sql`select sign_name as sign from send_template`)).toEqual([{ sign: '卫健' }])
  })
})

describe.each(['3', '4'] as const)('sending at provider %s', category => {
  beforeEach(async () => {
    await switchedOn(t, admin, category)
    await registerTemplates(tenant, category)
  })

  test('what it takes is delivered once its receipt was asked for', async () => {
    const phone = nextPhone()
    await tell(phone)
    await t.runTasks()
    expect(await rows()).toEqual([{ state: 1, kind: null, reason: null }])
    minutesLater(1)
    await receipts()
    expect(await rows()).toEqual([{ state: 2, kind: null, reason: null }])
  })

  test('a lost answer is asked about and not sent again: it was there', async () => {
    const phone = nextPhone()
    emulator.fate(phone, 'lost-answer', 1)
    await tell(phone)
    await t.runTasks()
    expect(await rows()).toEqual([{ state: 0, kind: null, reason: null }])
    const [{ id } = { id: '' }] = await tenant.rows(sql<{ id: string }>`select id::text as id from sms_message`)
    await runTask(t, 'message.send-sms', { tenantId: tenant.tenantId, id })
    expect(takenBy(phone)).toHaveLength(1)
    minutesLater(3)
    await receipts()
    expect(await rows()).toEqual([{ state: 2, kind: null, reason: null }])
    expect(takenBy(phone)).toHaveLength(1)
  })

  test('a lost question is asked about three times in ten minutes, then it counts as lost; nothing was sent', async () => {
    const phone = nextPhone()
    emulator.fate(phone, 'lost-question')
    await tell(phone)
    await t.runTasks()
    for (const minutes of [1, 3, 10, 10]) {
      minutesLater(minutes)
      await receipts()
    }
    expect(await rows()).toEqual([{ state: 3, kind: 'lost', reason: '服务商没有收到这条短信，可重新发送' }])
    expect(takenBy(phone)).toEqual([])
  })

  test('a fault of the provider is tried again and sent once', async () => {
    const phone = nextPhone()
    emulator.fate(phone, 'internal', 1)
    await tell(phone)
    await expect(t.runTasks()).rejects.toThrow('try again')
    expect(await rows()).toEqual([{ state: 0, kind: null, reason: null }])
    const [{ id } = { id: '' }] = await tenant.rows(sql<{ id: string }>`select id::text as id from sms_message`)
    await runTask(t, 'message.send-sms', { tenantId: tenant.tenantId, id })
    expect([await rows(), takenBy(phone).length]).toEqual([[{ state: 1, kind: null, reason: null }], 1])
    expect(await tenant.rows(sql`select used from sms_day`)).toEqual([{ used: 1 }])
  })

  test('a number that must not have it fails alone; nobody is alarmed', async () => {
    const [barred, other] = [nextPhone(), nextPhone()]
    emulator.fate(barred, 'blacklist')
    await tell(barred)
    await tell(other)
    await t.runTasks()
    expect((await rows()).map(row => [row.state, row.kind])).toEqual([
      [3, 'person'],
      [1, null],
    ])
    expect(await noticesOf(tenant, admin.userId)).toEqual([])
  })

  test('an empty balance fails and administrators are told once a day; the screen shows it', async () => {
    for (const phone of [nextPhone(), nextPhone()]) {
      emulator.fate(phone, 'balance')
      await tell(phone)
    }
    await t.runTasks()
    expect((await rows()).map(row => [row.state, row.kind])).toEqual([
      [3, 'account'],
      [3, 'account'],
    ])
    expect(await noticesOf(tenant, admin.userId)).toEqual(['告警：短信账户异常，短信未发出'])
    const [row] = (await admin.get('/blade-resource/sms/list')).body.data.records
    expect(row.problem).toMatch(/emulator: balance$/)
  })

  test('a phone that is off fails when its receipt says so', async () => {
    const phone = nextPhone()
    emulator.fate(phone, 'undelivered')
    await tell(phone)
    await t.runTasks()
    minutesLater(1)
    await receipts()
    expect(await rows()).toEqual([{ state: 3, kind: 'person', reason: '手机停机或不在服务区（MOBILE_NOT_ON_SERVICE）' }])
  })

  test('a redirect is not followed, and the message asked about', async () => {
    const phone = nextPhone()
    emulator.fate(phone, 'redirect', 1)
    await tell(phone)
    await t.runTasks()
    expect([await rows(), takenBy(phone)]).toEqual([[{ state: 0, kind: null, reason: null }], []])
  })
})

describe('what a provider refuses for all', () => {
  test('a template without a number at the provider is our fault: an alarm, no call', async () => {
    await switchedOn(t, admin, '3')
    await tell(nextPhone())
    await t.runTasks()
    expect(await rows()).toEqual([{ state: 3, kind: 'ours', reason: '模板 refund-done 未在短信服务商处报备' }])
    expect(await noticesOf(tenant, admin.userId)).toEqual(['告警：短信被服务商拒绝'])
  })

  test('a wrong key is the account’s fault', async () => {
    await switchedOn(t, admin, '3', { secretKey: sealFor(t, 'wrong') })
    await registerTemplates(tenant)
    await tell(nextPhone())
    await t.runTasks()
    expect((await rows()).map(row => [row.state, row.kind, row.reason])).toEqual([[3, 'account', '访问密钥有误（SignatureDoesNotMatch）']])
  })
})

test('[S7.24] a tenant without a service sends by the platform’s: its texts, its alarms; switched off there it only records again', async () => {
  const platform = t.platform()
  const operator = await platform.staff('administrator')
  const service = await switchedOn(t, operator, '3', { smsCode: 'of-the-platform' })
  await registerTemplates(platform)
  await t.app.catchUp()
  const phone = nextPhone()
  await tell(phone)
  await t.runTasks()
  expect([await rows(), takenBy(phone)]).toEqual([[{ state: 1, kind: null, reason: null }], ['【考谱】已退费 1.00 元，原路退回。']])
  minutesLater(1)
  await receipts()
  expect((await rows()).map(row => row.state)).toEqual([2])
  // What its account is to blame for is the platform's to mend.
  const poor = nextPhone()
  emulator.fate(poor, 'balance')
  await tell(poor)
  await t.runTasks()
  expect((await rows()).map(row => [row.state, row.kind])).toEqual([
    [2, null],
    [3, 'account'],
  ])
  expect([await noticesOf(tenant, admin.userId), await noticesOf(platform, operator.userId)]).toEqual([
    [],
    ['告警：短信账户异常，短信未发出'],
  ])
  // A service of the tenant's own goes first; the platform's rows are not in its list.
  expect((await admin.get('/blade-resource/sms/list')).body.data.total).toBe(0)
  await switchedOn(t, admin, '4')
  await registerTemplates(tenant, '4')
  const own = nextPhone()
  await tell(own)
  await t.runTasks()
  expect(emulator.taken().find(one => one.phone === own)?.account).toBe('LTAI-demo-tencent')
  await operator.post('/blade-resource/sms/enable', { json: { id: service, off: 1 } })
  await t.app.catchUp()
  const other = await t.tenant()
  const recorded = nextPhone()
  await tell(recorded, other)
  await t.runTasks()
  expect([(await rows(other)).map(row => row.state), takenBy(recorded)]).toEqual([[1], []])
})
