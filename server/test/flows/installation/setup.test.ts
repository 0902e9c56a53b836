import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { setupSteps } from '#contract/installation/setup.routes.ts'
import { sql } from '#kernel/db/sql.ts'
import { type Person, startTestApp, type TestApp } from '../../support/app.ts'

const calls = '/blade-system/setup'
interface Step {
  readonly step: string
  readonly state: string
  readonly now: string
  readonly said: string
  readonly triedBy: string
  readonly triedTime: string
}
const stepsOf = async (person: Person, language: 'zh' | 'en' = 'en'): Promise<Readonly<Record<string, Step>>> =>
  Object.fromEntries(((await person.get(`${calls}/list`, { language })).body.data.steps as Step[]).map(one => [one.step, one]))
const attempt = async (person: Person, step: string): Promise<Step> =>
  (await person.post(`${calls}/try`, { json: { step }, language: 'en', ip: '203.0.113.9' })).body.data

describe('a production that was started for the first time', () => {
  let t: TestApp
  let operator: Person
  beforeAll(async () => {
    t = await startTestApp({ profile: 'production' })
    operator = await t.platform().staff('administrator')
  })
  afterAll(() => t.close())

  test('says of every step what is missing, read from the running system', async () => {
    const found = await stepsOf(operator)
    expect(Object.keys(found)).toEqual([...setupSteps])
    expect(Object.fromEntries(Object.values(found).map(({ step, state, now }) => [step, [state, now]]))).toMatchObject({
      people: [
        'missing',
        'Roles that nobody holds: Tenant administrator (admin), Security administrator (secadmin), Auditor (auditor), Exam administrator (exam_admin), First reviewer (reviewer1), Finance (finance)',
      ],
      sms: ['missing', 'No service is on'],
      payment: ['missing', 'There is no account'],
      storage: ['untried', expect.stringContaining('New files go to the disk of this server')],
      servers: ['untried', 'None is allowed'],
      proxies: ['missing', 'The server takes you for 127.0.0.1, which is its own address or a proxy’s'],
      journal: ['missing', 'The journal lies in the data folder alone'],
      backup: ['missing', 'No backup was ever finished'],
      address: ['missing', 'http://localhost:7300'],
      clock: ['untried', expect.stringMatching(/^-?\d+ ms off the database’s/)],
    })
    expect((await stepsOf(operator, 'zh'))['sms']?.now).toBe('没有启用的短信服务')
  })

  test('a try does the thing itself; who tried, when, and what came of it stays', async () => {
    const storage = await attempt(operator, 'storage')
    expect(storage).toMatchObject({ state: 'done', said: 'Written, read back and removed' })
    expect(storage.triedBy).toMatch(/^staff/)
    expect(storage.triedTime).toBe('2026-03-17 10:00:00')
    expect(await attempt(operator, 'clock')).toMatchObject({ state: 'done' })
    expect(await attempt(operator, 'sms')).toMatchObject({
      state: 'missing',
      said: expect.stringContaining('no text message service is on'),
    })
    expect(await attempt(operator, 'payment')).toMatchObject({ state: 'missing', said: 'There is no account to try' })
    expect(await attempt(operator, 'backup')).toMatchObject({ state: 'missing', said: 'No backup was ever finished' })
    expect(await attempt(operator, 'proxies')).toMatchObject({ said: expect.stringContaining('203.0.113.9') })
    expect((await stepsOf(operator))['storage']).toEqual(storage)
    expect(
      await t
        .platform()
        .rows(
          sql`select after_value ->> 'step' as step, after_value ->> 'isOk' as ok from audit_log where action = 'setup.tried' order by id limit 2`,
        ),
    ).toEqual([
      { step: 'storage', ok: 'true' },
      { step: 'clock', ok: 'true' },
    ])
  })

  test('an office that charges nothing leaves payment out: by whom and when is kept, a try takes it back, no other step can be left out', async () => {
    const leaveOut = (step: string) => operator.post(`${calls}/leave-out`, { json: { step }, language: 'en' })
    expect(await leaveOut('backup')).toMatchObject({ status: 409, body: { reason: 'setup/needed' } })
    const { body } = await leaveOut('payment')
    expect(body.data).toMatchObject({
      step: 'payment',
      state: 'leftOut',
      leaveOut: '',
      said: 'Nothing is charged: not needed',
      triedBy: expect.stringMatching(/^staff/),
      triedTime: '2026-03-17 10:00:00',
    })
    expect((await stepsOf(operator))['payment']).toEqual(body.data)
    expect(await t.platform().rows(sql`select after_value as after from audit_log where action = 'setup.leftOut'`)).toEqual([
      { after: { step: 'payment' } },
    ])
    expect(await attempt(operator, 'payment')).toMatchObject({ state: 'missing', leaveOut: 'Nothing is charged: not needed' })
  })

  test('proxies: one that is not listed is named; who comes straight is seen', async () => {
    const seen = async (options: object): Promise<Step> =>
      (await operator.post(`${calls}/try`, { json: { step: 'proxies' }, language: 'en', ...options })).body.data
    expect(await seen({ ip: '203.0.113.9' })).toMatchObject({
      state: 'done',
      said: 'You reach the server without a proxy, from 203.0.113.9. Compare it with the address of your computer',
    })
    expect(await seen({ ip: '10.0.0.5', headers: { 'x-forwarded-for': '203.0.113.9' } })).toMatchObject({
      state: 'missing',
      said: 'The proxy 10.0.0.5 is not listed: add it to KAOPU_PROXIES',
    })
  })

  test('people: whoever never logged in is named; once all roles have somebody who did, it is done', async () => {
    for (const role of ['admin', 'secadmin', 'auditor', 'exam_admin', 'reviewer1', 'finance'] as const) await t.platform().staff(role)
    await t
      .platform()
      .rows(sql`update account set must_change_password = true where account = (select max(account) from account where user_type = 1)`)
    const failed = await attempt(operator, 'people')
    expect(failed).toMatchObject({
      state: 'failed',
      now: 'Every role has somebody',
      said: expect.stringMatching(/^Never logged in: staff\d+$/),
    })
    await t.platform().rows(sql`update account set must_change_password = false`)
    expect(await attempt(operator, 'people')).toMatchObject({ state: 'done' })
  })

  test('backup: one of today is done, one of last week is not', async () => {
    const put = (takenAt: Date) =>
      t.app.services.scopes.asPlatform('a test has a backup', t.clock.now(), db =>
        db.run(sql`
          insert into installation (key, value) values ('backup', ${JSON.stringify({ id: 'b1', takenAt, place: '/mnt/other', writtenBytes: 1, wholeBytes: 1, durationMs: 1 })}::jsonb)
          on conflict (key) do update set value = excluded.value`),
      )
    await put(new Date(t.clock.now().getTime() - 2 * 3_600_000))
    expect(await attempt(operator, 'backup')).toMatchObject({ state: 'done', now: expect.stringContaining('(2 hours ago), in /mnt/other') })
    await put(new Date(t.clock.now().getTime() - 7 * 24 * 3_600_000))
    expect((await stepsOf(operator))['backup']?.state).toBe('missing')
  })

  test('nobody but who looks after the installation sees it or tries anything', async () => {
    const tenant = await t.tenant()
    for (const person of [await tenant.staff('admin'), await tenant.staff('administrator'), await t.platform().staff('admin')]) {
      expect((await person.get(`${calls}/list`)).status).toBe(403)
      expect((await person.post(`${calls}/try`, { json: { step: 'sms' } })).status).toBe(403)
      expect((await person.post(`${calls}/leave-out`, { json: { step: 'payment' } })).status).toBe(403)
    }
  })
})

describe('with services that answer', () => {
  test('a code goes to the own phone, the payment providers know the keys, allowed servers are connected to', async () => {
    const server = createServer((_, response) => response.end('x'))
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    const open = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const t = await startTestApp({ storageServers: `${open},http://127.0.0.1:1` })
    try {
      const operator = await t.platform().staff('administrator')
      expect(await attempt(operator, 'servers')).toMatchObject({ state: 'failed', said: 'Cannot be reached: http://127.0.0.1:1' })
      expect(await attempt(operator, 'sms')).toMatchObject({
        state: 'failed',
        said: 'Your account has no mobile number: enter one in your profile first',
      })
      const sealed = t.app.services.cipher.seal(
        '000000',
        { table: 'account', column: 'phone_sealed', rowId: operator.userId },
        '16000099001',
      )
      await t.platform().rows(sql`update account set phone_sealed = ${sealed} where id = ${operator.userId}`)
      expect(await attempt(operator, 'sms')).toMatchObject({ state: 'done', said: 'Sent to 160****9001: look at the phone' })
      expect(await t.platform().rows(sql`select state, template from sms_message`)).toEqual([{ state: 1, template: 'login-code' }])
      const paid = await attempt(operator, 'payment')
      expect(paid.state).toBe('done')
      expect(paid.said).toContain('WeChat Pay: number and keys are right')
    } finally {
      await t.close()
      await new Promise(resolve => server.close(resolve))
    }
  })
})

describe('behind a proxy, with a public address', () => {
  test('a listed proxy is believed, one that writes no headers is noticed; the address answers, or something else does', async () => {
    let answer = '{"live":true}'
    const server = createServer((request, response) => {
      asked.push(`${request.method} ${request.url}`)
      response.setHeader('content-type', 'application/json').end(answer)
    })
    const asked: string[] = []
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    const publicUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const t = await startTestApp({ proxies: '10.0.0.5', publicUrl })
    try {
      const operator = await t.platform().staff('administrator')
      const seen = async (headers: Readonly<Record<string, string>>): Promise<Step> =>
        (await operator.post(`${calls}/try`, { json: { step: 'proxies' }, language: 'en', ip: '10.0.0.5', headers })).body.data
      expect(await seen({ 'x-forwarded-for': '203.0.113.9' })).toMatchObject({
        state: 'done',
        said: 'The proxy says that you come from 203.0.113.9. Compare it with the address of your computer',
      })
      expect(await seen({})).toMatchObject({
        state: 'missing',
        said: 'The proxy 10.0.0.5 does not say where you come from: see that it writes its headers (KAOPU_PROXY_HEADER)',
      })

      expect(await attempt(operator, 'address')).toMatchObject({ said: `${publicUrl}/api/live answers` })
      expect(asked).toEqual(['GET /api/live'])
      answer = '<html>'
      expect(await attempt(operator, 'address')).toMatchObject({ said: `${publicUrl}/api/live answers 200: it is not this program` })
      await new Promise(resolve => server.close(resolve))
      expect(await attempt(operator, 'address')).toMatchObject({ state: 'missing', said: expect.not.stringContaining('answers') })
    } finally {
      await t.close()
      server.close()
    }
  })
})
