import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type RawBuilder, sql } from '#kernel/db/sql.ts'
import { readTrail } from '#modules/oversight/data/tally.repo.ts'
import { findNamed } from '#modules/school/data/school.repo.ts'
import { startTestApp, type TestApp, type TestTenant } from '../support/app.ts'

let t: TestApp
let tenant: TestTenant
let owner: pg.Client
beforeAll(async () => {
  t = await startTestApp()
  tenant = await t.tenant()
  owner = await t.owner()
  await owner.query(`select set_config('app.now', now()::text, false)`)
})
afterAll(() => t?.close())

const planOf = async (statement: string): Promise<string> => {
  const { rows } = await owner.query<Record<'QUERY PLAN', string>>(`explain (generic_plan) ${statement}`)
  return rows.map(row => row['QUERY PLAN']).join('\n')
}

test.each([
  [
    'idempotency',
    `insert into idempotency (tenant_id, user_id, key, route, digest) select $1, n, n::text, '/route', repeat('a', 64) from generate_series(1, 2000) n`,
    'select answer from idempotency where tenant_id = $1 and user_id = $2 and key = $3',
  ],
  [
    'used_cipher',
    `insert into used_cipher (tenant_id, digest) select $1, repeat(md5(n::text), 2) from generate_series(1, 2000) n`,
    'select 1 from used_cipher where tenant_id = $1 and digest = $2',
  ],
])('a look-up in %s goes by its key, also when the table was emptied overnight', async (table, fill, lookUp) => {
  await owner.query(fill, [tenant.tenantId])
  await owner.query(`delete from ${table}`)
  await owner.query(`vacuum (analyze) ${table}`)
  expect(await planOf(lookUp)).toMatch(new RegExp(`Index (Only )?Scan using ${table}_pkey`))
})

/** The plan of the statement that `ask` sends. */
const planAsked = (ask: (db: TenantDb) => Promise<unknown>): Promise<string> =>
  tenant.db(async db => {
    let asked: RawBuilder<unknown> | undefined
    const all = (statement: RawBuilder<unknown>) => {
      asked = statement
      return db.all(statement)
    }
    await ask(Object.assign(Object.create(db) as TenantDb, { all }))
    const plan = await db.all(sql<Record<'QUERY PLAN', string>>`explain ${asked ?? sql``}`)
    return plan.map(row => row['QUERY PLAN']).join('\n')
  })

test('what is new in the trail is read line by line, however many people there are', async () => {
  await owner.query('set session_replication_role = replica')
  await owner.query(
    `insert into account (tenant_id, account, account_key, user_type, nick_name, real_name)
     select $1, 'p' || g, 'p' || g, 2, '王测', '王测' from generate_series(1, 20000) g`,
    [tenant.tenantId],
  )
  await owner.query(
    `insert into audit_log (tenant_id, user_id, actor_kind, action, entity, entity_id)
     select $1, g % 300, 'staff', 'signup.read', 'signup', g::text from generate_series(1, 6000) g`,
    [tenant.tenantId],
  )
  await owner.query(
    `insert into audit_seal (tenant_id, seq, audit_id, row_hash, chain_hash, signature, fence, sealed_at)
     select tenant_id, row_number() over (order by id), id, repeat('a', 64), repeat('b', 64), repeat('c', 64), 0, now() from audit_log where tenant_id = $1`,
    [tenant.tenantId],
  )
  await owner.query('reset session_replication_role')
  await owner.query('vacuum (analyze) account, audit_log, audit_seal')
  const plan = await planAsked(db => readTrail(db, '0', 1_000))
  expect(plan).toMatch(/using account_pkey on account/)
  expect(plan).toMatch(/using audit_log_pkey on audit_log/)
  expect(plan).not.toMatch(/Seq Scan|Hash/)
})

test('whether names are those of schools is asked by two indexes, of full and of former names, which follow every change', async () => {
  await owner.query(
    `insert into school (tenant_id, school_code, school_name, aliases, province, level)
     select $1, 'K' || n, '学校' || n, case when n % 2 = 0 then '旧名' || n || '；老名' || n end, '浙江省', 1 from generate_series(1, 3000) n`,
    [tenant.tenantId],
  )
  await owner.query('vacuum (analyze) school')
  const names = ['学校7', '旧名8', '老名8', '旧名7', '学校']
  expect([...(await tenant.db(db => findNamed(db, names))).keys()].sort()).toEqual(['学校7', '旧名8', '老名8'].sort())
  const plan = await planAsked(db => findNamed(db, names))
  expect(plan).toContain('school_name_ix')
  expect(plan).toContain('school_former_pkey')
  expect(plan).not.toContain('Seq Scan')

  const known = async (): Promise<readonly string[]> =>
    tenant.db(async db => [...(await findNamed(db, ['旧名8', '新旧名8', '旧名10', '旧名12', '旧名14'])).keys()].sort())
  await owner.query(`update school set aliases = '新旧名8' where tenant_id = $1 and school_code = 'K8'`, [tenant.tenantId])
  await owner.query(`update school set status = 0 where tenant_id = $1 and school_code = 'K10'`, [tenant.tenantId])
  await owner.query(`update school set aliases = null where tenant_id = $1 and school_code = 'K12'`, [tenant.tenantId])
  expect(await known()).toEqual(['新旧名8', '旧名14'].sort())
  await owner.query(`delete from school where tenant_id = $1 and school_code = 'K14'`, [tenant.tenantId])
  expect(await known()).toEqual(['新旧名8'])
})
