import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { startTestApp, type TestApp } from '../support/app.ts'
import { lossyLink } from '../support/lossy-link.ts'

const allRight = {
  ...{ program: 'ok', database: 'ok', disk: 'ok', storage: 'ok', queue: 'ok', keys: 'ok', clock: 'ok', migrations: 'ok' },
}

let t: TestApp
beforeAll(async () => {
  t = await startTestApp()
  // Something sealed is there to try the keys on.
  await (await t.tenant()).candidate()
})
afterAll(() => t.close())

const ready = async (of: TestApp, query = {}) => {
  const { status, body, headers } = await of.anonymous().get('/ready', { query })
  return { status, body, retryAfter: headers['retry-after'] }
}

test('a process that can serve names everything it looked at with ok; one that lives says so without looking', async () => {
  expect(await ready(t)).toEqual({ status: 200, body: { ready: true, checks: allRight }, retryAfter: undefined })
  expect((await t.anonymous().get('/live')).body).toEqual({ live: true })
})

test('a database that takes connections and answers nothing is named in time, what is the process’s own is not affected', async () => {
  const link = await lossyLink(t.databaseUrl)
  const behind = await startTestApp({ databaseUrl: link.url })
  onTestFinished(async () => {
    link.thaw()
    await behind.close()
    await link.close()
  })
  expect((await ready(behind)).status).toBe(200)

  link.freeze()
  const found = await ready(behind)

  const late = 'no answer within 0.8 s'
  expect(found).toEqual({
    status: 503,
    body: { ready: false, checks: { ...allRight, database: late, queue: late, keys: late, migrations: late } },
    retryAfter: '2',
  })
  expect((await behind.anonymous().get('/live')).status).toBe(200)
})

test('a database that lacks a migration of this program, and keys that open nothing, are named', async () => {
  const owner = await t.owner()
  const { rows } = await owner.query<{ name: string }>('select name from schema_migration order by name desc limit 1')
  const [{ name } = { name: '' }] = rows
  await owner.query('create table moved as select * from schema_migration where name = $1', [name])
  await owner.query('delete from schema_migration where name = $1', [name])
  await owner.query(`create table sealed as select id, phone_sealed from account where phone_sealed is not null`)
  await owner.query(
    `update account set phone_sealed = set_byte(phone_sealed, 20, 255 - get_byte(phone_sealed, 20)) where phone_sealed is not null`,
  )

  const found = await ready(t)
  await owner.query('insert into schema_migration select * from moved; drop table moved')
  await owner.query('update account a set phone_sealed = s.phone_sealed from sealed s where s.id = a.id; drop table sealed')

  expect([found.status, found.body.checks]).toEqual([
    503,
    {
      ...allRight,
      keys: 'the secrets of this process do not open what the database holds: it was started with another secrets file',
      migrations: `the database lacks ${name}`,
    },
  ])
  expect((await ready(t)).status).toBe(200)
})

test('a folder of files that is gone, and a clock that is off, take this process out alone', async () => {
  const off = {
    clock: t.clock,
    offBy: () => -2_345,
    look: async () => ({ aheadMs: -2_345, uncertainMs: 1 }),
    start: () => {},
    stop: () => {},
  }
  const other = await startTestApp({
    databaseUrl: t.databaseUrl,
    clockWatch: { ...off, look: async () => ({ aheadMs: 0, uncertainMs: 1 }) },
  })
  onTestFinished(() => other.close())
  const folder = join(other.app.services.config.dataDir, 'files')
  await rm(folder, { recursive: true })

  const found = await ready(other, { scope: 'own' })

  expect([found.status, found.body.checks]).toEqual([
    503,
    {
      program: 'ok',
      disk: `ENOENT: no such file or directory, access '${folder}'`,
      clock: "2.3 s behind the database's; nothing is written until both agree",
    },
  ])
})

test('a process that is about to stop says so while it still answers', async () => {
  const other = await startTestApp({ databaseUrl: t.databaseUrl })
  onTestFinished(() => other.close())
  const { tenantId } = await t.tenant()

  other.app.drain()

  expect(await ready(other)).toMatchObject({ status: 503, body: { ready: false, checks: { ...allRight, program: 'stopping' } } })
  expect((await other.anonymous(tenantId).get('/blade-auth/oauth/captcha')).status).toBe(200)
  const { n } = await other.app.services.scopes.asPlatform('counts what was written', t.clock.now(), db =>
    db.one(sql<{ n: number }>`select count(*)::int as n from login_challenge where tenant_id = ${tenantId}`),
  )
  expect(n).toBe(1)
})
