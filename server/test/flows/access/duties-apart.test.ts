import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { carryOut, wishOf } from '#server/admin.ts'
import type { MenuSeed } from '../../../seed/base/menu-seed.ts'
import { menuSeeds, type RoleAlias } from '../../../seed/base/menus.ts'
import { type Person, startTestApp, type TestApp, type TestTenant } from '../../support/app.ts'
import { staffWithPassword } from '../../support/login.ts'
import { workbook } from '../../support/workbook.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp()
})
afterAll(() => t.close())

const three = ['admin', 'secadmin', 'auditor'] as const
const roleId = async (tenant: TestTenant, alias: string): Promise<string> =>
  (await tenant.rows(sql<{ id: string }>`select id::text as id from role where role_alias = ${alias}`))[0]?.id ?? ''
const noticesOf = async (tenant: TestTenant, userId: string) =>
  (await tenant.rows(sql<{ text: string }>`select content_zh as text from notify where user_id = ${userId} order by id`)).map(
    row => row.text,
  )
const heldBy = async (tenant: TestTenant, userId: string) =>
  (
    await tenant.rows(sql<{ alias: string }>`
      select r.role_alias as alias from account_role ar join role r on r.id = ar.role_id where ar.user_id = ${userId} order by 1`)
  ).map(row => row.alias)

describe('[19.18] administrator, security administrator and auditor are kept apart by every path', () => {
  test('neither makes, changes, locks, resets or removes one of the others, nor their role; nothing is left of the try', async () => {
    const tenant = await t.tenant()
    const people = new Map<string, Person & { readonly account: string }>()
    for (const alias of three) people.set(alias, await staffWithPassword(t, tenant, alias))
    const clerk = await staffWithPassword(t, tenant, 'reviewer1')
    const before = await tenant.rows(sql<object>`
      select a.id, a.status, a.version, a.password_hash, (select array_agg(role_id order by role_id) from account_role where user_id = a.id) as roles from account a order by id`)
    const menusBefore = await tenant.rows(sql<object>`select role_id, menu_id from role_menu order by 1, 2`)
    const answers: string[] = []
    for (const by of three.slice(0, 2))
      for (const other of three) {
        if (by === other) continue
        const me = people.get(by)
        const them = people.get(other)
        if (!me || !them) throw new Error('the three are there')
        const ids = { userIds: them.userId }
        const id = await roleId(tenant, other)
        const calls: readonly (readonly [string, object])[] = [
          ['user/submit', { account: `new.${by}.${other}`, realName: '王新', roleId: id }],
          ['user/submit', { id: clerk.userId, roleId: id }],
          ['user/submit', { id: them.userId, realName: '改名' }],
          ['user/grant', { userIds: clerk.userId, roleIds: id }],
          ['user/grant', { ...ids, roleIds: await roleId(tenant, 'reviewer1') }],
          ['user/grant', { ...ids, roleIds: '' }],
          ['user/reset-password', ids],
          ['user/reset-second-factor', { ...ids, reason: '试' }],
          ['user/lock', { ...ids, reason: '试' }],
          ['auth-lock/lock', { userId: them.userId, lockReason: '试' }],
          ['user/unlock', { ...ids, reason: '试' }],
          ['user/changeStatus', { id: them.userId, status: 2 }],
          ['user/remove', { ids: them.userId }],
          ['role/grant', { roleIds: [id], menuIds: [] }],
          ['role/submit', { id, roleName: '改名', roleAlias: other, sort: 1 }],
        ]
        for (const [path, json] of calls) {
          const answer = await me.post(`/blade-system/${path}`, { json })
          answers.push(`${by} ${other} ${path} ${answer.status} ${answer.body?.reason}`)
        }
      }
    expect(answers.filter(line => !/ 403 (user\/kept-apart|role\/not-yours|kernel\/forbidden)$/.test(line))).toEqual([])
    // The administrator may do all of it to others: what is refused is refused for the separation.
    expect(answers.filter(line => line.startsWith('admin') && line.endsWith('kernel/forbidden'))).toEqual([])
    expect(
      await tenant.rows(sql<object>`
        select a.id, a.status, a.version, a.password_hash, (select array_agg(role_id order by role_id) from account_role where user_id = a.id) as roles from account a order by id`),
    ).toEqual(before)
    expect(await tenant.rows(sql<object>`select role_id, menu_id from role_menu order by 1, 2`)).toEqual(menusBefore)
  })

  test('of one’s own kind it goes on, and the auditor reads of it', async () => {
    const tenant = await t.tenant()
    const auditor = await tenant.staff('auditor')
    const admin = await staffWithPassword(t, tenant, 'admin')
    const added = await admin.post('/blade-system/user/submit', {
      json: { account: 'second.chief', realName: '林主任', roleId: await roleId(tenant, 'admin') },
    })
    expect(added.status).toBe(200)
    expect((await admin.post('/blade-system/user/lock', { json: { userIds: added.body.data.id, reason: '休假' } })).status).toBe(200)
    expect(await noticesOf(tenant, auditor.userId)).toEqual([
      `账号 ${admin.account} 被授予角色“租户管理员”（由系统或服务器命令执行）`,
      `账号 second.chief 被授予角色“租户管理员”（操作人 ${admin.account}）`,
      `账号 second.chief（admin）被锁定（操作人 ${admin.account}）`,
    ])
    const choices = (await admin.get('/blade-system/user/role-choices')).body.data as { roleAlias: string; grantable: boolean }[]
    expect(choices?.filter(one => (three as readonly string[]).includes(one.roleAlias)).map(one => [one.roleAlias, one.grantable])).toEqual(
      [
        ['admin', true],
        ['secadmin', false],
        ['auditor', false],
      ],
    )
  })

  test('[26.12] no second account gives an administrator business roles, by no call, and nobody is made with both', async () => {
    const tenant = await t.tenant()
    const chief = await staffWithPassword(t, tenant, 'admin')
    const [admin, finance] = [await roleId(tenant, 'admin'), await roleId(tenant, 'finance')]
    const puppet = await staffWithPassword(t, tenant, 'admin')
    const both = `${admin},${finance}`
    const calls: readonly (readonly [string, object])[] = [
      ['user/grant', { userIds: chief.userId, roleIds: both }],
      ['user/grant', { userIds: chief.userId, roleIds: finance }],
      ['user/submit', { id: chief.userId, roleId: both }],
      ['user/submit', { account: 'mixed', realName: '王两', roleId: both }],
    ]
    const answers: string[] = []
    for (const [path, json] of calls) {
      const answer = await puppet.post(`/blade-system/${path}`, { json })
      answers.push(`${answer.status} ${answer.body?.reason}`)
    }
    expect(answers).toEqual(['409 user/not-alone', '403 user/roles-stay', '403 user/roles-stay', '409 user/not-alone'])
    expect(await heldBy(tenant, chief.userId)).toEqual(['admin'])
  })

  test('no path joins a role that gives rights with another: grant, change, addition, workbook, and a statement that forgot to ask', async () => {
    const tenant = t.platform()
    const operator = await staffWithPassword(t, tenant, 'administrator')
    const work = ['reviewer1', 'reviewer2', 'finance', 'exam_admin'] as const
    const workIds = await Promise.all(work.map(alias => roleId(tenant, alias)))
    for (const alone of ['administrator', 'admin', 'secadmin', 'auditor'] as const) {
      const all = [await roleId(tenant, alone), ...workIds].join(',')
      const name = (await tenant.rows(sql<{ name: string }>`select role_name as name from role where role_alias = ${alone}`))[0]?.name ?? ''
      const clerk = await staffWithPassword(t, tenant, 'reviewer1')
      const holder = await staffWithPassword(t, tenant, alone)
      const calls: readonly (readonly [string, object])[] = [
        ['user/grant', { userIds: clerk.userId, roleIds: all }],
        ['user/submit', { id: clerk.userId, roleId: all }],
        ['user/submit', { account: `new.${alone}`, realName: '王新', roleId: all }],
        ['user/grant', { userIds: holder.userId, roleIds: workIds.join(',') }],
        ['user/submit', { id: holder.userId, roleId: all }],
      ]
      const answers: string[] = []
      for (const [path, json] of calls) {
        const { status, body } = await operator.post(`/blade-system/${path}`, { json })
        answers.push(`${path} ${status} ${body?.reason}`)
      }
      expect(answers.filter(line => !/ (409|403) user\/(not-alone|roles-stay|kept-apart)$/.test(line))).toEqual([])
      expect([await heldBy(tenant, clerk.userId), await heldBy(tenant, holder.userId)]).toEqual([['reviewer1'], [alone]])
      const book = await workbook([
        ['账号*', '姓名*', '昵称', '手机', '邮箱', '角色*', '部门', '职务', '用户编号', '单位编码', '出生日期'],
        [`sheet.${alone}`, '王表', '', '', '', `${name}、财务、初审员`, '', '', '', '', ''],
      ])
      const imported = await operator.post('/blade-system/user/import-user', {
        multipart: { fields: { mode: 'commit' }, files: [{ part: 'file', name: '人员.xlsx', bytes: book }] },
      })
      expect([alone, imported.body.data.errors.map(({ code }: { code: string }) => code)]).toEqual([
        alone,
        expect.arrayContaining(['not-alone']),
      ])
      // The wall behind the words: staff join them by no statement of their own.
      const forced = t.app.services.scopes.tx(
        { kind: 'staff', tenantId: tenant.tenantId, userId: operator.userId, departments: null },
        t.clock.now(),
        db =>
          db.run(sql`
            insert into account_role (tenant_id, user_id, role_id) select ${tenant.tenantId}, ${clerk.userId}, id from role where role_alias = ${alone}`),
      )
      await expect(forced).rejects.toThrow(/go together in no account|kept apart/)
    }
  })

  test('the command of the server makes, changes and removes them; auditors are told, the one who goes as well', async () => {
    const tenant = await t.tenant()
    const run = (...args: readonly string[]) => carryOut(t.app.services, { ...wishOf(args), tenantId: tenant.tenantId })
    const of = async (account: string) =>
      (await tenant.rows(sql<{ id: string }>`select id::text as id from account where account = ${account}`))[0]?.id ?? ''
    expect(await run('create', '--account', 'watch.one', '--role', 'auditor')).toMatch(/\S{12}/)
    await run('create', '--account', 'watch.two', '--role', 'auditor')
    await run('create', '--account', 'keys', '--role', 'secadmin')
    expect(await run('roles', '--account', 'keys', '--role', 'auditor')).toBeUndefined()
    expect(await heldBy(tenant, await of('keys'))).toEqual(['auditor'])
    await run('lock', '--account', 'watch.two')
    await run('unlock', '--account', 'watch.two')
    await run('menus', '--role', 'auditor', '--take', 'alert_handle')
    await run('remove', '--account', 'watch.two')
    const by = '（由系统或服务器命令执行）'
    expect(await noticesOf(tenant, await of('watch.one'))).toEqual([
      `账号 watch.two 被授予角色“审计监督”${by}`,
      `账号 keys 被授予角色“安全管理员”${by}`,
      `账号 keys 被收回角色“安全管理员”${by}`,
      `账号 keys 被授予角色“审计监督”${by}`,
      `账号 watch.two（auditor）被锁定${by}`,
      `账号 watch.two（auditor）被启用或解锁${by}`,
      `角色“审计监督”的权限被调整${by}`,
      `账号 watch.two（auditor）被删除${by}`,
      `账号 watch.two 被收回角色“审计监督”${by}`,
    ])
    expect((await noticesOf(tenant, await of('watch.two'))).at(-1)).toBe(`账号 watch.two 被收回角色“审计监督”${by}`)
    const trail = sql<{ action: string }>`select action from audit_log where entity in ('account', 'role') order by id`
    expect((await tenant.rows(trail)).map(row => row.action)).toEqual([
      'account.added',
      'account.added',
      'account.added',
      'account.roles-granted',
      'account.locked',
      'account.unlocked',
      'role.granted',
      'account.removed',
    ])
    for (const wrong of [
      ['menus', '--role', 'auditor'],
      ['roles', '--account', 'keys'],
      ['lock', '--account', 'keys', '--give', 'x'],
      ['menus', '--role', 'auditor', '--role', 'admin', '--give', 'x'],
      ['create', '--account', 'both', '--role', 'auditor', '--role', 'secadmin'],
    ])
      expect(() => wishOf(wrong)).toThrow()
  })

  test('the database refuses what a path of the program forgot', async () => {
    const tenant = await t.tenant()
    const admin = await tenant.staff('admin')
    const auditor = await tenant.staff('auditor')
    const clerk = await tenant.staff('reviewer1')
    const role = await roleId(tenant, 'auditor')
    const owner = await t.owner()
    const tries = [
      `insert into account_role (tenant_id, user_id, role_id) values ('${tenant.tenantId}', ${clerk.userId}, ${role})`,
      `delete from account_role where user_id = ${auditor.userId}`,
      `update account set status = 4 where id = ${auditor.userId}`,
      `update account set is_deleted = true where id = ${auditor.userId}`,
      `delete from role_menu where role_id = ${role}`,
    ]
    for (const statement of tries) {
      await owner.query('begin')
      await owner.query(
        `select set_config('app.tenant_id', '${tenant.tenantId}', true), set_config('app.user_id', '${admin.userId}', true), set_config('role', 'kaopu_staff', true)`,
      )
      await expect(owner.query(statement)).rejects.toMatchObject({ code: '42501', message: expect.stringContaining('kept apart') })
      await owner.query('rollback')
    }
  })
})

const menuIds = async (tenant: TestTenant, ...codes: readonly string[]): Promise<string[]> =>
  (
    await tenant.rows(sql<{ id: string }>`
      select m.id::text as id from unnest(${[...codes]}::text[]) with ordinality as c(code, at) join menu m on m.code = c.code and not m.is_deleted order by at`)
  ).map(row => row.id)
const menusOfRoles = async (tenant: TestTenant, ...aliases: readonly string[]): Promise<string[]> =>
  (
    await tenant.rows(sql<{ id: string }>`
      select distinct rm.menu_id::text as id from role_menu rm join role r on r.id = rm.role_id where r.role_alias = any(${[...aliases]}) order by 1`)
  ).map(row => row.id)
const codesHeld = async (tenant: TestTenant, role: string): Promise<string[]> =>
  (
    await tenant.rows(sql<{ code: string }>`
      select m.code from role_menu rm join menu m on m.id = rm.menu_id where rm.role_id = ${role} order by m.code`)
  ).map(row => row.code)
/** A role as it was made and given before anything was kept apart: by whoever had the machine. */
const oldRole = async (tenant: TestTenant, alias: string, codes: readonly string[]): Promise<string> => {
  const [made] = await tenant.rows(sql<{ id: string }>`
    insert into role (tenant_id, role_name, role_alias, sort) values (${tenant.tenantId}, ${alias}, ${alias}, 99) returning id::text as id`)
  await tenant.rows(sql<object>`
    insert into role_menu (tenant_id, role_id, menu_id) select ${tenant.tenantId}, ${made?.id ?? ''}, id from menu where code = any(${[...codes]}) and not is_deleted returning 1`)
  return made?.id ?? ''
}
const hold = (tenant: TestTenant, userId: string, role: string) =>
  tenant.rows(
    sql<object>`insert into account_role (tenant_id, user_id, role_id) values (${tenant.tenantId}, ${userId}, ${role}) returning 1`,
  )

describe('[19.18] a copy of their rights is kept apart as they are, in whatever role it lies', () => {
  test('nobody gives the rights of another of the three to a role, new or old, nor both together; nothing is left of the try', async () => {
    const tenant = await t.tenant()
    const before = await tenant.rows(sql<object>`select role_id, menu_id from role_menu order by 1, 2`)
    const all = await menusOfRoles(tenant, ...three)
    const answers: unknown[] = []
    for (const alias of ['admin', 'secadmin', 'administrator'] as const) {
      const me = await tenant.staff(alias)
      const made = await me.post('/blade-system/role/submit', { json: { roleName: `全能${alias}`, roleAlias: `all_${alias}`, sort: 99 } })
      for (const role of [made.body.data.id, await roleId(tenant, 'school')])
        for (const wish of [
          all,
          await menusOfRoles(tenant, 'auditor'),
          ...(alias === 'admin' ? [] : [await menuIds(tenant, 'payaccount_edit')]),
          ...(alias === 'secadmin' ? [await menusOfRoles(tenant, 'admin')] : [await menusOfRoles(tenant, 'secadmin')]),
          await menuIds(tenant, 'auditlog_view'),
        ]) {
          const answer = await me.post('/blade-system/role/grant', { json: { roleIds: [role], menuIds: wish } })
          answers.push([answer.status, answer.body.reason])
        }
      const trees = (await me.get('/blade-system/menu/grant-tree')).body.data.menu
      expect(JSON.stringify(trees)).not.toContain('auditlog_view')
    }
    expect(answers).toEqual(answers.map(() => [403, 'role/rights-apart']))
    expect(answers).toHaveLength(28)
    expect(await tenant.rows(sql<object>`select role_id, menu_id from role_menu order by 1, 2`)).toEqual(before)
    const admin = await tenant.staff('admin')
    const asked = { json: { roleIds: [await roleId(tenant, 'school')], menuIds: await menuIds(tenant, 'auditlog_view', 'watchrule_edit') } }
    expect((await admin.post('/blade-system/role/grant', asked)).body.msg).toBe(
      '这些权限与您的角色须分开，只能由本就拥有它们的角色授予或收回，或由系统运维人员用服务器上的命令 admin 办理：审计日志 › 查看、告警规则 › 修改',
    )
  })

  test('ordinary rights and those of one’s own role go on; the trail names them by path and code, the auditors hear of copies', async () => {
    const tenant = await t.tenant()
    const auditor = await tenant.staff('auditor')
    const [admin, secadmin] = [await staffWithPassword(t, tenant, 'admin'), await staffWithPassword(t, tenant, 'secadmin')]
    const role = await oldRole(tenant, 'desk', [])
    const grant = (by: Person, ids: readonly string[]) => by.post('/blade-system/role/grant', { json: { roleIds: [role], menuIds: ids } })
    const ordinary = await menuIds(tenant, 'exampay_approve', 'examine_first')
    expect((await grant(secadmin, ordinary)).status).toBe(200)
    // Who gives rights does no work with them (ADR 0271).
    expect((await grant(admin, [...ordinary, ...(await menuIds(tenant, 'user_view', 'user_add'))])).body).toMatchObject({
      code: 2001,
      reason: 'role/works',
      msg: '角色“desk”办理业务（应缴 › 审批退费、资格审核 › 初审），不能同时授予他人权限（用户管理 › 新增）：请为授权另设角色，由不同的账号担任',
    })
    expect((await grant(secadmin, [])).status).toBe(200)
    expect((await grant(admin, await menuIds(tenant, 'user_view', 'user_add'))).status).toBe(200)
    // What the administrator gave the other neither takes nor adds to.
    expect((await grant(secadmin, [])).status).toBe(200)
    expect(await codesHeld(tenant, role)).toEqual(['user_add', 'user_view'])
    expect((await grant(secadmin, await menuIds(tenant, 'user_view', 'user_add', 'watchrule_edit'))).body).toMatchObject({
      code: 2001,
      reason: 'role/apart',
      msg: 'desk会同时拥有租户管理员、安全管理员、审计监督须分开的权限，不能授予（请取消勾选，可另设角色由不同的人担任）：告警规则 › 修改',
    })
    const [line] = await tenant.rows(sql<{ after: unknown }>`
      select after_value as after from audit_log where action = 'role.granted' and entity_id = ${role} order by id offset 2 limit 1`)
    const [view, add] = await menuIds(tenant, 'user_view', 'user_add')
    expect(line?.after).toEqual({
      added: [
        { id: view, name: '系统管理 › 用户管理 › 查看', code: 'user_view' },
        { id: add, name: '系统管理 › 用户管理 › 新增', code: 'user_add' },
      ],
      removed: [],
    })
    const holder = await admin.post('/blade-system/user/submit', { json: { account: 'desk.one', realName: '王前台', roleId: role } })
    expect(holder.status).toBe(200)
    expect((await noticesOf(tenant, auditor.userId)).slice(-2)).toEqual([
      `角色“desk”被授予须分开的权限：用户管理 › 新增、用户管理 › 查看（操作人 ${admin.account}）`,
      `账号 desk.one 被授予角色“desk”，其中含有须分开的权限（操作人 ${admin.account}）`,
    ])
  })

  test('no person gets roles that together hold what is kept apart, by the roles of a person or by what a role of theirs is given', async () => {
    const tenant = await t.tenant()
    const [admin, secadmin] = [await tenant.staff('admin'), await tenant.staff('secadmin')]
    const alerts = await oldRole(tenant, 'alerts', ['alert_view', 'alert_handle'])
    const desk = await oldRole(tenant, 'people_desk', ['user_view', 'user_add'])
    const places = await oldRole(tenant, 'place_desk', ['dept_view', 'dept_add'])
    const clerk = await tenant.staff('reviewer1', { realName: '张文员' })
    const grant = (roles: readonly string[]) =>
      admin.post('/blade-system/user/grant', { json: { userIds: clerk.userId, roleIds: roles.join(',') } })
    expect((await grant([desk, alerts])).body.reason).toBe('user/apart')
    expect((await grant([alerts])).body.reason).toBe('user/kept-apart')
    expect((await grant([await roleId(tenant, 'admin'), alerts])).body.reason).toBe('user/apart')
    // Adding people is giving rights, which goes with no other work; looking after departments is not.
    expect((await grant([desk, await roleId(tenant, 'reviewer1')])).body.reason).toBe('user/not-alone')
    expect((await grant([places, await roleId(tenant, 'reviewer1')])).status).toBe(200)
    const more = await admin.post('/blade-system/role/grant', {
      json: { roleIds: [places], menuIds: await menuIds(tenant, 'dept_view', 'dept_add', 'user_role') },
    })
    expect(more.body).toMatchObject({ code: 2001, reason: 'role/not-alone' })
    const given = await secadmin.post('/blade-system/role/grant', {
      json: {
        roleIds: [await roleId(tenant, 'reviewer1')],
        menuIds: [...(await menusOfRoles(tenant, 'reviewer1')), ...(await menuIds(tenant, 'alert_handle'))],
      },
    })
    const [{ account } = { account: '' }] = await tenant.rows(
      sql<{ account: string }>`select account from account where id = ${clerk.userId}`,
    )
    expect([given.body.reason, given.body.msg]).toEqual([
      'role/apart',
      `${account}会同时拥有租户管理员、安全管理员、审计监督须分开的权限，不能授予（请取消勾选，可另设角色由不同的人担任）：异常告警 › 处理`,
    ])
    expect(await heldBy(tenant, clerk.userId)).toEqual(['place_desk', 'reviewer1'])
  })

  test('what was granted before stays and is not handed on: not to others, not by workbook, not taken or removed by another', async () => {
    const tenant = await t.tenant()
    const admin = await tenant.staff('admin')
    const role = await oldRole(tenant, 'all_admin', [
      'user_view',
      'user_add',
      'user_role',
      'role_view',
      'role_setting',
      'auditlog_view',
      'watchrule_edit',
    ])
    const holder = await tenant.staff('school')
    await tenant.rows(sql<object>`delete from account_role where user_id = ${holder.userId} returning 1`)
    await hold(tenant, holder.userId, role)
    const clerk = await tenant.staff('reviewer1')
    const answers: unknown[] = []
    for (const [path, json] of [
      ['user/submit', { account: 'copy.one', realName: '王新', roleId: role }],
      ['user/grant', { userIds: clerk.userId, roleIds: role }],
      ['user/grant', { userIds: holder.userId, roleIds: await roleId(tenant, 'school') }],
      ['user/reset-password', { userIds: holder.userId }],
      ['user/lock', { userIds: holder.userId, reason: '试' }],
      ['role/remove', { ids: role }],
    ] as const)
      answers.push((await admin.post(`/blade-system/${path}`, { json })).body.reason)
    expect(answers).toEqual(['user/apart', 'user/apart', ...Array.from({ length: 3 }, () => 'user/kept-apart'), 'role/not-yours'])
    const book = await workbook([
      ['账号*', '姓名*', '昵称', '手机', '邮箱', '角色*', '部门', '职务', '用户编号', '单位编码', '出生日期'],
      ['copy.two', '王新', '', '', '', 'all_admin', '', '', '', '', ''],
    ])
    const imported = await admin.post('/blade-system/user/import-user', {
      multipart: { fields: { mode: 'commit' }, files: [{ part: 'file', name: '人员.xlsx', bytes: book }] },
    })
    expect(imported.body.data.errors).toMatchObject([
      { row: 2, header: '角色', code: 'kept-apart' },
      { row: 2, header: '角色', code: 'apart' },
    ])
    const choices = (await admin.get('/blade-system/user/role-choices')).body.data as { roleAlias: string; grantable: boolean }[]
    expect(choices.find(one => one.roleAlias === 'all_admin')?.grantable).toBe(false)
    // Other rights it may still gain; what is another's stays where it is, whoever leaves it out.
    const more = await menuIds(tenant, 'exampay_view')
    expect((await admin.post('/blade-system/role/grant', { json: { roleIds: [role], menuIds: more } })).status).toBe(200)
    expect(await codesHeld(tenant, role)).toEqual(['auditlog_view', 'exampay_view', 'watchrule_edit'])
    await carryOut(t.app.services, {
      ...wishOf(['menus', '--role', 'all_admin', '--take', 'auditlog_view', '--take', 'watchrule_edit']),
      tenantId: tenant.tenantId,
    })
    expect(await codesHeld(tenant, role)).toEqual(['exampay_view'])
    expect((await admin.post('/blade-system/user/grant', { json: { userIds: clerk.userId, roleIds: role } })).status).toBe(200)
  })

  test('whoever holds a copy hands none of it on, though they may set rights', async () => {
    const tenant = await t.tenant()
    const own = ['user_view', 'role_view', 'role_setting', 'auditlog_view']
    const copy = await oldRole(tenant, 'copy', own)
    const [below] = await tenant.rows(sql<{ id: string }>`
      insert into role (tenant_id, parent_id, role_name, role_alias, sort) values (${tenant.tenantId}, ${copy}, '下级', 'below', 99) returning id::text as id`)
    const holder = await tenant.staff('copy' as RoleAlias)
    const give = async (...codes: readonly string[]) =>
      (await holder.post('/blade-system/role/grant', { json: { roleIds: [below?.id], menuIds: await menuIds(tenant, ...codes) } })).body
        .reason
    expect(await give('auditlog_view')).toBe('role/beyond-own')
    expect(await give('user_view')).toBeUndefined()
    expect(await codesHeld(tenant, below?.id ?? '')).toEqual(['user_view'])
  })

  test('an API scope takes no call from another of the three, who could not be given it', async () => {
    const tenant = await t.tenant()
    const [admin, auditor] = [await tenant.staff('admin'), await tenant.staff('auditor')]
    const scope = (scopePath: string) =>
      admin.post('/blade-system/api-scope/submit', { json: { scopeName: '限定', scopeMethod: 'GET', scopePath } })
    const trail = '/blade-log/audit/list'
    const before = (await auditor.get(trail)).status
    expect((await scope(trail)).body).toMatchObject({ code: 403, reason: 'role/not-yours', msg: '角色“审计监督”不在您可以管理的范围内' })
    expect((await auditor.get(trail)).status).toBe(before)
    expect((await scope('/blade-system/post/list')).status).toBe(200)
  })

  test('fields: the auditor’s are ruled by nobody, the security administrator’s by nobody else, the administrator’s by the two', async () => {
    const tenant = await t.tenant()
    const callers = [await tenant.staff('admin'), await tenant.staff('secadmin'), await tenant.staff('administrator')]
    const seen: unknown[] = []
    for (const me of callers) {
      const listed = (await me.get('/blade-system/field-rule/list')).body.data.roles as {
        roleAlias: string
        readOnlyReason: string | null
      }[]
      for (const alias of three) {
        const answer = await me.post('/blade-system/field-rule/submit', {
          json: { roleId: await roleId(tenant, alias), rules: [{ noun: 'user', field: 'realName', level: 'hidden' }] },
        })
        const refused = answer.status !== 200
        expect(listed.find(one => one.roleAlias === alias)?.readOnlyReason ?? null).toBe(refused ? answer.body.msg : null)
        seen.push([alias, answer.status, refused ? answer.body.reason : 'ok'])
      }
    }
    const apart = (alias: string) => [alias, 403, 'role/not-yours']
    expect(seen).toEqual([
      ['admin', 403, 'role/own'],
      apart('secadmin'),
      apart('auditor'),
      ['admin', 200, 'ok'],
      ['secadmin', 403, 'role/own'],
      apart('auditor'),
      ...three.map(apart),
    ])
    expect(
      await tenant.rows(sql<object>`select r.role_alias as alias from role_field_rule f join role r on r.id = f.role_id order by 1`),
    ).toEqual([{ alias: 'admin' }])
    // A rule that was laid before is taken back on the server.
    await tenant.rows(sql<object>`
      insert into role_field_rule (tenant_id, role_id, noun, field, level, views) values (${tenant.tenantId}, ${await roleId(tenant, 'auditor')}, 'user', 'realName', 2, '{}') returning 1`)
    await carryOut(t.app.services, { ...wishOf(['fields', '--role', 'auditor']), tenantId: tenant.tenantId })
    expect(
      await tenant.rows(sql<object>`select r.role_alias as alias from role_field_rule f join role r on r.id = f.role_id order by 1`),
    ).toEqual([{ alias: 'admin' }])
  })

  test('the database refuses copies and rules that a path of the program forgot', async () => {
    const tenant = await t.tenant()
    const [admin, clerk] = [await tenant.staff('admin'), await tenant.staff('reviewer1')]
    const [copy, desk] = [await oldRole(tenant, 'old_copy', ['auditlog_view']), await oldRole(tenant, 'people', ['user_add'])]
    const alerts = await oldRole(tenant, 'alerts', ['alert_view'])
    await hold(tenant, clerk.userId, alerts)
    const [trail, add] = await menuIds(tenant, 'auditlog_view', 'user_add')
    const to = (role: string, menu = '') =>
      `insert into role_menu (tenant_id, role_id, menu_id) values ('${tenant.tenantId}', ${role}, ${menu})`
    const owner = await t.owner()
    for (const statement of [
      to(desk, trail),
      to(copy, add),
      `delete from role_menu where role_id = ${copy}`,
      `insert into account_role (tenant_id, user_id, role_id) values ('${tenant.tenantId}', ${clerk.userId}, ${copy})`,
      `insert into account_role (tenant_id, user_id, role_id) values ('${tenant.tenantId}', ${clerk.userId}, ${desk})`,
      `insert into role_field_rule (tenant_id, role_id, noun, field, level, views) values ('${tenant.tenantId}', ${await roleId(tenant, 'auditor')}, 'user', 'realName', 2, '{}')`,
    ]) {
      await owner.query('begin')
      await owner.query(
        `select set_config('app.tenant_id', '${tenant.tenantId}', true), set_config('app.user_id', '${admin.userId}', true), set_config('app.now', now()::text, true), set_config('role', 'kaopu_staff', true)`,
      )
      await expect(owner.query(statement), statement).rejects.toMatchObject({
        code: '42501',
        message: expect.stringContaining('kept apart'),
      })
      await owner.query('rollback')
    }
  })

  test('the database keeps apart what the seed does, neither more nor less', async () => {
    const apart = new Map<string, string[]>()
    const order = ['administrator', ...three]
    const walk = ({ code, roles, buttons = [], children = [] }: MenuSeed): readonly string[] => {
      const put = (name: string, given: readonly string[]) => {
        const others = given.filter(role => role !== 'administrator')
        const isShared = three.every(alias => given.includes(alias))
        if (others.length > 0 && others.every(role => (three as readonly string[]).includes(role)) && !isShared)
          apart.set(
            name,
            order.filter(alias => given.includes(alias)),
          )
      }
      for (const [action, , , given] of buttons) put(`${code}_${action}`, given)
      const all = [...roles, ...buttons.flatMap(([, , , given]) => given), ...children.flatMap(walk)]
      put(code, all)
      return all
    }
    menuSeeds.forEach(walk)
    const owner = await t.owner()
    const { rows } = await owner.query(`select distinct code, kept_for(code) as who from menu where kept_for(code) is not null`)
    expect(new Map(rows.map((row: { code: string; who: string[] }) => [row.code, row.who]))).toEqual(apart)
  })
})
