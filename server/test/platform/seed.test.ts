import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { seedBase } from '../../seed/base/seed-base.ts'
import { startTestApp, type TestApp, type TestTenant } from '../support/app.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp()
})
afterAll(() => t.close())

const start = () => seedBase(t.app.services.scopes, t.clock.now())
const logCodes = [
  'log_usual',
  'log_usual_view',
  'log_usual_export',
  'log_usual_purge',
  'log_api',
  'log_api_view',
  'log_api_export',
  'log_api_purge',
]
const holders = async (of: TestTenant, code: string): Promise<readonly string[]> =>
  (
    await of.rows(
      sql<{
        alias: string
      }>`select r.role_alias as alias from role_menu rm join role r on r.id = rm.role_id join menu m on m.id = rm.menu_id where m.code = ${code} and not m.is_deleted order by 1`,
    )
  ).map(row => row.alias)

/** As an installation from before the logs: no such menus, and another digest. */
const makeOlder = (of: TestTenant) =>
  of.db(async db => {
    await db.run(sql`delete from top_menu_menu where menu_id in (select id from menu where code = any(${logCodes}))`)
    await db.run(sql`delete from role_menu where menu_id in (select id from menu where code = any(${logCodes}))`)
    await db.run(sql`delete from menu where code = any(${logCodes})`)
    await db.run(sql`update seed_state set digest = ${'0'.repeat(64)}`)
  })

test('[S7.17] menus that a newer program has reach the roles of tenants that are there; what somebody took away stays away', async () => {
  const tenant = await t.tenant()
  const fresh = await t.tenant()
  const wanted = Object.fromEntries(await Promise.all(logCodes.map(async code => [code, await holders(fresh, code)])))
  expect(wanted).toMatchObject({ log_api: ['admin', 'administrator', 'auditor'], log_api_purge: ['admin', 'administrator'] })
  await makeOlder(tenant)
  const take = (code: string) =>
    tenant.db(db =>
      db.run(
        sql`delete from role_menu where menu_id = (select id from menu where code = ${code}) and role_id = (select id from role where role_alias = 'admin')`,
      ),
    )
  await take('log_error_export')
  await start()
  expect(Object.fromEntries(await Promise.all(logCodes.map(async code => [code, await holders(tenant, code)])))).toEqual(wanted)
  expect(await holders(tenant, 'log_error_export')).toEqual(['administrator', 'auditor'])
  // They work: the administrator of that tenant opens the log and sees its menu.
  const admin = await tenant.staff('admin')
  expect((await admin.get('/blade-log/api/list')).status).toBe(200)
  expect(JSON.stringify((await admin.get('/blade-system/menu/routes')).body.data)).toContain('/monitor/log/api')
  // Taken from the new ones too, and not given back by the next start, nor by the next release.
  await take('log_api_purge')
  await start()
  await tenant.db(db => db.run(sql`update seed_state set digest = ${'1'.repeat(64)}`))
  await start()
  expect(await holders(tenant, 'log_api_purge')).toEqual(['administrator'])
  expect((await admin.post('/blade-log/api/purge', { json: { before: '2025-01-01' } })).status).toBe(403)
})

test('a tenant that has all of it is not gone through again; one that has not is', async () => {
  const [same, older] = [await t.tenant(), await t.tenant()]
  const remove = sql`delete from dict_biz where code = 'sex'`
  for (const of of [same, older]) await of.db(db => db.run(remove))
  await older.db(db => db.run(sql`update seed_state set digest = ${'0'.repeat(64)}`))
  const count = async (of: TestTenant) =>
    (await of.rows(sql<{ n: number }>`select count(*)::int as n from dict_biz where code = 'sex'`))[0]?.n ?? 0
  await start()
  expect([await count(same), (await count(older)) > 0]).toEqual([0, true])
  const states = await t.app.services.scopes.asPlatform('test', t.clock.now(), db =>
    db.all(sql<{ digest: string }>`select distinct digest from seed_state`),
  )
  expect(states).toHaveLength(1)
})

test('seeding has no limit of time: on a slow machine one statement takes longer than a call may', async () => {
  const limits: string[] = []
  const { scopes } = t.app.services
  const note = async (db: Parameters<Parameters<typeof scopes.tx>[2]>[0] | Parameters<Parameters<typeof scopes.asPlatform>[2]>[0]) => {
    const { limit } = await db.one(sql<{ limit: string }>`select current_setting('statement_timeout') as limit`)
    limits.push(limit)
  }
  const noting: typeof scopes = {
    ...scopes,
    tx: (actor, now, work) =>
      scopes.tx(actor, now, async db => {
        const done = await work(db)
        await note(db)
        return done
      }),
  }
  await makeOlder(t.platform())
  await seedBase(noting, t.clock.now())

  expect(limits.length).toBeGreaterThan(1)
  expect(new Set(limits)).toEqual(new Set(['0']))
})
