import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { workText, zeroBits } from '#contract/auth/work.ts'
import { sql } from '#kernel/db/sql.ts'
import { createLog, type Log } from '#kernel/log.ts'
import { startTestApp, type TestApp, type TestTenant } from '../../support/app.ts'
import { type Forwarder, forwarder } from '../../support/forwarder.ts'
import { sealFor } from '../../support/login.ts'
import { phoneOf, register } from '../../support/registering.ts'

let t: TestApp
let tenant: TestTenant
let served: string
let proxy: Forwarder
beforeAll(async () => {
  t = await startTestApp({ proxies: '127.0.0.0/8,::1' })
  tenant = await t.tenant()
  served = await t.app.server.listen({ port: 0, host: '127.0.0.1' })
  proxy = await forwarder(served, headers => String(headers['x-test-caller']))
})
afterAll(async () => {
  await proxy.close()
  await t.close()
})

interface Got {
  readonly status: number
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape -- parsing border
  readonly body: any
}
const post = async (at: string, path: string, body: FormData | URLSearchParams, headers: Record<string, string>): Promise<Got> => {
  const got = await fetch(`${at}/api${path}`, { method: 'POST', body, headers: { 'tenant-id': tenant.tenantId, ...headers } })
  return { status: got.status, headers: got.headers, body: await got.json() }
}
const askCode = (caller: string, phone: string, headers = {}, at = proxy.url): Promise<Got> =>
  post(at, '/blade-auth/oauth/sms/send-validate', new URLSearchParams({ phone: sealFor(t, phone) }), {
    'x-test-caller': caller,
    ...headers,
  })
describe('behind a proxy that is listed', () => {
  test('a hundred and twenty people register from addresses of their own, and the trail has each', async () => {
    const people = Array.from({ length: 120 }, (_, n) => ({
      n,
      ip: n % 3 === 0 ? `2001:db8::${(n + 1).toString(16)}` : `203.0.${113 + (n % 2)}.${n + 1}`,
    }))
    const answers: (readonly [string, number, number])[] = []
    for (let at = 0; at < people.length; at += 8)
      answers.push(
        ...(await Promise.all(
          people.slice(at, at + 8).map(async ({ n, ip }) => {
            const { status, body } = await register(t, (path, form) => post(proxy.url, path, form, { 'x-test-caller': ip }), n)
            return [ip, status, body.code] as const
          }),
        )),
      )

    expect(answers).toEqual(people.map(({ ip }) => [ip, 200, 200]))
    const trail = await tenant.rows(sql<{ ip: string }>`select ip from audit_log where action = 'candidate.registered'`)
    expect(trail.map(({ ip }) => ip).sort()).toEqual(people.map(({ ip }) => ip).sort())
    await t.app.modules.log.flush()
    const calls = await tenant.rows(sql<{ ip: string }>`select remote_ip as ip from api_log where path = '/blade-system/user/register'`)
    expect(calls.map(({ ip }) => ip).sort()).toEqual(people.map(({ ip }) => ip).sort())
  })

  test('what a caller writes itself stands before what the proxy saw, and counts for nothing', async () => {
    const got = await askCode('198.51.100.7', phoneOf(900), {
      'x-forwarded-for': '1.1.1.1, 127.0.0.1',
      forwarded: 'for=2.2.2.2',
      'x-real-ip': '3.3.3.3',
    })

    expect(got.status).toBe(200)
    expect(
      await tenant.rows(sql`select ip from login_challenge where ip in ('198.51.100.7', '1.1.1.1', '2.2.2.2', '3.3.3.3', '127.0.0.1')`),
    ).toEqual([{ ip: '198.51.100.7' }])
  })
})

test('from a peer that nobody has listed no header is believed, which is said once', async () => {
  const lines: (readonly [unknown, string | undefined])[] = []
  const log: Log = createLog('silent')
  log.warn = ((fields: unknown, message?: string) => void lines.push([fields, message])) as Log['warn']
  const open = await startTestApp({ databaseUrl: t.databaseUrl, proxies: '10.0.0.0/8', log })
  onTestFinished(() => open.close())
  const at = await open.app.server.listen({ port: 0, host: '127.0.0.1' })
  const other = await forwarder(at, () => '198.18.7.7')
  onTestFinished(() => other.close())

  const answers = [await askCode('', phoneOf(901), {}, other.url), await askCode('', phoneOf(902), {}, other.url)]

  expect(answers.map(({ status }) => status)).toEqual([200, 200])
  expect(await tenant.rows(sql`select distinct ip from login_challenge where ip in ('198.18.7.7', '127.0.0.1')`)).toEqual([
    { ip: '127.0.0.1' },
  ])
  expect(lines.filter(([, message]) => message?.includes('KAOPU_PROXIES'))).toEqual([
    [
      { peer: '127.0.0.1' },
      '127.0.0.1 passes calls on and is not listed in KAOPU_PROXIES: all its callers count as one address. If it is your proxy, start with KAOPU_PROXIES=127.0.0.1; if not, what it says is not believed and nothing has to be done',
    ],
  ])
})

/** An answer to the work, as the browser finds it. */
const solve = ({ key, bits }: { readonly key: string; readonly bits: number }): string => {
  for (let n = 0; ; n += 1) {
    const hash = createHash('sha256')
      .update(workText(key, String(n)))
      .digest()
    if (zeroBits([hash.readUInt32BE(0)]) >= bits) return `${key}.${n}`
  }
}
const campus = '192.0.2.1'
const limitTo = (key: string, value: number) =>
  tenant.rows(sql`update param set param_value = ${String(value)} where param_key = ${key} returning id`)

describe('a campus behind one address', () => {
  test('asks for more codes than the parameter says: the browser works, nobody is refused, and the phone’s own limit stays', async () => {
    await limitTo('address.smsHour', 10)
    for (let n = 0; n < 10; n += 1) expect((await askCode(campus, phoneOf(1_000 + n))).status).toBe(200)

    const busy = await askCode(campus, phoneOf(1_010))
    const { work } = busy.body.data
    expect([busy.status, busy.body.reason, work]).toEqual([
      429,
      'auth/address-busy',
      { key: expect.stringMatching(/^[\w-]{43}$/), bits: 18 },
    ])
    const done = { 'kaopu-work': solve(work) }
    const sent = await askCode(campus, phoneOf(1_010), done)
    const again = await askCode(campus, phoneOf(1_011), done)
    const lazy = await askCode(campus, phoneOf(1_011), { 'kaopu-work': `${again.body.data.work.key}.1` })

    expect([sent.status, again.body.reason, lazy.body.reason]).toEqual([200, 'auth/address-busy', 'auth/address-busy'])
    // Another address is not affected, and work does not help against the limit of a phone.
    expect((await askCode('192.0.2.2', phoneOf(1_011))).status).toBe(200)
    const third = await askCode(campus, phoneOf(1_012))
    const tooSoon = await askCode(campus, phoneOf(1_000), { 'kaopu-work': solve(third.body.data.work) })
    expect([tooSoon.status, tooSoon.body.reason]).toEqual([429, 'auth/sms-frequency'])
  })

  test('gets pictures too, after work that is for pictures', async () => {
    await limitTo('address.captchaMinute', 10)
    const ask = async (headers = {}) => {
      const got = await fetch(`${proxy.url}/api/blade-auth/oauth/captcha`, {
        headers: { 'tenant-id': tenant.tenantId, 'x-test-caller': campus, ...headers },
      })
      return {
        status: got.status,
        body: (await got.json()) as { reason?: string; data?: { work: { key: string; bits: number } }; image?: string },
      }
    }
    for (let n = 0; n < 10; n += 1) expect((await ask()).status).toBe(200)

    const busy = await ask()
    const forCodes = (await askCode(campus, phoneOf(1_020))).body.data.work

    expect([busy.status, busy.body.reason]).toEqual([429, 'auth/address-busy'])
    expect((await ask({ 'kaopu-work': solve(forCodes) })).status).toBe(429)
    const { work } = busy.body.data ?? { work: { key: '', bits: 0 } }
    expect(await ask({ 'kaopu-work': solve(work) })).toMatchObject({ status: 200, body: { image: expect.stringContaining('data:image') } })
  })
})
