import { afterAll, beforeAll, expect, test } from 'vitest'
import { gatherCounts, keptCount } from '#kernel/db/row-count.ts'
import { systemOf, type TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'
import { type Person, startTestApp, type TestApp, type TestTenant } from '../support/app.ts'
import { doWork } from '../support/own-work.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp()
})
afterAll(() => t.close())

const now = () => t.app.services.clock.now()
const params = (db: TenantDb): Promise<number> =>
  db.one(sql<{ n: number }>`select count(*)::int as n from param where not is_deleted`).then(row => row.n)
const both = async (db: TenantDb): Promise<readonly [number | undefined, number]> => [await keptCount(db, ['param']), await params(db)]
const add = (db: TenantDb, key: string): Promise<number> =>
  db.run(sql`insert into param (tenant_id, param_name, param_key, param_value) values (${db.actor.tenantId}, ${key}, ${key}, '1')`)
const totalOf = async (person: Person, path: string, query: Record<string, string | number> = {}): Promise<number> =>
  (await person.get(path, { query: { size: 3, ...query } })).body.data.total
const counted = async (tenant: TestTenant, statement: ReturnType<typeof sql<{ n: number }>>): Promise<number> =>
  (await tenant.rows(statement))[0]?.n ?? -1

test('[S3.01] the total of parameters is what came less what went, also after a rollback and when the lines are gathered', async () => {
  const [tenant, other] = [await t.tenant(), await t.tenant()]
  const [admin, elsewhere] = [await tenant.staff('admin'), await other.staff('admin')]
  const before = await totalOf(admin, '/blade-system/param/list')
  expect(before).toBe(await tenant.db(params))
  const ids: string[] = []
  for (const key of ['one.a', 'one.b', 'one.c'])
    ids.push((await admin.post('/blade-system/param/submit', { json: { paramName: key, paramKey: key, paramValue: '1' } })).body.data.id)
  expect(await totalOf(admin, '/blade-system/param/list')).toBe(before + 3)
  expect((await admin.post('/blade-system/param/remove', { query: { ids: `${ids[0]},${ids[1]}` } })).body.data).toEqual({ removed: 2 })
  expect(await totalOf(admin, '/blade-system/param/list')).toBe(before + 1)
  // A search counts what it finds.
  expect(await totalOf(admin, '/blade-system/param/list', { paramKey: 'one.c' })).toBe(1)
  const undone = tenant.db(async db => {
    await add(db, 'gone.a')
    throw new Error('undone')
  })
  await expect(undone).rejects.toThrow('undone')
  expect(await tenant.db(both)).toEqual([before + 1, before + 1])
  await doWork(t, 'tenancy.gather-counts')
  expect(await totalOf(admin, '/blade-system/param/list')).toBe(before + 1)
  expect(await counted(tenant, sql`select count(*)::int as n from row_count where counted = 'param'`)).toBe(1)
  expect(await totalOf(elsewhere, '/blade-system/param/list')).toBe(await other.db(params))
})

test('people are counted by their kinds; who is removed is counted no more', async () => {
  const tenant = await t.tenant()
  const admin = await tenant.staff('admin')
  const reviewer = await tenant.staff('reviewer1')
  await tenant.candidate()
  await tenant.candidate()
  const byHand = async (kind?: 1 | 2) =>
    counted(
      tenant,
      sql`select count(*)::int as n from account where not is_deleted and (${kind ?? null}::int is null or user_type = ${kind ?? null}::int)`,
    )
  const shown = async () => [
    await totalOf(admin, '/blade-system/user/page'),
    await totalOf(admin, '/blade-system/user/page', { userType: 1 }),
    await totalOf(admin, '/blade-system/user/page', { userType: 2 }),
  ]
  const first = [await byHand(), await byHand(1), await byHand(2)]
  expect(await shown()).toEqual(first)
  expect((await admin.post('/blade-system/user/remove', { json: { ids: reviewer.userId } })).status).toBe(200)
  expect(await shown()).toEqual([(first[0] ?? 0) - 1, (first[1] ?? 0) - 1, first[2]])
})

test('the sum belongs to the rows that a transaction sees, whatever others do and gather meanwhile', async () => {
  const tenant = await t.tenant()
  const before = await tenant.db(params)
  await tenant.db(async db => {
    await add(db, 'mine.a')
    await tenant.db(other => add(other, 'theirs.a'))
    expect(await both(db)).toEqual([before + 2, before + 2])
    await t.app.services.scopes.asPlatform('a test', now(), gatherCounts)
    expect(await both(db)).toEqual([before + 2, before + 2])
    expect(await tenant.db(both)).toEqual([before + 1, before + 1])
  })
  const steps = Array.from({ length: 12 }, (_, n) => n)
  await Promise.all(
    steps.flatMap(n => [
      tenant.db(db => add(db, `many.a${n}`)),
      tenant.db(db => db.run(sql`update param set is_deleted = true where param_key = ${`many.a${n - 1}`} and not is_deleted`)),
      t.app.services.scopes.asPlatform('a test', now(), gatherCounts),
    ]),
  )
  const [kept, real] = await tenant.db(both)
  expect(kept).toBe(real)
})

test('[ADR 0062] who is narrowed gets no sum and can read none of its lines', async () => {
  const tenant = await t.tenant()
  const asked = async (departments: readonly string[] | null) =>
    t.app.services.scopes.tx({ kind: 'staff', tenantId: tenant.tenantId, userId: '0', departments }, now(), async db => [
      (await keptCount(db, ['param'])) !== undefined,
      (await db.all(sql`select 1 from row_count`)).length > 0,
    ])
  expect([await asked(null), await asked([])]).toEqual([
    [true, true],
    [false, false],
  ])
  const units = { ...systemOf(tenant.tenantId), units: { signup: ['H01'] } }
  expect(await t.app.services.scopes.tx(units, now(), db => keptCount(db, ['param']))).toBe(undefined)
})
