import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { type Person, startTestApp, type TestApp, type TestTenant } from '../../support/app.ts'
import { sheetCells } from '../../support/sheet-text.ts'

let t: TestApp
let tenant: TestTenant
let admin: Person
beforeAll(async () => {
  t = await startTestApp()
  tenant = await t.tenant()
  admin = await tenant.staff('admin')
  await tenant.db(async db => {
    await db.run(sql`
      insert into account (tenant_id, account, account_key, user_type, nick_name, real_name, created_at)
      select ${tenant.tenantId}, a, a, 1, a, n, d::timestamptz from (values
        ('zhang', '张三', '2025-01-31 23:59:59+08'), ('zhang2', '张三丰', '2025-02-01 00:00:00+08'), ('li', '李四', '2025-02-28 12:00:00+08')) x(a, n, d)`)
  })
})
afterAll(() => t.close())

const users = '/blade-system/user/page'
const accountsOf = async (who: Person, query: Record<string, unknown>): Promise<readonly string[]> =>
  (await who.get(users, { query: { size: 200, ...query } })).body.data.records.map((row: { account: string }) => row.account).sort()

test('[S7.03] accounts are found by the suffixes of the search grammar, and pages count what was found', async () => {
  expect(await accountsOf(admin, { account_equal: 'zhang' })).toEqual(['zhang'])
  expect(await accountsOf(admin, { realName_like: '三' })).toEqual(['zhang', 'zhang2'])
  expect(await accountsOf(admin, { realName_likeright: '张', account_notequal: 'zhang' })).toEqual(['zhang2'])
  expect(await accountsOf(admin, { createTime_datege: '2025-02-01 00:00:00', createTime_datelt: '2025-03-01 00:00:00' })).toEqual([
    'li',
    'zhang2',
  ])
  // A day is all of it.
  expect(await accountsOf(admin, { createTime_datele: '2025-01-31' })).toEqual(['zhang'])
  expect(await accountsOf(admin, { createTime_dateequal: '2025-02-28' })).toEqual(['li'])
  const second = await admin.get(users, { query: { current: 2, size: 1, realName_like: '三' } })
  expect(second.body.data).toMatchObject({
    total: 2,
    size: 1,
    current: 2,
    pages: 2,
    records: [{ realName: expect.stringContaining('张三') }],
  })
})

test('times of rows of a noun are ranges, in its list and in its workbook', async () => {
  for (const [name, day] of [
    ['早', '2025-01-31 16:00:00+00'],
    ['晚', '2025-02-02 16:00:00+00'],
  ])
    await tenant.db(db =>
      db.run(sql`
        insert into post (tenant_id, category, post_code, post_name, sort, created_at)
        values (${tenant.tenantId}, '1', ${`c-${name}`}, ${name}, 1, ${day}::timestamptz)`),
    )
  const day = { createTime_datege: '2025-02-01', createTime_datele: '2025-02-02' }
  const listed = await admin.get('/blade-system/post/list', { query: day })
  expect(listed.body.data.records.map((row: { postName: string }) => row.postName)).toEqual(['早'])
  const cells = await sheetCells((await admin.get('/blade-system/post/export', { query: day })).raw)
  expect([JSON.stringify(cells).includes('早'), JSON.stringify(cells).includes('晚')]).toEqual([true, false])
})

test('[S7.02] a condition that a list does not know is refused by name, in the reader’s language, and beside a right one', async () => {
  const ask = (language: 'zh' | 'en') => admin.get(users, { query: { account: 'zhang', acount_equal: 'zhang' }, language })
  expect(await ask('zh')).toMatchObject({
    status: 400,
    body: {
      msg: '“acount_equal”不是此列表的查询条件，请检查名称后重试',
      data: { fields: [{ field: 'acount_equal', msg: '“acount_equal”不是此列表的查询条件，请检查名称后重试' }] },
    },
  })
  expect((await ask('en')).body.msg).toBe('"acount_equal" is no condition of this list; check its name and try again')
})

test('a client of the framework is answered as its row says, and the web of this program stays strict', async () => {
  const operator = await t.platform().staff('administrator')
  const client = '/blade-system/client'
  const { id } = (
    await operator.post(`${client}/submit`, {
      json: {
        clientId: 'saber-list',
        clientSecret: 'long-enough-secret-1',
        authorizedGrantTypes: 'password',
        accessTokenValidity: 3600,
        refreshTokenValidity: 3600,
      },
    })
  ).body.data
  const reader = await tenant.staff('admin')
  await tenant.db(db => db.run(sql`update session set client_id = 'saber-list' where user_id = ${reader.userId}`))
  const ask = () => reader.get(users, { query: { account_equal: 'zhang', gender_equal: '1', other: 'x' } })
  const ignored = await ask()
  expect([ignored.status, ignored.body.msg, ignored.body.data.total]).toEqual([
    200,
    '操作成功；未识别的查询条件已忽略：gender_equal、other',
    1,
  ])
  expect((await operator.post(`${client}/submit`, { json: { id, ignoresUnknownConditions: 0 } })).status).toBe(200)
  await expect.poll(async () => (await ask()).status).toBe(400)
  expect((await ask()).body.data.fields.map((one: { field: string }) => one.field)).toEqual(['gender_equal', 'other'])
  const [own] = (await operator.get(`${client}/list`, { query: { clientId_equal: 'kaopu-web' } })).body.data.records
  expect(own.ignoresUnknownConditions).toBe(0)
  expect((await operator.post(`${client}/submit`, { json: { id: own.id, ignoresUnknownConditions: 1 } })).body.reason).toBe(
    'client/own-stays',
  )
})
