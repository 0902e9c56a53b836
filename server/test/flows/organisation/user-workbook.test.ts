import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { administering, base } from '../../support/administering.ts'
import { type Person, startTestApp, type TestApp, type TestTenant } from '../../support/app.ts'
import { sheetRows } from '../../support/sheet-text.ts'
import { workbook } from '../../support/workbook.ts'

let t: TestApp
/** A second process on the same database. */
let two: TestApp
let tenant: TestTenant
let admin: Person
beforeAll(async () => {
  t = await startTestApp()
  two = await t.beside()
  tenant = await t.tenant()
  admin = await tenant.staff('admin')
})
afterAll(() => t.close())

const { logIn, dept } = administering(() => ({ t, two, tenant, admin }))

describe('[S7.19] accounts by workbook', () => {
  const header = ['账号*', '姓名*', '昵称', '手机', '邮箱', '角色*', '部门', '职务', '用户编号', '单位编码', '出生日期']
  const send = async (rows: readonly (readonly string[])[], fields: Record<string, string>, by = admin) =>
    by.post(`${base}/import-user`, {
      multipart: { fields, files: [{ part: 'file', name: '人员.xlsx', bytes: await workbook([header, ...rows]) }] },
    })
  const row = (account: string, realName: string, more: Record<number, string> = {}) =>
    header.map((_, at) => ({ 0: account, 1: realName, 5: '初审员', ...more })[at] ?? '')

  test('a birth date that lies ahead is wrong, one of a child or of somebody very old asks, as when one account is made', async () => {
    const rows = [row('born.ahead', '钱甲', { 10: '2030-01-01' }), row('born.late', '孙乙', { 10: '2015-01-01' }), row('born.well', '李丙')]
    const { data } = (await send(rows, { mode: 'check' })).body
    expect([data.errors.map((one: { reason: string }) => one.reason), data.asked, data.warnings]).toEqual([
      ['出生日期不能晚于今天'],
      1,
      [{ row: 3, reason: '年龄不满 16 周岁', asks: 'birthday.late.now' }],
    ])
    expect((await send(rows.slice(1), { mode: 'commit', sure: '2' })).body.data).toMatchObject({ state: 4, inserted: 2, asked: 0 })
    const one = { account: 'born.alone', realName: '周丁', birthday: '1940-01-01' }
    const asked = await admin.post(`${base}/submit`, { json: one })
    expect([asked.status, asked.body.data.asks]).toEqual([409, [{ id: 'birthday.early.now', field: 'birthday', msg: '年龄超过 70 周岁' }]])
    expect((await admin.post(`${base}/submit`, { json: { ...one, sure: 'birthday.early.now' } })).status).toBe(200)
  })

  test('right rows become accounts of the importer’s tenant without a password; each wrong cell is named', async () => {
    const house = await dept('导入科')
    const wrong = await send(
      [
        row('import.one', '钱一'),
        row('x', '孙2', { 3: '123', 4: 'nobody', 5: '国王', 6: '无此科', 7: '无此职', 9: 'NONE', 10: '1990-02-30' }),
        row('IMPORT.one', '李三', { 5: '租户管理员，审计监督' }),
        row('import.four', '周四', { 5: '平台管理员' }),
      ],
      { mode: 'commit', policy: 'all' },
    )
    expect(wrong.body.code).toBe(2504)
    expect(
      wrong.body.data.errors.map((one: { row: number; header: string; code: string }) => `${one.row} ${one.header} ${one.code}`),
    ).toEqual([
      '3 账号 account',
      '3 姓名 name',
      '3 手机 mobile',
      '3 邮箱 email',
      '3 出生日期 date',
      '3 单位编码 unknown',
      '3 角色 unknown',
      '3 部门 unknown',
      '3 职务 unknown',
      '4 角色 kept-apart',
      '4 角色 apart',
      '4 账号 duplicate',
      '5 角色 beyond-own',
    ])
    expect(wrong.body.data.errorFileUrl).toMatch(/^\/api\/file\//)
    expect(await tenant.rows(sql<object>`select 1 from account where account_key like 'import.%'`)).toEqual([])

    const right = await send(
      [row('import.one', '钱一', { 3: '13700001111', 5: '初审员、财务', 6: '导入科', 10: '1991-05-06' }), row('import.two', '孙二')],
      {
        mode: 'commit',
      },
    )
    expect(right.body.data).toMatchObject({ state: 4, inserted: 2, updated: 0 })
    const made = (await admin.get(`${base}/page`, { query: { account: 'import.' } })).body.data.records
    // Those who came in have no password yet, and are found by that until they have one.
    const waiting = async () =>
      (await admin.get(`${base}/page`, { query: { withoutPassword: 1 } })).body.data.records.map((one: { account: string }) => one.account)
    expect((await waiting()).filter((account: string) => account.startsWith('import.'))).toEqual(['import.two', 'import.one'])
    expect(made).toMatchObject([
      { account: 'import.two', roleName: '初审员', passwordDue: 1 },
      {
        account: 'import.one',
        roleName: '初审员,财务',
        deptId: house,
        phone: '137****1111',
        birthday: '1991-05-06',
        tenantId: tenant.tenantId,
      },
    ])
    expect((await logIn('import.one', '')).status).toBe(400)
    const { data } = (await admin.post(`${base}/reset-password`, { query: { userIds: made[1].id } })).body
    expect((await logIn('import.one', data[0].password)).status).toBe(200)
    expect((await send([row('import.one', '钱一')], { mode: 'check' })).body.data.errors).toMatchObject([{ row: 2, code: 'taken' }])
  })

  test('[PF9] only who holds the right imports, and never beyond their own rights', async () => {
    const reviewer = await tenant.staff('reviewer1')
    expect((await send([row('by.reviewer', '吴五')], { mode: 'commit' }, reviewer)).status).toBe(403)
    const template = await admin.get('/blade-exam/examination/importTemplate', { query: { kind: 'T0' } })
    expect((await sheetRows(template.raw))[0]).toEqual(header.map(name => name.replace('*', '')))
    expect((await reviewer.get('/blade-exam/examination/importTemplate', { query: { kind: 'T0' } })).status).toBe(403)
  })

  test('[PF9] whoever does not reach every row and field imports nobody; who keeps the rights does, unless accounts themselves are narrowed for them', async () => {
    const own = await t.tenant()
    const keeper = await own.staff('secadmin')
    const scopeOn = async (resourceCode: string): Promise<string> =>
      (
        await keeper.post('/blade-system/data-scope/submit', {
          json: { scopeName: resourceCode, resourceCode, scopeType: 2, scopeValue: [] },
        })
      ).body.data.id
    const [onUsers, onPosts] = [await scopeOn('user'), await scopeOn('post')]
    /** A role of its own that may import, narrowed by a data scope. */
    const role = async (alias: string, scopeId: string | null = null): Promise<string> =>
      (
        await own.rows(sql<{ id: string }>`
          with made as (insert into role (tenant_id, role_name, role_alias, sort) values (${own.tenantId}, ${alias}, ${alias}, 50) returning id),
          held as (insert into role_menu (tenant_id, role_id, menu_id)
            select ${own.tenantId}, made.id, m.id from made, menu m where m.code in ('user_view', 'user_import', 'post_view') returning 1),
          narrowed as (insert into role_data_scope (tenant_id, role_id, scope_id) select ${own.tenantId}, id, ${scopeId}::bigint from made where ${scopeId}::bigint is not null returning 1)
          select id::text as id from made`)
      )[0]?.id ?? ''
    const ruled = await role('clerk-fields')
    for (const [alias, scopeId] of [
      ['clerk', null],
      ['clerk-users', onUsers],
      ['clerk-posts', onPosts],
    ] as const)
      await role(alias, scopeId)
    const rules = [{ noun: 'signup', field: 'name', level: 'hidden' }]
    expect((await keeper.post('/blade-system/field-rule/submit', { json: { roleId: ruled, rules } })).status).toBe(200)
    const [place] = await own.rows(sql<{ id: string }>`select id::text as id from dept`)
    const someone = (roles: readonly string[], deptId?: string) => own.staff(roles as never, deptId === undefined ? {} : { deptId })
    await t.app.catchUp()
    let turn = 0
    const outcome = async (by: Person): Promise<string> => {
      turn += 1
      const { status, body } = await send([row(`reach.${turn}`, '郑六', { 5: '' })], { mode: 'check' }, by)
      return status === 409 || status === 403 ? body.reason : 'read'
    }
    const refused = 'kernel/whole-needed'
    expect({
      free: await outcome(await someone(['clerk'])),
      users: await outcome(await someone(['clerk-users'])),
      posts: await outcome(await someone(['clerk-posts'])),
      fields: await outcome(await someone(['clerk-fields'])),
      department: await outcome(await someone(['clerk', 'exam_admin'], place?.id)),
      keeper: await outcome(await someone(['admin', 'exam_admin'], place?.id)),
    }).toEqual({ free: 'read', users: refused, posts: refused, fields: refused, department: refused, keeper: 'read' })
    await own.db(db =>
      db.run(
        sql`insert into role_data_scope (tenant_id, role_id, scope_id) select ${own.tenantId}, id, ${onUsers} from role where role_alias = 'admin'`,
      ),
    )
    await t.app.catchUp()
    expect(await outcome(await someone(['admin']))).toBe(refused)
  })
})
