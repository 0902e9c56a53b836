import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { systemOf } from '#kernel/db/scope.ts'
import { serversOf } from '#kernel/db/servers.ts'
import { sql } from '#kernel/db/sql.ts'
import { OutcomeUnknownError } from '#kernel/db/unavailable.ts'
import { freePort, startServer } from '../../../e2e/support/server.ts'
import { build } from '../../../tools/install.mjs'
import { type Answer, startTestApp, type TestApp, type TestTenant } from '../support/app.ts'
import { emptyDatabase } from '../support/empty-database.ts'
import { type LossyLink, lossyLink } from '../support/lossy-link.ts'

let t: TestApp
let tenant: TestTenant
let first: LossyLink
let second: LossyLink
/** A process whose database has two servers: one database behind two links. */
let far: TestApp
let token: string
let serial = 0

beforeAll(async () => {
  await build(process.execPath, 'server')
  t = await startTestApp()
  tenant = await t.tenant()
  ;[first, second] = [await lossyLink(t.databaseUrl), await lossyLink(t.databaseUrl)]
  const { payments, oauth, sms } = t.app
  const url = new URL(first.url)
  far = await startTestApp({
    databaseUrl: first.url.replace(url.host, `${url.host},${new URL(second.url).host}`),
    ...(payments ? { payments } : {}),
    ...(oauth ? { oauth } : {}),
    ...(sms ? { sms } : {}),
  })
  ;({ token } = await tenant.staff('admin'))
})
afterAll(async () => {
  await far?.close()
  await first?.close()
  await second?.close()
  await t?.close()
})
beforeEach(async () => {
  for (const link of [first, second]) {
    await link.isUp(false)
    await link.isUp(true)
    link.isStandby(false)
  }
})

const headers = () => ({ 'blade-auth': `bearer ${token}` })
const write = (language: 'zh' | 'en' = 'zh'): Promise<Answer> => {
  serial += 1
  return far.anonymous().post('/blade-system/param/submit', {
    json: { paramName: '主库', paramKey: `no.primary.${serial}`, paramValue: '1' },
    headers: { ...headers(), 'idempotency-key': `no-primary-${serial}` },
    language,
  })
}
const rows = () => tenant.rows(sql<object>`select param_key as key from param where param_key = ${`no.primary.${serial}`}`)
const told = ({ status, body, headers: of }: Answer) => [status, body.reason ?? 'done', of['retry-after'] ?? '-']
const away = [503, 'kernel/no-database', '3']

describe('[19.22] a database with two servers', () => {
  test('while none takes writes every call is told to come back in a moment, and nothing of it stands; then it goes on by itself', async () => {
    expect(told(await write())).toEqual([200, 'done', '-'])
    await first.isUp(false)
    await second.isUp(false)
    const refused = await write()
    expect(told(refused)).toEqual(away)
    expect(refused.body).toMatchObject({ code: 2010, success: false, msg: '系统正在切换数据库，请过几秒再试；已提交的内容不会丢失' })
    expect((await write('en')).body.msg).toBe('The database is changing over; please try again in a moment, nothing is lost')
    expect(told(await far.anonymous().get('/blade-system/param/list', { headers: headers() }))).toEqual(away)
    // Those who read a page get one.
    const page = await far.app.server.inject({ url: '/t/abc', headers: { 'sec-fetch-dest': 'document', 'accept-language': 'en' } })
    expect([page.statusCode, page.headers['retry-after'], page.headers['content-type']]).toEqual([503, '3', 'text/html; charset=utf-8'])
    expect(page.body).toContain('<h1>This page cannot be shown at the moment</h1><p>The database is changing over; please try again')
    await first.isUp(true)
    await second.isUp(true)
    expect(await rows()).toEqual([])
    expect(told(await write())).toEqual([200, 'done', '-'])
    expect(await rows()).toHaveLength(1)
  })

  test('both are standbys for a while: the same words', async () => {
    first.isStandby(true)
    second.isStandby(true)
    expect(told(await write())).toEqual(away)
    first.isStandby(false)
    expect(told(await write())).toEqual([200, 'done', '-'])
  })

  test('one that stops is left for the other without a refusal, whatever was being done', async () => {
    expect(told(await write())).toEqual([200, 'done', '-'])
    await first.isUp(false)
    expect(told(await write())).toEqual([200, 'done', '-'])
    await first.isUp(true)
    await second.isUp(false)
    expect(told(await write())).toEqual([200, 'done', '-'])
    expect(await rows()).toHaveLength(1)
  })

  test('one that has become a standby is passed over, and connections that still lead to it are cut when the other is found', async () => {
    await second.isUp(false)
    expect(told(await write())).toEqual([200, 'done', '-'])
    // The listener has come back too.
    await expect.poll(() => first.open()).toBeGreaterThan(1)
    first.isStandby(true)
    await second.isUp(true)
    expect(second.open()).toBe(0)
    // One connection has seen the demotion; all others of this process sit idle.
    await far.app.services.pools.kaopu_staff.query('select pg_terminate_backend(pg_backend_pid())').catch(() => {})
    expect(told(await write())).toEqual([200, 'done', '-'])
    await expect.poll(() => first.open()).toBe(0)
    expect(second.open()).toBeGreaterThan(0)
  })

  test('a pooled connection that takes no writes any more is dropped, and the call is done on another one', async () => {
    const { pools } = far.app.services
    const admin = await tenant.staff('admin')
    token = admin.token
    expect(told(await write())).toEqual([200, 'done', '-'])
    const { idleCount } = pools.kaopu_staff
    for (let at = 0; at < idleCount; at += 1) {
      const client = await pools.kaopu_staff.connect()
      await client.query('set default_transaction_read_only = on')
      client.release()
    }
    expect(told(await write())).toEqual([200, 'done', '-'])
    expect(await rows()).toHaveLength(1)
  })
})

test('[19.22] a batch that ends with its connection: nobody may say that it was not committed, whichever statement is waited for', async () => {
  const { scopes } = far.app.services
  const owner = await t.owner()
  const under = scopes.tx(systemOf(tenant.tenantId), far.clock.now(), db =>
    db.last(() => {
      db.all(sql`select pg_sleep(30)`).catch(() => {})
      return db.all(sql`select 1`)
    }),
  )
  const outcome = expect(under).rejects.toBeInstanceOf(OutcomeUnknownError)
  await expect
    .poll(async () => {
      const { rowCount } = await owner.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`,
      )
      return rowCount
    })
    .toBe(1)
  await outcome
})

test('a start waits for the primary and says so, as long as it may', async () => {
  // Links of its own: nobody else connects through them.
  const database = await emptyDatabase()
  onTestFinished(() => database.close())
  const links = [await lossyLink(database.url), await lossyLink(database.url)] as const
  onTestFinished(async () => void (await Promise.all(links.map(link => link.close()))))
  for (const link of links) link.isStandby(true)
  const [host, other] = [new URL(links[0].url).host, new URL(links[1].url).host]
  const started = startServer({
    dataDir: database.dataDir,
    port: await freePort(),
    env: { DATABASE_URL: links[0].url.replace(host, `${host},${other}`) },
  })
  await expect.poll(() => Math.min(...links.map(link => link.standbys())), { timeout: 60_000 }).toBeGreaterThan(0)
  links[0].isStandby(false)
  const server = await started
  onTestFinished(async () => void (await server.stop()))
  expect(server.output()).toMatch(/^Waiting for the database at 127\.0\.0\.1:\d+, 127\.0\.0\.1:\d+ \(\d+ of at most 60 s\): /)
  expect(server.output()).toContain('it is a standby')
  expect((await fetch(`${server.url}/api/ready`)).status).toBe(200)
})

test('the servers of an address', () => {
  expect(serversOf('postgresql://u:p%40@a:5432,b:5433/db?target_session_attrs=read-write&sslmode=disable')).toEqual([
    'postgresql://u:p%40@a:5432/db?sslmode=disable',
    'postgresql://u:p%40@b:5433/db?sslmode=disable',
  ])
  expect(serversOf('postgres://u@a,b,[::1]:6000/db')).toEqual([
    'postgres://u@a:6000/db',
    'postgres://u@b:6000/db',
    'postgres://u@[::1]:6000/db',
  ])
  expect(serversOf('postgresql:///db?host=/run/postgresql')).toEqual(['postgresql:///db?host=%2Frun%2Fpostgresql'])
  expect(() => serversOf('postgresql://u@a,,b/db')).toThrow('several servers stand before the slash')
})
