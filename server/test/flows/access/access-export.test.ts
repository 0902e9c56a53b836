import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ownReasons } from '#contract/kernel/own-reason.ts'
import { sql } from '#kernel/db/sql.ts'
import { type Answer, type Person, startTestApp, type TestApp, type TestTenant } from '../../support/app.ts'
import { sheetRows } from '../../support/sheet-text.ts'

let t: TestApp
let tenant: TestTenant
let admin: Person
let keeper: Person
let clerk: Person
let elsewhere: TestTenant
beforeAll(async () => {
  t = await startTestApp()
  tenant = await t.tenant()
  elsewhere = await t.tenant()
  admin = await tenant.staff('admin', { realName: '管理员' })
  keeper = await tenant.staff('secadmin', { realName: '安全员' })
  clerk = await tenant.staff('finance')
})
afterAll(() => t.close())

const rowsOf = async (answer: Answer): Promise<readonly string[][]> => {
  expect(answer.status).toBe(200)
  return sheetRows(answer.raw)
}
const lineOf = async (action: string, of = tenant) =>
  (
    await of.rows(sql<{ by: string; after: { filter?: unknown; columns: string[] } }>`
      select user_id::text as by, after_value as after from audit_log where action = ${action} order by id desc limit 1`)
  )[0]
/** Text that a workbook program would take for a formula stays the text it is. */
const formula = '=1+1'
const refusedTo = async (path: string) => {
  expect([path, (await clerk.get(path)).status, (await t.anonymous(tenant.tenantId).get(path)).status]).toEqual([path, 403, 401])
}

describe('[S7.20] roles as a workbook', () => {
  test('each with those above it, as the list is searched, as text, with its audit line, in either language', async () => {
    const add = async (values: object) => (await keeper.post('/blade-system/role/submit', { json: { sort: 90, ...values } })).body
    const [own] = await tenant.rows(sql<{ id: string }>`select id::text as id from role where role_alias = 'secadmin'`)
    const { id } = (await add({ roleName: formula, roleNameEn: 'Night shift', roleAlias: 'night_shift', parentId: own?.id })).data
    await add({ roleName: '夜班副手', roleAlias: 'night_second', parentId: id })
    const rows = await rowsOf(await keeper.get('/blade-system/role/export-role', { query: { roleAlias: 'night' } }))
    expect(rows[0]).toEqual(['角色 · 安全员 · 2026-03-17 10:00:00 · 内部资料 注意保密'])
    expect(rows.slice(1)).toEqual([
      ['上级角色', '角色名称', '英文名称', '角色别名', '排序', '持有人数', '可撤回审核', '系统角色'],
      ['安全管理员', '=1+1', 'Night shift', 'night_shift', '90', '0', '', '否'],
      ['安全管理员 / =1+1', '夜班副手', '', 'night_second', '90', '0', '', '否'],
    ])
    expect(await lineOf('role.exported')).toMatchObject({ by: keeper.userId, after: { filter: { roleAlias: 'night' } } })
    const english = await rowsOf(await keeper.get('/blade-system/role/export-role', { language: 'en' }))
    expect(english[1]?.slice(0, 3)).toEqual(['Parent', 'Name', 'English name'])
    expect(english.filter(row => row[3] === 'night_second')[0]?.[0]).toBe('Security administrator / Night shift')
    const theirs = await rowsOf(await (await elsewhere.staff('secadmin')).get('/blade-system/role/export-role'))
    expect(theirs.flat()).not.toContain('night_shift')
    await refusedTo('/blade-system/role/export-role')
  })
})

describe('[S7.17] menus as a workbook', () => {
  test('menus and buttons below each other, as the list is searched', async () => {
    const whole = await rowsOf(await admin.get('/blade-system/menu/export-menu'))
    const [{ n } = { n: 0 }] = await tenant.rows(sql<{ n: number }>`select count(*)::int as n from menu where not is_deleted`)
    expect(whole.length).toBe(n + 2)
    const at = (code: string) => whole.findIndex(row => row[1] === code)
    expect(at('role_view')).toBeGreaterThan(at('role'))
    expect(whole[at('role_view')]?.slice(0, 6)).toEqual(['系统管理 / 角色管理', 'role_view', '查看', 'View', 'role_view', '按钮'])
    const added = await admin.post('/blade-system/menu/submit', {
      json: { code: 'own_page', name: formula, nameEn: 'Own page', sort: 1, category: 1, path: '/own/page', parentId: '0' },
    })
    expect(added.body.code).toBe(200)
    const found = await rowsOf(await admin.get('/blade-system/menu/export-menu', { query: { code: 'own_page' }, language: 'en' }))
    expect(found.slice(2)).toEqual([['Top level', 'own_page', '=1+1', 'Own page', '', 'Menu', '/own/page', '', '1', 'no', 'no']])
    expect(await lineOf('menu.exported')).toMatchObject({ by: admin.userId, after: { filter: { code: 'own_page' } } })
    // Who may look but not export gets the list alone.
    expect((await (await tenant.staff('auditor')).get('/blade-system/menu/export-menu')).status).toBe(403)
    await refusedTo('/blade-system/menu/export-menu')
  })

  test('[S6.04] top menus', async () => {
    const rows = await rowsOf(await admin.get('/blade-system/topmenu/export', { query: { code: 'sys' } }))
    expect(rows[1]).toEqual(['菜单编号', '菜单名称', '英文名称', '图标', '排序', '主菜单'])
    expect(rows.slice(2).every(row => row[0]?.includes('sys'))).toBe(true)
    expect(await lineOf('topmenu.exported')).toMatchObject({ by: admin.userId })
    await refusedTo('/blade-system/topmenu/export')
  })
})

describe('[S7.15] scopes as workbooks', () => {
  test('data scopes tell noun, rows and conditions in words', async () => {
    const scopeValue = [
      { field: 'postName', operator: 'like', values: [formula] },
      { field: 'postCode', operator: 'in', values: ['a', 'b'] },
    ]
    const saved = await keeper.post('/blade-system/data-scope/submit', {
      json: { scopeName: formula, resourceCode: 'post', scopeType: 5, scopeValue },
    })
    expect(saved.body.code).toBe(200)
    const rows = await rowsOf(await keeper.get('/blade-system/data-scope/export'))
    expect(rows.slice(1)).toEqual([
      ['名称', '业务对象', '范围', '条件'],
      ['=1+1', '职务', '自定义条件', expect.stringMatching(/^\S+ 包含 =1\+1；且 \S+ 属于 a、b$/)],
    ])
    const english = await rowsOf(await keeper.get('/blade-system/data-scope/export', { language: 'en' }))
    expect(english[2]?.slice(2)).toEqual(['By conditions', expect.stringMatching(/ contains =1\+1; and .+ is one of a、b$/)])
    expect(await lineOf('data-scope.exported')).toMatchObject({ by: keeper.userId })
    await refusedTo('/blade-system/data-scope/export')
  })
  test('API scopes', async () => {
    await keeper.post('/blade-system/api-scope/submit', {
      json: { scopeName: formula, scopeMethod: 'GET', scopePath: '/blade-system/post/page' },
    })
    const rows = await rowsOf(await keeper.get('/blade-system/api-scope/export'))
    expect(rows.at(-1)).toEqual(['=1+1', 'post_view', 'GET', '/blade-system/post/page'])
    expect(await lineOf('api-scope.exported')).toMatchObject({ by: keeper.userId })
    expect((await rowsOf(await (await elsewhere.staff('secadmin')).get('/blade-system/api-scope/export'))).length).toBe(2)
    await refusedTo('/blade-system/api-scope/export')
  })
})

describe('[S7.06] log-ins and locks as workbooks', () => {
  test('as their lists are searched; a name that is masked in the list is masked in the workbook', async () => {
    const person = await tenant.staff('finance', { realName: '=停岗人' })
    await admin.post('/blade-system/user/lock', { json: { userIds: person.userId, reason: formula } })
    await tenant.db(db =>
      db.run(sql`
        insert into login_log (tenant_id, user_id, account_key, grant_type, result, ip, user_agent)
        values (${tenant.tenantId}, ${person.userId}, 'x', 'password', 'auth/account-locked', '10.1.2.3', '=cmd()'),
          (${tenant.tenantId}, 0, 'nobody', 'wechat', 'ok', '10.1.2.4', '')`),
    )
    const logins = await rowsOf(await admin.get('/blade-system/auth-log/export', { query: { remoteIp: '10.1.2.' } }))
    const [{ account } = { account: '' }] = await tenant.rows(
      sql<{ account: string }>`select account from account where id = ${person.userId}`,
    )
    expect(logins.slice(1)).toEqual([
      ['时间', '账号', '姓名', '方式', '结果', 'IP 地址', '浏览器'],
      ['2026-03-17 10:00:00', 'nobody', '', '第三方 wechat', '成功', '10.1.2.4'],
      ['2026-03-17 10:00:00', account, '=停岗人', '密码', '失败次数过多，暂时锁定', '10.1.2.3', '=cmd()'],
    ])
    const failed = await rowsOf(await admin.get('/blade-system/auth-log/export', { query: { remoteIp: '10.1.2.', ok: 0 }, language: 'en' }))
    expect(failed.slice(2).map(row => row[4])).toEqual(['Locked for a while by too many failures'])
    expect(await lineOf('authlog.exported')).toMatchObject({ by: admin.userId, after: { filter: { remoteIp: '10.1.2.', ok: 0 } } })
    const locks = await rowsOf(await admin.get('/blade-system/auth-lock/export'))
    expect(locks.slice(1)).toEqual([
      ['账号', '姓名', '类型', '锁定方式', '状态', '错误次数', '锁定自', '锁定至', '原因', 'IP 地址', '解锁时间', '解锁原因'],
      [account, '=停岗人', '工作人员', '人工锁定', '已锁定', '0', '2026-03-17 10:00:00', '至解锁', '=1+1'],
    ])
    expect(await lineOf('authlock.exported')).toMatchObject({ by: admin.userId })

    await tenant.db(db =>
      db.run(sql`
        insert into role_field_rule (tenant_id, role_id, noun, field, level, views)
        select ${tenant.tenantId}, id, 'user', 'realName', 1, array['user_view'] from role where role_alias = 'auditor'`),
    )
    const auditor = await tenant.staff('auditor')
    for (const path of ['auth-log', 'auth-lock']) {
      const masked = await rowsOf(await auditor.get(`/blade-system/${path}/export`))
      expect([path, masked.flat().includes(account), masked.flat().includes('=停岗人')]).toEqual([path, true, false])
      await refusedTo(`/blade-system/${path}/export`)
      const foreign = await rowsOf(await (await elsewhere.staff('admin')).get(`/blade-system/${path}/export`))
      expect(foreign.flat()).not.toContain(account)
    }
    // What the program wrote itself is said in the reader's language.
    await tenant.db(db =>
      db.run(
        sql`update account set status = 1, unlock_reason = ${ownReasons.lockElapsed.zh}, unlocked_at = app_now() where id = ${person.userId}`,
      ),
    )
    const ended = (language: 'zh' | 'en') =>
      admin.get('/blade-system/auth-lock/export', { query: { account, lockStatus: 'UN_LOCKED' }, language })
    expect([(await rowsOf(await ended('en'))).at(-1)?.at(-1), (await rowsOf(await ended('zh'))).at(-1)?.at(-1)]).toEqual([
      'The lock ran out',
      '锁定到期',
    ])
  })
})

describe('[S3.01] looking at what somebody would see', () => {
  test('opens no export: it reads lists, and who looks exports with their own right or not at all', async () => {
    const viewer = await tenant.staff('auditor')
    for (const resource of ['role', 'menu', 'dept', 'authlog', 'topmenu_export'])
      expect((await viewer.get('/blade-system/role/view-as-rows', { query: { userId: admin.userId, resource } })).status).toBeGreaterThan(
        400,
      )
    expect((await viewer.get('/blade-system/role/view-as', { query: { userId: keeper.userId } })).status).toBe(200)
    for (const path of [
      'role/export-role',
      'menu/export-menu',
      'dept/export-dept',
      'data-scope/export',
      'api-scope/export',
      'topmenu/export',
    ]) {
      expect([path, (await viewer.get(`/blade-system/${path}`)).status]).toEqual([path, 403])
      expect([path, (await viewer.get(`/blade-system/${path}`, { query: { userId: keeper.userId } })).status]).toEqual([path, 403])
    }
  })
})
