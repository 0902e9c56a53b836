import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { startTestApp, type TestApp } from '../support/app.ts'

// An office shows its pages to the public from the first minute on: nothing in them may be a sample, a demo or a test of ours.
const words = /演示|示例|样例|样本|测试|张三|李四|demo\b|\bsample|lorem|foobar/i
/** What means something else: words of forms and settings, names of places and schools. */
const meant: Readonly<Record<string, RegExp>> = {
  dict: /样/,
  dict_biz: /样/,
  menu: /^$/,
  major: /测试/,
}

let t: TestApp
beforeAll(async () => {
  t = await startTestApp({ profile: 'production' })
})
afterAll(() => t.close())

test('the data that production begins with hold no sample and no word of the demo', async () => {
  const owner = await t.owner()
  const { rows: columns } = await owner.query<{ table: string; column: string; hasTenant: boolean; hasDeleted: boolean }>(
    `select c.table_name as table, c.column_name as column,
       exists (select 1 from information_schema.columns o where o.table_schema = 'public' and o.table_name = c.table_name and o.column_name = 'tenant_id') as "hasTenant",
       exists (select 1 from information_schema.columns o where o.table_schema = 'public' and o.table_name = c.table_name and o.column_name = 'is_deleted') as "hasDeleted"
     from information_schema.columns c join pg_tables p on p.schemaname = 'public' and p.tablename = c.table_name
     where c.table_schema = 'public' and c.data_type in ('character varying', 'text', 'jsonb') and c.table_name <> 'schema_migration'`,
  )
  const found: string[] = []
  for (const { table, column, hasTenant, hasDeleted } of columns) {
    const where = [hasTenant ? `tenant_id = '000000'` : 'true', hasDeleted ? 'not is_deleted' : 'true'].join(' and ')
    const { rows } = await owner.query<{ value: string }>(
      `select distinct "${column}"::text as value from "${table}" where ${where} and "${column}"::text ~* '演示|示例|样例|样本|测试|张三|李四|demo|sample|lorem|foobar'`,
    )
    for (const { value } of rows)
      if (words.test(value) && !(meant[table]?.test(value) ?? false)) found.push(`${table}.${column}: ${value.slice(0, 80)}`)
  }
  expect(found).toEqual([])
})

test('no role has the page of components, in tenants that are there and in new ones', async () => {
  const tenant = await t.tenant()
  for (const admin of [await t.platform().staff('admin'), await tenant.staff('admin')])
    expect(JSON.stringify((await admin.get('/blade-system/menu/routes')).body.data)).not.toContain('/test/index')
  const operator = await t.platform().staff('administrator')
  const made = await operator.post('/blade-system/tenant/submit', {
    json: { tenantName: '新区卫生健康局', linkman: '林主任', adminAccount: 'guanli' },
  })
  expect(made.status).toBe(200)
  const all = await t.app.services.scopes.asPlatform('a test looks at all tenants', t.clock.now(), db =>
    db.all(sql`select tenant_id from menu where code = 'test' and not is_deleted`),
  )
  expect(all).toEqual([])
})

test('the public pages show neither samples nor the helpers of the demo', async () => {
  const guest = t.anonymous()
  for (const path of ['/demo/phone', '/demo/wxpay', '/demo/clock']) {
    const { raw } = await guest.get(path)
    expect(raw.toString('utf8')).not.toMatch(/短信|微信支付|模拟|emulator|phase/i)
  }
  for (const path of ['/blade-exam/examination/getIndexNotice', '/blade-exam/examination/getNoticeList', '/news/list']) {
    const { body } = await guest.get(path)
    expect(body.code).toBe(200)
    expect(JSON.stringify(body)).not.toMatch(words)
  }
})
