import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { carryOut, wishOf } from '#server/admin.ts'
import { type Person, startTestApp, type TestApp, type TestTenant } from '../support/app.ts'
import { staffWithPassword } from '../support/login.ts'

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
