import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { longestValue } from '#contract/message/fit.ts'
import { scenes } from '#contract/message/scenes.ts'
import { sql } from '#kernel/db/sql.ts'
import { type SmsTemplate, smsTemplates } from '#modules/message/templates/sms.ts'
import type { SmsEmulator } from '#server/demo/sms-emulator/emulator.ts'
import { type Person, startTestApp, type TestApp, type TestTenant } from '../../support/app.ts'
import { staffWithPassword } from '../../support/login.ts'
import { createSerial } from '../../support/serial.ts'
import { registerTemplates, smsEmulatorOf, switchedOn, testSite } from '../../support/sms.ts'

let t: TestApp
let emulator: SmsEmulator
beforeAll(async () => {
  t = await startTestApp()
  emulator = await smsEmulatorOf(t)
})
afterAll(() => t.close())

const nextSerial = createSerial()
const nextPhone = (): string => `1392000${String(nextSerial()).padStart(4, '0')}`
const templates = Object.keys(smsTemplates) as SmsTemplate[]
const variablesOf = (template: SmsTemplate) => scenes.find(({ key }) => key === template)?.variables ?? []
const send = (
  tenant: TestTenant,
  phone: string,
  template: SmsTemplate,
  params: Readonly<Record<string, string>>,
  userId: string | null = null,
) => tenant.db(db => t.app.modules.message.sendSms(db, { phone, template, params, userId }))
const lastOf = async (tenant: TestTenant) =>
  (
    await tenant.rows(sql<{ state: number; reason: string | null; content: string }>`
      select state, fail_reason as reason, content from sms_message order by id desc limit 1`)
  )[0]

describe.each(['3', '4'] as const)('every text message of the product at the emulated provider %s', category => {
  test('is taken with its longest values: names and remarks are shortened, what must stay whole is whole', async () => {
    const tenant = await t.tenant()
    await switchedOn(t, await tenant.staff('admin'), category)
    await registerTemplates(tenant, category, templates)
    const refused = []
    for (const template of templates) {
      const phone = nextPhone()
      const params = Object.fromEntries(
        variablesOf(template).map(({ name, whole }) => [name, whole ? '9'.repeat(whole) : '很长的名称'.repeat(40)]),
      )
      await send(tenant, phone, template, params)
      await t.runTasks()
      const sent = await lastOf(tenant)
      if (sent?.state !== 1) refused.push([template, sent?.reason])
      const got = emulator.taken().find(one => one.phone === phone)?.content
      for (const { name, whole } of variablesOf(template)) {
        const used = smsTemplates[template].includes(`{${name}}`)
        if (used && !got?.includes(whole ? '9'.repeat(whole) : `${'很长的名称'.repeat(40).slice(0, longestValue - 1)}…`))
          refused.push([template, name, got])
      }
      // What the office reads is what was sent.
      if (got !== sent?.content) refused.push([template, got, sent?.content])
    }
    expect(refused).toEqual([])
  })
})

test('an empty value, line breaks and a character of two units are sent as providers take them', async () => {
  const tenant = await t.tenant()
  await switchedOn(t, await tenant.staff('admin'), '3')
  await registerTemplates(tenant, '3', templates)
  const phone = nextPhone()
  for (const reason of ['', '第一行\n 第二行', `${'字'.repeat(33)}𠮷末尾`]) {
    await send(tenant, phone, 'account-refused', { account: 'a1', reason })
    await t.runTasks()
  }
  expect(
    emulator
      .taken()
      .filter(one => one.phone === phone)
      .map(one => one.content),
  ).toEqual([
    '【考谱】您的账号 a1 未通过审核：—。',
    '【考谱】您的账号 a1 未通过审核：第一行 第二行。',
    `【考谱】您的账号 a1 未通过审核：${'字'.repeat(33)}…。`,
  ])
})

test('words that name what messages no longer have are not sent, and administrators hear which variable it is', async () => {
  const tenant = await t.tenant()
  const admin = await tenant.staff('admin')
  await switchedOn(t, admin, '3')
  await tenant.rows(sql`
    insert into send_template (tenant_id, code, name, scene, content, template_id)
    values (${tenant.tenantId}, 'old', '旧', 'account-change', '有人申请\${what}，反对请打开 \${link}', 'SMS_900100004') returning id`)
  await send(tenant, nextPhone(), 'account-change', { what: '重置密码', key: 'abcdefgh' })
  await t.runTasks()
  expect(await lastOf(tenant)).toMatchObject({ state: 3, reason: expect.stringContaining('变量 link 已不使用') })
  expect(
    (
      await tenant.rows(
        sql<{ n: number }>`select count(*)::int as n from notify where user_id = ${admin.userId} and content_zh like '%link%'`,
      )
    )[0]?.n,
  ).toBe(1)
})

describe('words are judged when they are saved', () => {
  test('an address is no variable: its end stands after the fixed address of the installation; too long with its longest values is refused', async () => {
    const tenant = await t.tenant()
    const admin = await tenant.staff('admin')
    const save = (content: string, scene = 'account-change') =>
      admin.post('/blade-sendTemplate/sendtemplate/submit', { json: { code: `c${nextSerial()}`, name: '账号变更', scene, content } })
    const v = (name: string) => `$${`{${name}}`}`
    expect((await save(`有人申请${v('what')}，反对请打开 ${v('link')}`)).body.reason).toBe('template/variable-unknown')
    for (const content of [`${v('what')} ${v('key')}`, `${v('what')} ${testSite}/x/${v('key')}`, `${v('key')} ${testSite}/o/${v('key')}`])
      expect([content, (await save(content)).body.reason]).toEqual([content, 'template/variable-path'])
    expect((await save(`${v('what')}：https://evil.example/o/${v('key')}`)).body.reason).toBe('sms/link')
    expect((await save(`有人申请${v('what')}，反对请打开 ${testSite}/o/${v('key')} `)).status).toBe(200)
    expect((await save(`${'很长'.repeat(230)}${v('exam')}`, 'result-released')).body.reason).toBe('template/too-long')
  })

  test('an author’s value that no provider takes is refused at its field; sent in-app it may be as long', async () => {
    const tenant = await t.tenant()
    const admin = await tenant.staff('admin')
    await switchedOn(t, admin, '3')
    const trial = await admin.post('/blade-resource/sms/send-message', {
      json: { code: 'aliyun', phones: '13900000001', params: JSON.stringify({ code: '9'.repeat(36) }) },
    })
    expect(trial.body.reason).toBe('send/value-length')
  })
})

test('what opens something is masked wherever a message is shown: list, detail, export, search, trail, payloads and what is waiting', async () => {
  const tenant = await t.tenant()
  const admin = await tenant.staff('admin')
  const secrets: string[] = []
  for (const template of templates) {
    const secret = variablesOf(template).filter(({ isSecret }) => isSecret)
    if (secret.length === 0) continue
    const params: Record<string, string> = Object.fromEntries(variablesOf(template).map(({ name }) => [name, '甲']))
    for (const { name, whole = 6 } of secret) {
      const value = String(731_000 + nextSerial())
        .repeat(6)
        .slice(0, Math.min(whole, 24))
      secrets.push(value)
      params[name] = value
    }
    await send(tenant, nextPhone(), template, params)
  }
  expect(secrets.length).toBeGreaterThanOrEqual(3)
  const path = '/blade-sendMessage/sendmessage'
  const list = await admin.get(`${path}/list`)
  const rows: { id: string; content: string }[] = list.body.data.records
  expect(rows).toHaveLength(secrets.length)
  for (const row of rows) expect(row.content).toMatch(/^【考谱】.+\*{6}/)
  const shown = [list.raw.toString()]
  for (const { id } of rows) shown.push((await admin.get(`${path}/detail`, { query: { id } })).raw.toString())
  shown.push((await admin.get(`${path}/export-sendmessage`)).raw.toString('latin1'))
  const inside = await tenant.rows(sql<{ text: string }>`
    select payload::text as text from outbox union all select coalesce(before_value::text, '') || coalesce(after_value::text, '') || coalesce(reason, '') from audit_log`)
  shown.push(...inside.map(({ text }) => text))
  for (const secret of secrets) {
    expect(shown.some(text => text.includes(secret))).toBe(false)
    expect((await admin.get(`${path}/list`, { query: { content: secret } })).body.data.records).toEqual([])
  }
})

test('a variable that is called a code, a key, a link or a password is declared as secret', () => {
  const open = scenes.flatMap(({ key, variables }) =>
    variables
      .filter(({ name, isSecret }) => /code|key|link|url|pass|secret|token/i.test(name) && !isSecret)
      .map(({ name }) => `${key}.${name}`),
  )
  expect(open).toEqual([])
})

describe('who was told, by what the provider said', () => {
  const scene = async () => {
    const tenant = await t.tenant()
    const [admin, colleague] = [await tenant.staff('admin'), await tenant.staff('admin', { realName: '乙主管' })]
    await switchedOn(t, admin, '3')
    await registerTemplates(tenant, '3', templates)
    const phone = nextPhone()
    const { cipher } = t.app.services
    const owner = await staffWithPassword(t, tenant, 'finance')
    await tenant.rows(sql`
      update account set phone_sealed = ${cipher.seal(tenant.tenantId, { table: 'account', column: 'phone_sealed', rowId: owner.userId }, phone)},
        phone_index = ${cipher.blindIndex(tenant.tenantId, 'phone', phone)} where id = ${owner.userId} returning id`)
    const of = `password-${owner.userId}`
    const reset = (who: Person) => who.post('/blade-system/user/reset-password', { json: { userIds: owner.userId } })
    const told = async (language: 'zh' | 'en' = 'zh') => (await admin.get('/blade-send/told/state', { query: { of }, language })).body.data
    const call = (who: Person, note = '电话告知，本人知悉') => who.post('/blade-send/told/call', { json: { of, note } })
    return { tenant, admin, colleague, owner, phone, of, reset, told, call }
  }

  test('a refused message tells nobody: the reason is shown in both languages, nobody can agree, and a noted call begins the waiting time', async () => {
    const s = await scene()
    emulator.fate(s.phone, 'blacklist')
    await s.reset(s.admin)
    expect(await s.told()).toMatchObject({ toldTime: null, persons: [{ sms: 'waiting', sentTime: null, mayCall: false }] })
    expect((await s.call(s.admin)).body.reason).toBe('told/waiting')
    await t.runTasks()
    expect(await s.told()).toMatchObject({
      toldTime: null,
      persons: [{ sms: 'failed', failReason: expect.stringContaining('isv.BLACK_KEY_CONTROL_LIMIT'), mayCall: true, calledTime: null }],
    })
    expect((await s.told('en')).persons[0].failReason).toMatch(/^[\x20-\x7e]+$/)
    // The message in the account may be read by whoever took the account.
    await s.tenant.rows(sql`update notify set read_at = app_now() where user_id = ${s.owner.userId} returning id`)
    expect((await s.reset(s.colleague)).body.reason).toBe('kernel/two-persons-untold')
    const stranger = await s.tenant.staff('finance')
    expect((await s.call(stranger)).status).toBe(403)
    t.clock.advance(3_600_000)
    expect((await s.call(s.admin)).body.data).toMatchObject({ persons: [{ callNote: '电话告知，本人知悉', mayCall: false }] })
    expect((await s.call(s.admin)).body.reason).toBe('told/reached')
    const agreed = await s.reset(s.colleague)
    expect(agreed.body.data[0].waiting).toContain('两人已同意')
    t.clock.advance(23 * 3_600_000)
    expect((await s.reset(s.colleague)).body.reason).toBe('kernel/two-persons-waits')
    t.clock.advance(3_600_000)
    expect((await s.reset(s.colleague)).body.data).toMatchObject([{ password: expect.stringMatching(/.{8}/) }])
    expect(await s.tenant.rows(sql`select reason from audit_log where action = 'told.called'`)).toEqual([{ reason: '电话告知，本人知悉' }])
  })

  test('a taken message begins the waiting time; one that is not delivered after all stops what two agreed to', async () => {
    const s = await scene()
    emulator.fate(s.phone, 'undelivered')
    await s.reset(s.admin)
    await t.runTasks()
    expect(await s.told()).toMatchObject({
      toldTime: expect.any(String),
      persons: [{ sms: 'accepted', deliveredTime: null, failReason: null }],
    })
    expect((await s.reset(s.colleague)).body.data[0].waiting).toContain('两人已同意')
    t.clock.advance(25 * 3_600_000)
    const receipts = t.app.modules.processors.find(one => one.name === 'message.receipts')
    await receipts?.run({
      ...{ tenantId: '000000', params: '', item: undefined, attempt: 1, now: t.clock.now(), signal: new AbortController().signal },
      log: () => undefined,
    })
    expect(await s.told()).toMatchObject({
      toldTime: null,
      persons: [{ sms: 'failed', failReason: expect.stringContaining('MOBILE_NOT_ON_SERVICE') }],
    })
    expect((await s.reset(s.colleague)).body.reason).toBe('kernel/two-persons-untold')
  })

  test('the message has one address that leads on to the page with its code behind the hash, where no server sees it', async () => {
    const s = await scene()
    await s.reset(s.admin)
    await t.runTasks()
    const text = emulator.taken().find(one => one.phone === s.phone)?.content ?? ''
    const address = /https?:\S+/.exec(text)?.[0] ?? ''
    expect(address).toMatch(new RegExp(`^${testSite}/o/[0-9a-z-]{10,35}$`))
    const { pathname } = new URL(address)
    const page = await t.app.server.inject({ method: 'GET', url: pathname })
    expect([page.statusCode, page.headers['location']]).toEqual([
      303,
      `/register/object?tenantId=${s.tenant.tenantId}#${pathname.slice(3)}`,
    ])
  })
})
