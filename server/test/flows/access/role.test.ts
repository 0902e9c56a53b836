import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import type { RoleAlias } from '../../../seed/base/menus.ts'
import { type Person, startTestApp, type TestApp, type TestTenant } from '../../support/app.ts'

let t: TestApp
let tenant: TestTenant
let admin: Person
beforeAll(async () => {
  t = await startTestApp()
})
afterAll(() => t.close())
beforeEach(async () => {
  tenant = await t.tenant()
  admin = await tenant.staff('admin')
})

const base = '/blade-system/role'
const submit = (json: object, by = admin) => by.post(`${base}/submit`, { json })
const desk = { parentId: '0', roleName: '窗口', roleNameEn: 'Desk', roleAlias: 'desk', sort: 50 }
const idsOf = async (table: 'menu' | 'role', names: readonly string[], of = tenant): Promise<string[]> => {
  const column = table === 'menu' ? sql.ref('code') : sql.ref('role_alias')
  const rows = await of.rows(
    sql<{
      id: string
      name: string
    }>`select id::text as id, ${column} as name from ${sql.table(table)} where ${column} = any(${[...names]}) and not is_deleted`,
  )
  return names.map(name => rows.find(row => row.name === name)?.id ?? `no ${name}`)
}
const roleId = async (alias: string, of = tenant): Promise<string> => (await idsOf('role', [alias], of))[0] ?? ''
const held = async (alias: string): Promise<string[]> =>
  (
    await tenant.rows(sql<{ code: string }>`
      with given as materialized (
        select rm.menu_id from role_menu rm join role r on r.id = rm.role_id where r.role_alias = ${alias} and not r.is_deleted)
      select m.code from given join menu m on m.id = given.menu_id where not m.is_deleted order by m.code`)
  ).map(row => row.code)
const grant = (roleIds: readonly string[], menuIds: readonly string[], by = admin, more: object = {}) =>
  by.post(`${base}/grant`, { json: { roleIds, menuIds, ...more } })
interface Node {
  readonly id: string
  readonly code?: string
  readonly title?: string
  readonly roleAlias?: string
  readonly may?: number
  readonly children?: readonly Node[]
}
const flat = (nodes: readonly Node[]): Node[] => nodes.flatMap(node => [node, ...flat(node.children ?? [])])
/** Somebody whose role, made here, stands below `exam_admin`'s or nowhere, and holds these codes. */
const withCodes = async (alias: RoleAlias, codes: readonly string[]): Promise<Person> => {
  const menus = await idsOf('menu', codes)
  await tenant.db(async db => {
    await db.run(sql`delete from role_menu where role_id = (select id from role where role_alias = ${alias})`)
    await db.run(sql`
      insert into role_menu (tenant_id, role_id, menu_id)
      select ${tenant.tenantId}, r.id, m.id from role r cross join unnest(${menus}::bigint[]) as m(id) where r.role_alias = ${alias}`)
  })
  return tenant.staff(alias)
}

describe('[S3.17][S7.15] roles', () => {
  test('the thirteen of every tenant, then a tree of one’s own: added, moved, found, renamed, removed, with audit lines', async () => {
    const seeded: Node[] = (await admin.get(`${base}/list`)).body.data
    expect(seeded.map(row => row.roleAlias)).toEqual([
      'administrator',
      'admin',
      'secadmin',
      'auditor',
      'exam_admin',
      'unit_hr',
      'reviewer1',
      'reviewer2',
      'recheck',
      'finance',
      'site',
      'school',
      'candidate',
    ])
    const { id } = (await submit(desk)).body.data
    const below = (await submit({ ...desk, parentId: id, roleName: '窗口助理', roleAlias: 'desk_help' })).body.data.id
    expect((await admin.get(`${base}/list`, { query: { roleAlias: 'desk_help' } })).body.data).toEqual([
      {
        id,
        tenantId: tenant.tenantId,
        parentId: '0',
        roleName: '窗口',
        roleNameEn: 'Desk',
        roleAlias: 'desk',
        sort: 50,
        isBack: -1,
        isSystem: 0,
        holders: 0,
        mayManage: 2,
        version: 0,
        hasChildren: true,
        children: [expect.objectContaining({ id: below, roleAlias: 'desk_help' })],
      },
    ])
    expect((await admin.get(`${base}/detail`, { query: { id: below } })).body.data).toMatchObject({ parentName: '窗口' })
    expect(flat((await admin.get(`${base}/tree`, { language: 'en' })).body.data).map(node => node.title)).toEqual(
      expect.arrayContaining(['Desk', 'First reviewer']),
    )
    const select = async (query: object) => (await admin.get(`${base}/select`, { query: query as never, language: 'en' })).body
    expect((await select({ roleId: `${id},${below}` })).data).toEqual([
      { id, roleName: 'Desk', roleAlias: 'desk' },
      { id: below, roleName: expect.any(String), roleAlias: 'desk_help' },
    ])
    const [reviewer, stranger] = [await tenant.staff('reviewer1'), await (await t.tenant()).staff('reviewer1')]
    expect((await select({ userId: reviewer.userId })).data).toMatchObject([{ roleAlias: 'reviewer1' }])
    expect((await select({})).data).toMatchObject([{ roleAlias: 'admin' }])
    expect([(await select({ userId: stranger.userId })).code, (await reviewer.get(`${base}/select`)).status]).toEqual([404, 403])
    expect((await submit({ ...desk, id, parentId: below })).body.msg).toBe('不能移到自己的下级')
    expect((await submit({ ...desk, id, roleName: '大厅', version: 7 })).body.code).toBe(2002)
    expect((await submit({ ...desk, id, roleName: '大厅', version: 0 })).status).toBe(200)
    expect((await admin.post(`${base}/remove`, { query: { ids: id } })).body.msg).toBe('已被使用，不能删除：大厅 还有 1 个下级')
    const holder = await tenant.staff('school')
    await tenant.rows(sql`insert into account_role (tenant_id, user_id, role_id) values (${tenant.tenantId}, ${holder.userId}, ${below})`)
    expect((await admin.post(`${base}/remove`, { query: { ids: `${id},${below}` } })).body).toMatchObject({
      code: 2004,
      reason: 'role/held',
      msg: '角色“窗口助理”还有 1 人持有，请先调整这些人的角色',
    })
    await tenant.rows(sql`delete from account_role where role_id = ${below}`)
    expect((await admin.post(`${base}/remove`, { query: { ids: `${id},${below}` } })).body.data).toEqual({ removed: 2 })
    const log = await tenant.rows(sql<{ action: string }>`select action from audit_log where entity = 'role' order by id`)
    expect(log.map(row => row.action)).toEqual(['role.added', 'role.added', 'role.updated', 'role.removed', 'role.removed'])
  })

  test.each([
    [{ roleName: '' }, 400, '请输入角色名称'],
    [{ roleAlias: '' }, 400, '请输入角色别名'],
    [{ roleName: '财务' }, 400, '角色名称 财务 已存在'],
    [{ roleAlias: 'finance' }, 400, '角色别名 finance 已存在'],
    [{ parentId: '1' }, 400, '上级角色不存在'],
    [{ sort: undefined }, 400, '请输入排序'],
  ])('[S5.21] %o is refused in words', async (change, status, msg) => {
    expect(await submit({ ...desk, ...change })).toMatchObject({ status, body: { msg } })
  })

  test('[PF 10][PF 59] no alias of the program is made, taken or given up; nothing that looks like one either', async () => {
    const aliases = ['administrator', 'Administrator', 'ＡＤＭＩＮ', 'admin ', 'аdmin', 'administrator\u200b']
    const answers = await Promise.all(aliases.map(roleAlias => submit({ ...desk, roleAlias })))
    expect(answers.map(answer => answer.status)).toEqual(aliases.map(() => 400))
    const { id } = (await submit(desk)).body.data
    expect((await submit({ ...desk, id, roleAlias: 'administrator' })).status).toBe(400)
    expect((await submit({ ...desk, id: await roleId('finance'), roleName: '财务', roleAlias: 'money' })).body.reason).toBe('role/system')
    expect((await admin.post(`${base}/remove`, { query: { ids: await roleId('finance') } })).body.reason).toBe('role/system')
    // Even where the role itself has gone, its alias is not free.
    await tenant.rows(sql`update role set is_deleted = true where role_alias = 'administrator'`)
    expect((await submit({ ...desk, roleName: '甲', roleAlias: 'administrator' })).status).toBe(400)
    // A name that only contains the word has none of its powers.
    const fake = (await submit({ ...desk, roleName: '假', roleAlias: 'xadmin' })).body.data.id
    const person = await tenant.staff('school')
    await tenant.rows(sql`update account_role set role_id = ${fake} where user_id = ${person.userId}`)
    await tenant.rows(sql`update session set role_ids = ${JSON.stringify([fake])} where user_id = ${person.userId}`)
    expect((await person.get(`${base}/list`)).status).toBe(403)
  })
})

describe('[S6.04][S7.20] granting', () => {
  test('replaces what roles hold, tells it in the keys and the trees, and writes what was given and taken', async () => {
    const [view, add, wel] = await idsOf('menu', ['post_view', 'post_add', 'wel'])
    const { id } = (await submit(desk)).body.data
    expect((await grant([id], [view ?? '', wel ?? ''])).body.data).toEqual({ changed: 1 })
    expect((await grant([id], [add ?? '', view ?? ''])).body.data).toEqual({ changed: 1 })
    expect((await grant([id], [view ?? '', add ?? ''])).body.data).toEqual({ changed: 0 })
    expect(await held('desk')).toEqual(['post_add', 'post_view'])
    const keys = await admin.get(`${base}/role-tree-keys`, { query: { roleIds: id } })
    expect(keys.body.data).toEqual({ menu: [view, add].sort(), dataScope: [], apiScope: [] })
    const both = await admin.get('/blade-system/menu/role-tree-keys', { query: { roleIds: `${id},${await roleId('admin')}` } })
    expect(both.body.data.menu).toEqual([view, add].sort())
    const [line] = await tenant.rows(
      sql<{
        after: { added: { name: string }[]; removed: { name: string }[] }
      }>`select after_value as after from audit_log where action = 'role.granted' order by id desc limit 1`,
    )
    expect([line?.after.added.map(one => one.name), line?.after.removed.map(one => one.name)]).toEqual([
      ['系统管理 › 职务管理 › 新增'],
      ['首页'],
    ])
    const trees = (await admin.get('/blade-system/menu/grant-tree')).body.data
    expect(flat(trees.menu).find(node => node.code === 'post_add')).toMatchObject({ may: 1, title: '新增' })
    expect(flat(trees.menu).filter(node => node.code?.startsWith('dict_'))).toMatchObject([{ code: 'dict_view' }])
  })

  test('[S6.03] reaches open sessions of both processes at once, the other way round too', async () => {
    const other = await startTestApp({ databaseUrl: t.databaseUrl, start: t.clock.now().toISOString() })
    try {
      const person = await tenant.staff('school')
      const there = (path: string) => other.anonymous().get(path, { headers: { 'blade-auth': `bearer ${person.token}` } })
      const seen = async () => [(await person.get('/blade-system/post/list')).status, (await there('/blade-system/post/list')).status]
      expect(await seen()).toEqual([403, 403])
      const school = await roleId('school')
      const before: string[] = (await admin.get(`${base}/role-tree-keys`, { query: { roleIds: school } })).body.data.menu
      const [view = ''] = await idsOf('menu', ['post_view'])
      const heard = async () => {
        // The notice comes before the answer to the listener's next statement; the clock stands still.
        await Promise.all([t.app.catchUp(), other.app.catchUp()])
        return seen()
      }
      expect((await grant([school], [...before, view])).body.data).toEqual({ changed: 1 })
      expect(await heard()).toEqual([200, 200])
      await grant([school], before)
      expect(await heard()).toEqual([403, 403])
    } finally {
      await other.close()
    }
  })

  test('[PF 10][V4] a tenant’s administrator grants neither the platform’s rights nor to their own role', async () => {
    // Tenants are not given such menus; one that an earlier release left behind is no way around.
    await tenant.db(db =>
      db.run(
        sql`insert into menu (tenant_id, code, name, name_en, category, is_system, is_platform) values (${tenant.tenantId}, 'dict_add', '新增', 'Add', 2, true, true)`,
      ),
    )
    const [platformRight = '', view = ''] = await idsOf('menu', ['dict_add', 'post_view'])
    const school = await roleId('school')
    const before = await held('school')
    const refused = await grant([school], [platformRight, view])
    expect([refused.status, refused.body.reason, refused.body.msg]).toEqual([
      403,
      'role/beyond-own',
      '这些超出您自己的权限，不能授予：新增',
    ])
    expect((await grant([await roleId('administrator')], [view])).body.reason).toBe('role/not-yours')
    expect((await grant([school, await roleId('admin')], [view])).body.reason).toBe('role/own')
    expect(await held('school')).toEqual(before)
    // An account that calls itself administrator is the platform's only in the platform's tenant.
    const local = await tenant.staff('administrator')
    expect((await grant([school], [platformRight], local)).body.reason).toBe('role/beyond-own')
    expect((await grant([await roleId('administrator')], [view], local)).body.reason).toBe('role/not-yours')
    const chief = await t.platform().staff('administrator')
    const [there = ''] = await idsOf('menu', ['dict_add'], t.platform())
    const theirs = await roleId('finance', t.platform())
    const kept: string[] = (await chief.get(`${base}/role-tree-keys`, { query: { roleIds: theirs } })).body.data.menu
    expect((await grant([theirs], [...kept, there], chief)).body.data).toEqual({ changed: 1 })
    // What is beyond one's own stays when somebody else saves the rest.
    const local2 = await t.platform().staff('admin')
    expect((await grant([theirs], kept, local2)).body.data).toEqual({ changed: 0 })
    expect((await chief.get(`${base}/role-tree-keys`, { query: { roleIds: theirs } })).body.data.menu).toContain(there)
    await grant([theirs], kept, chief)
  })

  test('[PF 10] somebody with the button grants only what they hold, and only below their own role', async () => {
    const lead = await withCodes('school', ['role_view', 'role_add', 'role_edit', 'role_setting', 'post_view'])
    const own = await roleId('school')
    const [postView = '', postAdd = ''] = await idsOf('menu', ['post_view', 'post_add'])
    expect((await submit(desk, lead)).body.msg).toBe('请选择您自己的角色或其下级作为上级')
    const { id } = (await submit({ ...desk, parentId: own }, lead)).body.data
    const beyond = async (language: 'zh' | 'en') =>
      (await lead.post(`${base}/grant`, { json: { roleIds: [id], menuIds: [postView, postAdd] }, language })).body
    expect((await beyond('zh')).reason).toBe('role/beyond-own')
    // A button's name alone stands in every menu.
    expect([(await beyond('zh')).msg, (await beyond('en')).msg]).toEqual([
      '这些超出您自己的权限，不能授予：职务管理 › 新增',
      'These are beyond your own rights and cannot be granted by you: Duty posts › Add',
    ])
    expect((await grant([id], [postView], lead)).body.data).toEqual({ changed: 1 })
    expect((await grant([own], [postView, postAdd], lead)).body.reason).toBe('role/not-yours')
    expect((await grant([await roleId('site')], [postView], lead)).body.reason).toBe('role/not-yours')
    expect((await submit({ ...desk, id: await roleId('site'), roleName: '改名', roleAlias: 'site' }, lead)).body.reason).toBe(
      'role/not-yours',
    )
    expect(
      flat((await lead.get('/blade-system/menu/grant-tree')).body.data.menu)
        .filter(node => node.may === 1)
        .map(node => node.code),
    ).toEqual(expect.arrayContaining(['post_view', 'role_view', 'role_add', 'role_edit', 'role_setting']))
    expect(flat((await lead.get('/blade-system/menu/grant-tree')).body.data.menu).map(node => node.code)).not.toContain('post_add')
  })

  test('[PF 14][PF 23][PF 47] one id of another tenant, or one that is not there, and nothing is done', async () => {
    const other = await t.tenant()
    const [mine = ''] = await idsOf('menu', ['post_view'])
    const [theirs = ''] = await idsOf('menu', ['post_view'], other)
    const school = await roleId('school')
    const before = await held('school')
    for (const [roleIds, menuIds] of [
      [[school], [mine, theirs]],
      [[school], [mine, '1']],
      [[school, await roleId('school', other)], [mine]],
    ] as const)
      expect((await grant(roleIds, menuIds)).status).toBe(404)
    expect((await grant([school], [mine], admin, { dataScopeIds: ['1'] })).status).toBe(404)
    expect((await grant([school], [mine], admin, { apiScopeIds: ['1'] })).status).toBe(404)
    expect(await held('school')).toEqual(before)
    expect((await admin.get(`${base}/role-tree-keys`, { query: { roleIds: await roleId('school', other) } })).status).toBe(404)
    expect((await admin.get(`${base}/detail`, { query: { id: await roleId('school', other) } })).status).toBe(404)
    expect((await grant([school], [mine], await tenant.staff('exam_admin'))).status).toBe(403)
  })

  test('by name and alias, and as the tree in which a role is given its parent; no role of another tenant has one here', async () => {
    const { id } = (await submit({ ...desk, parentId: await roleId('school') })).body.data
    const names = (await admin.get(`${base}/alias`, { language: 'en' })).body.data
    expect(names.find((row: Node) => row.roleAlias === 'desk')).toEqual({ roleName: 'Desk', roleAlias: 'desk' })
    const live = await tenant.rows(sql<{ alias: string }>`select role_alias as alias from role where not is_deleted`)
    expect(names.map((row: Node) => row.roleAlias).sort()).toEqual(live.map(row => row.alias).sort())
    const tree = (await admin.get(`${base}/tree-by-id`, { query: { roleId: id } })).body.data
    expect(flat(tree).find(node => node.id === id)).toMatchObject({ title: '窗口', parentId: await roleId('school') })
    expect(tree).toEqual((await admin.get(`${base}/tree`)).body.data)
    const other = await t.tenant()
    expect((await admin.get(`${base}/tree-by-id`, { query: { roleId: await roleId('school', other) } })).status).toBe(404)
  })

  test('[PF 50] a role made again under an old alias holds nothing of the old one', async () => {
    const [view = ''] = await idsOf('menu', ['post_view'])
    const first = (await submit(desk)).body.data.id
    await grant([first], [view])
    await admin.post(`${base}/remove`, { query: { ids: first } })
    await submit(desk)
    expect(await held('desk')).toEqual([])
    expect(await tenant.rows(sql`select 1 from role_menu where role_id = ${first}`)).toEqual([])
  })

  test('a removed role gives nothing, whatever still names it', async () => {
    const person = await tenant.staff('exam_admin')
    expect((await person.get('/blade-exam/examination/page')).status).toBe(200)
    await tenant.rows(sql`update role set is_deleted = true where role_alias = 'exam_admin'`)
    t.clock.advance(6_000)
    expect((await person.get('/blade-exam/examination/page')).status).toBe(403)
    expect((await person.get('/blade-system/menu/routes')).body.data).toEqual([])
  })
})

describe('[S6.08] separation of duties (domain 2.1)', () => {
  test('no account holds two of administrator, security administrator and auditor, not even past the program', async () => {
    const person = await tenant.staff('admin')
    const add = (alias: string) =>
      tenant.rows(
        sql`insert into account_role (tenant_id, user_id, role_id) select ${tenant.tenantId}, ${person.userId}, id from role where role_alias = ${alias}`,
      )
    await expect(add('secadmin')).rejects.toThrow('one person holds one of admin, secadmin and auditor')
    await expect(add('auditor')).rejects.toThrow('one person holds one of admin, secadmin and auditor')
    await add('exam_admin')
    // Both at once: the second waits and sees the first.
    const fresh = await tenant.staff('school')
    const both = await Promise.allSettled(
      ['secadmin', 'auditor'].map(alias =>
        tenant.rows(
          sql`insert into account_role (tenant_id, user_id, role_id) select ${tenant.tenantId}, ${fresh.userId}, id from role where role_alias = ${alias}`,
        ),
      ),
    )
    expect(both.filter(one => one.status === 'fulfilled')).toHaveLength(1)
  })

  test('each of the three holds its own work and nothing of the others’', async () => {
    const roles = ['admin', 'secadmin', 'auditor'] as const
    const [adminCodes, security, audit] = await Promise.all(roles.map(held))
    expect(security).toEqual(expect.arrayContaining(['role_setting', 'menu_view']))
    expect(security?.filter(code => /^(signup|examine|exampay|result|ticket|user)_/.test(code))).toEqual([])
    expect(audit?.filter(code => /_(add|edit|delete|setting|release|import|first|second|reveal|approve|back)$/.test(code))).toEqual([])
    expect(adminCodes).not.toContain('examine_first')
  })
})

describe('[S4.13][S7.20] changeIsBack', () => {
  const back = (json: object, by = admin) => by.post(`${base}/changeIsBack`, { json })
  const states = async () =>
    Object.fromEntries(
      (
        await tenant.rows(
          sql<{
            alias: string
            back: number
          }>`select role_alias as alias, is_back as back from role where role_alias = any('{reviewer1,reviewer2,finance}')`,
        )
      ).map(row => [row.alias, row.back]),
    )

  test('switches the right to pull back of all who review, or of one role', async () => {
    expect((await back({ status: 0 })).body.data.changed).toBeGreaterThanOrEqual(2)
    expect(await states()).toEqual({ reviewer1: 0, reviewer2: 0, finance: 1 })
    expect((await back({ status: 0 })).body.data).toEqual({ changed: 0 })
    expect((await back({ status: 1, id: await roleId('reviewer2') })).body.data).toEqual({ changed: 1 })
    expect(await states()).toEqual({ reviewer1: 0, reviewer2: 1, finance: 1 })
    expect((await back({ status: 0, id: await roleId('finance') })).body.reason).toBe('role/no-review')
    expect((await back({ status: 2 })).status).toBe(400)
    expect((await back({ status: 0 }, await tenant.staff('exam_admin'))).status).toBe(403)
    const other = await t.tenant()
    expect((await back({ status: 0, id: await roleId('reviewer1', other) })).status).toBe(404)
  })
})
