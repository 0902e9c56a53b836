import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { readSheet } from '#kernel/sheet/read-sheet.ts'
import { type Answer, type Person, startTestApp, type TestApp, type TestTenant, testCaptcha } from '../support/app.ts'
import { sealFor } from '../support/login.ts'
import { workbook } from '../support/workbook.ts'

let t: TestApp
/** A second process on the same database. */
let two: TestApp
let tenant: TestTenant
let other: TestTenant
let admin: Person
let foreign: Person
beforeAll(async () => {
  t = await startTestApp()
  two = await t.beside()
  tenant = await t.tenant()
  other = await t.tenant()
  admin = await tenant.staff('admin')
  foreign = await other.staff('exam_admin', { realName: '外机构人员' })
})
afterAll(() => t.close())

const base = '/blade-system/user'
const seal = (plain: string): string => sealFor(t, plain)
const roleId = async (alias: string, at = tenant): Promise<string> =>
  (await at.rows(sql<{ id: string }>`select id::text as id from role where role_alias = ${alias}`))[0]?.id ?? ''
const stateOf = async (id: string) =>
  (
    await tenant.rows(sql<{ status: number; isDeleted: boolean; roles: string[]; live: number }>`
      select a.status, a.is_deleted as "isDeleted",
        coalesce((select json_agg(r.role_alias order by r.sort) from account_role ar join role r on r.id = ar.role_id where ar.user_id = a.id), '[]') as roles,
        (select count(*)::int from session s where s.user_id = a.id and s.ended_at is null) as live
      from account a where a.id = ${id}`)
  )[0]
const linesOf = (id: string) =>
  tenant.rows(sql<{ action: string; userId: string; before: unknown; after: unknown; reason: string | null }>`
    select action, user_id::text as "userId", before_value as before, after_value as after, reason from audit_log where entity = 'account' and entity_id = ${id} order by id`)
const logIn = async (account: string, password: string): Promise<Answer> => {
  const guest = t.anonymous(tenant.tenantId)
  const { key } = (await guest.get('/blade-auth/oauth/captcha')).body
  return guest.post('/blade-auth/oauth/token', {
    form: { grant_type: 'captcha', username: account, password: seal(password), key, code: testCaptcha },
  })
}
const rowsOf = async (answer: Answer): Promise<readonly string[][]> => {
  const path = join(await mkdtemp(join(tmpdir(), 'kaopu-book-')), 'book.xlsx')
  await writeFile(path, answer.raw)
  const read = await readSheet(path)
  await rm(dirname(path), { recursive: true })
  return 'problem' in read ? [] : read.rows.map(row => row.cells.map(cell => String(cell ?? '')))
}
/** What the other process answers to this person, once it has heard every change. */
const atTwo = async (person: Person, path = '/blade-auth/oauth/user-info'): Promise<Answer> => {
  await two.app.catchUp()
  return two.anonymous().get(path, { headers: { 'blade-auth': `bearer ${person.token}` } })
}
const dept = async (name: string, parentId = ''): Promise<string> =>
  (await admin.post('/blade-system/dept/submit', { json: { deptName: name, fullName: name, deptCategory: 2, sort: 1, parentId } })).body
    .data.id
const submit = (json: object, by = admin) => by.post(`${base}/submit`, { json })

test('[S7.19] a list of more people than anybody reads is counted to a thousand, and to the end when somebody asks; so are the people of a role', async () => {
  const own = await t.tenant()
  const by = await own.staff('admin')
  await own.db(async db => {
    await db.run(sql`
      insert into account (tenant_id, account, account_key, user_type, nick_name, real_name) select ${own.tenantId}, 'm' || g, 'm' || g, 2, '众', '众' from generate_series(1, 1005) g`)
    await db.run(sql`
      insert into account_role (tenant_id, user_id, role_id) select ${own.tenantId}, a.id, r.id from account a, role r where a.real_name = '众' and r.role_alias = 'candidate'`)
  })
  const ask = async (query: object) => {
    const { total, pages, atLeast, records } = (await by.get(`${base}/page`, { query: { ...query } })).body.data
    return { total, pages, atLeast, rows: records.length }
  }
  expect(await ask({ count: 'capped' })).toEqual({ total: 1000, pages: 100, atLeast: true, rows: 10 })
  expect(await ask({ count: 'capped', current: 100 })).toEqual({ total: 1006, pages: 101, atLeast: false, rows: 10 })
  expect(await ask({})).toEqual({ total: 1006, pages: 101, atLeast: undefined, rows: 10 })
  expect(await ask({ count: 'capped', account: 'm100' })).toEqual({ total: 7, pages: 1, atLeast: false, rows: 7 })
  const roles = (await by.get('/blade-system/role/list')).body.data as { roleAlias: string; holders: number; children?: never[] }[]
  const flat = (nodes: typeof roles): typeof roles => nodes.flatMap(node => [node, ...flat(node.children ?? [])])
  expect(
    flat(roles)
      .flatMap(({ roleAlias, holders }) => (['candidate', 'admin', 'finance'].includes(roleAlias) ? [[roleAlias, holders]] : []))
      .sort(),
  ).toEqual([
    ['admin', 1],
    ['candidate', 1001],
    ['finance', 0],
  ])
})

describe('[S7.19] accounts of staff', () => {
  test('added with a one-time password, found by department with those below, changed, seen and exported', async () => {
    const hospital = await dept('中心医院')
    const ward = await dept('骨科', hospital)
    const [exam, reviewer] = [await roleId('exam_admin'), await roleId('reviewer1')]
    const made = await submit({
      account: 'Zhang.San',
      realName: '张三',
      name: '小张',
      phone: seal('13900001234'),
      email: 'zhang@example.cn',
      sex: 1,
      birthday: '1990-02-28',
      code: 'N001',
      roleId: `${exam},${reviewer}`,
      deptId: ward,
      isLeader: 1,
    })
    expect(made.body).toMatchObject({ code: 200, data: { id: expect.any(String), oneTime: { account: 'Zhang.San' } } })
    const { id, oneTime } = made.body.data
    expect(oneTime.password).toMatch(/^([a-hj-km-np-z2-9]{5}-){3}[a-hj-km-np-z2-9]{5}$/)
    const row = (await admin.get(`${base}/detail`, { query: { id } })).body.data
    expect(row).toMatchObject({
      account: 'Zhang.San',
      tenantId: tenant.tenantId,
      userType: 1,
      name: '小张',
      realName: '张三',
      phone: '139****1234',
      email: 'zhang@example.cn',
      sex: 1,
      birthday: '1990-02-28',
      code: 'N001',
      roleId: `${exam},${reviewer}`,
      roleName: '考务管理员,初审员',
      deptId: ward,
      deptName: '骨科',
      isLeader: 1,
      status: 1,
      passwordDue: 1,
      lockedUntil: '',
      version: 0,
    })
    const accountsIn = async (query: object) =>
      (await admin.get(`${base}/page`, { query: { ...query } })).body.data.records.map((one: { account: string }) => one.account)
    expect(await accountsIn({ deptId: hospital })).toEqual(['Zhang.San'])
    expect(await accountsIn({ deptId: ward, realName: '张' })).toEqual(['Zhang.San'])
    expect(await accountsIn({ deptId: await dept('空科') })).toEqual([])
    expect(await accountsIn({ roleId: reviewer })).toEqual(['Zhang.San'])
    expect(await accountsIn({ account: '外' })).toEqual([])
    expect((await admin.get(`${base}/list`, { query: { realName: '张三' } })).body.data.total).toBe(1)
    expect((await admin.get(`${base}/user-list`, { query: { realName: '张三' } })).body.data).toEqual([
      { id, account: 'Zhang.San', realName: '张三', deptName: '骨科' },
    ])

    expect((await submit({ id, realName: '张叁', deptId: hospital, version: 0 })).body.code).toBe(200)
    expect((await admin.get(`${base}/detail`, { query: { id } })).body.data).toMatchObject({
      realName: '张叁',
      name: '小张',
      phone: '139****1234',
      deptName: '中心医院',
      roleName: '考务管理员,初审员',
      version: 1,
    })
    expect((await submit({ id, realName: '张四', version: 0 })).body.code).toBe(2002)
    const lines = await linesOf(id)
    expect(lines.map(line => line.action)).toEqual(['account.added', 'account.updated'])
    expect(lines[1]).toMatchObject({
      userId: admin.userId,
      before: { real_name: '张三', dept_id: ward },
      after: { real_name: '张叁', dept_id: hospital },
    })
    expect(JSON.stringify(lines)).not.toMatch(/13900001234|zhang@example|password_hash/)

    const file = await admin.get(`${base}/export-user`, { query: { realName: '张' } })
    const rows = await rowsOf(file)
    expect([rows[0]?.[0], rows[1]?.slice(0, 5), rows[2]?.slice(0, 8), rows.length]).toEqual([
      expect.stringContaining('用户 · '),
      ['账号', '姓名', '昵称', '角色', '部门'],
      ['Zhang.San', '张叁', '小张', '考务管理员,初审员', '中心医院', '', '139****1234', 'zhang@example.cn'],
      3,
    ])
  })

  test('the one-time password opens its own change only, and nothing at all after its time', async () => {
    const { id, oneTime } = (await submit({ account: 'once.only', realName: '李四' })).body.data
    const first = await logIn('once.only', oneTime.password)
    expect(first.status).toBe(200)
    const me = t.anonymous()
    const asMe = (path: string) => me.get(path, { headers: { 'blade-auth': `bearer ${first.body.access_token}` } })
    expect((await asMe('/blade-system/param/list')).body.reason).toBe('kernel/password-due')
    const reset = await admin.post(`${base}/reset-password`, { query: { userIds: id }, headers: { 'idempotency-key': 'reset-password-1' } })
    const [again] = reset.body.data
    await t.app.catchUp()
    expect([again.account, again.password === oneTime.password, (await asMe('/blade-system/user/info')).status]).toEqual([
      'once.only',
      false,
      401,
    ])
    expect((await logIn('once.only', oneTime.password)).body.error_code).toBe(2914)
    // Nothing that is stored can show it a second time.
    const stored = await tenant.rows(sql<{ text: string }>`
      select coalesce(string_agg(answer::text, ''), '') || (select string_agg(coalesce(after_value::text, ''), '') from audit_log) as text from idempotency`)
    expect(stored[0]?.text).not.toContain(again.password)
    t.clock.advance(72 * 3_600_000)
    expect((await logIn('once.only', again.password)).body).toMatchObject({
      error_code: 2914,
      error_description: '一次性密码已过期，请联系管理员重置',
    })
    t.clock.advance(-72 * 3_600_000)
    expect((await logIn('once.only', again.password)).status).toBe(200)
  })

  test('names, phones, places and roles that are not right are refused at their field', async () => {
    const fieldOf = async (json: object) => {
      const { body } = await submit({ account: 'wrong.one', realName: '王五', ...json })
      return body.data?.fields?.[0]?.field ?? body.reason
    }
    expect([
      await fieldOf({ account: 'a b' }),
      await fieldOf({ account: undefined }),
      await fieldOf({ realName: '王5' }),
      await fieldOf({ phone: seal('12345678901') }),
      await fieldOf({ phone: '13900001234' }),
      await fieldOf({ email: 'nobody' }),
      await fieldOf({ deptId: '999' }),
      await fieldOf({ postId: '999' }),
      await fieldOf({ userCode: 'NONE' }),
      await fieldOf({ roleId: '999' }),
      await fieldOf({ roleId: await roleId('admin', other) }),
      await fieldOf({ roleId: await roleId('candidate') }),
      await fieldOf({ roleId: `${await roleId('admin')},${await roleId('auditor')}` }),
      await fieldOf({ password: seal('123456'), password2: seal('123456') }),
      await fieldOf({ password: seal('long enough words'), password2: seal('other words here') }),
      await fieldOf({ userType: 2 }),
    ]).toEqual([
      'account',
      'account',
      'realName',
      'phone',
      'auth/bad-cipher',
      'email',
      'deptId',
      'postId',
      'userCode',
      'kernel/not-found',
      'kernel/not-found',
      'kernel/not-found',
      'user/apart',
      'password',
      'auth/password-mismatch',
      'userType',
    ])
    await submit({ account: 'taken.one', realName: '王五' })
    const taken = (await submit({ account: ' TAKEN.one'.trim(), realName: '王六' })).body
    expect(taken.reason).toBe('auth/account-taken')
    expect(taken.data.fields).toEqual([{ field: 'account', msg: '该账号已被使用' }])
    await t.app.services.scopes.asPlatform('test', t.clock.now(), db =>
      db.run(sql`update tenant set account_number = 1 where tenant_id = ${tenant.tenantId}`),
    )
    expect((await submit({ account: 'one.more', realName: '王七' })).body.reason).toBe('auth/tenant-full')
    await t.app.services.scopes.asPlatform('test', t.clock.now(), db =>
      db.run(sql`update tenant set account_number = -1 where tenant_id = ${tenant.tenantId}`),
    )
    expect(await tenant.rows(sql<object>`select 1 from account where account_key in ('wrong.one', 'one.more')`)).toEqual([])
  })
})

describe('[S6.04] nobody hands out or manages more than their own', () => {
  /** Whoever keeps accounts without running the tenant: the right to users and nothing else. */
  const clerkOf = async (): Promise<Person> => {
    await tenant.db(async db => {
      await db.run(sql`delete from role_menu where role_id = (select id from role where role_alias = 'school')`)
      await db.run(sql`
        insert into role_menu (tenant_id, role_id, menu_id) select ${tenant.tenantId}, r.id, m.id from role r join menu m on m.code like 'user%' where r.role_alias = 'school'`)
    })
    return tenant.staff('school')
  }

  test('roles are replaced, seen by open sessions of the other process at once; not by oneself, not beyond oneself, not for another tenant', async () => {
    const member = await tenant.staff('reviewer1')
    expect((await atTwo(member)).body.data.roles).toEqual(['reviewer1'])
    const grant = (userIds: string, roleIds: string, by = admin) => by.post(`${base}/grant`, { query: { userIds, roleIds } })
    const finance = await roleId('finance')
    expect((await grant(member.userId, finance)).body.data).toEqual({ changed: 1 })
    const seen = (await atTwo(member)).body.data
    expect([seen.roles, seen.permissions.includes('exampay_handleup'), seen.permissions.includes('examine_first')]).toEqual([
      ['finance'],
      true,
      false,
    ])
    expect((await linesOf(member.userId)).at(-1)).toMatchObject({
      action: 'account.roles-granted',
      before: { roles: ['reviewer1'] },
      after: { roles: ['finance'] },
    })

    const clerk = await clerkOf()
    const platformRole = await roleId('administrator')
    const refused = [
      await grant(admin.userId, await roleId('auditor')),
      await grant(member.userId, platformRole),
      await grant(member.userId, `${await roleId('admin')},${await roleId('secadmin')}`),
      await grant(`${member.userId},${foreign.userId}`, finance),
      await grant(member.userId, await roleId('finance', other)),
      await grant(member.userId, await roleId('admin'), clerk),
      await grant(admin.userId, '', clerk),
      await clerk.post(`${base}/reset-password`, { query: { userIds: admin.userId } }),
      await clerk.post(`${base}/lock`, { json: { userIds: admin.userId, reason: 'x' } }),
      await clerk.post(`${base}/remove`, { query: { ids: admin.userId } }),
      await submit({ id: admin.userId, realName: '改名' }, clerk),
    ]
    expect(refused.map(answer => answer.body.reason)).toEqual([
      'user/self',
      'user/beyond-own',
      'user/apart',
      'kernel/not-found',
      'kernel/not-found',
      'user/beyond-own',
      'user/beyond-own',
      'user/beyond-own',
      'user/beyond-own',
      'user/beyond-own',
      'user/beyond-own',
    ])
    expect(await stateOf(member.userId)).toMatchObject({ roles: ['finance'], live: 1 })
    const choices = (await clerk.get(`${base}/role-choices`)).body.data as { roleAlias: string; grantable: boolean }[]
    expect(choices.filter(choice => choice.grantable).map(choice => choice.roleAlias)).toEqual(['school'])
    expect(choices.some(choice => choice.roleAlias === 'candidate')).toBe(false)
    const own = (await admin.get(`${base}/role-choices`)).body.data as { roleAlias: string; grantable: boolean }[]
    expect(own.filter(choice => !choice.grantable).map(choice => choice.roleAlias)).toEqual(['administrator'])
  })
})

describe('[S7.19] states of an account (domain 4.9)', () => {
  test.each([
    [
      'lock',
      (id: string) => admin.post(`${base}/lock`, { json: { userIds: id, reason: '离岗' } }),
      { status: 4, live: 0 },
      'account.locked',
    ],
    [
      'disable',
      (id: string) => admin.post(`${base}/changeStatus`, { query: { id, status: 2 } }),
      { status: 2, live: 0 },
      'account.disabled',
    ],
    [
      'remove',
      (id: string) => admin.post(`${base}/remove`, { query: { ids: id } }),
      { isDeleted: true, live: 0, roles: [] },
      'account.removed',
    ],
    [
      'reset',
      (id: string) => admin.post(`${base}/reset-password`, { query: { userIds: id } }),
      { status: 1, live: 0 },
      'account.password-reset',
    ],
  ])('%s reaches open sessions of the other process at once', async (_name, act, after, action) => {
    const member = await tenant.staff('finance')
    expect((await atTwo(member)).status).toBe(200)
    expect((await act(member.userId)).body.code).toBe(200)
    expect((await atTwo(member)).status).toBe(401)
    expect(await stateOf(member.userId)).toMatchObject(after)
    expect((await linesOf(member.userId)).at(-1)).toMatchObject({ action, userId: admin.userId })
  })

  test('a lock has its reason and is ended by unlock, as is the one of wrong passwords; states that do not allow it refuse all', async () => {
    const { id, oneTime } = (await submit({ account: 'lock.me', realName: '赵六' })).body.data
    expect((await admin.post(`${base}/lock`, { json: { userIds: id } })).body.data.fields[0]).toEqual({
      field: 'reason',
      msg: '请输入锁定原因',
    })
    await admin.post(`${base}/lock`, { json: { userIds: id, reason: '离岗三个月' } })
    expect((await logIn('lock.me', oneTime.password)).body.error_code).toBe(2918)
    expect((await admin.get(`${base}/detail`, { query: { id } })).body.data).toMatchObject({ status: 4, lockReason: '离岗三个月' })
    const free = await tenant.staff('finance')
    expect((await admin.post(`${base}/unlock`, { query: { userIds: `${id},${free.userId}`, reason: '已返岗' } })).body.reason).toBe(
      'user/state',
    )
    expect((await stateOf(id))?.status).toBe(4)
    const unsaid = async (reason: string | undefined, language: 'zh' | 'en') =>
      (await admin.post(`${base}/unlock`, { json: { userIds: id, ...(reason === undefined ? {} : { reason }) }, language })).body.data
        .fields[0]
    expect([await unsaid(undefined, 'zh'), await unsaid('', 'en'), await unsaid('  ', 'zh'), await unsaid('x'.repeat(201), 'en')]).toEqual([
      { field: 'reason', msg: '请输入解锁原因' },
      { field: 'reason', msg: 'Please enter the reason' },
      { field: 'reason', msg: '请输入解锁原因' },
      { field: 'reason', msg: expect.stringContaining('200') },
    ])
    expect((await stateOf(id))?.status).toBe(4)
    expect((await admin.post(`${base}/unlock`, { query: { userIds: id, reason: ' 已返岗 ' } })).body.data).toEqual({ changed: 1 })
    expect((await linesOf(id)).slice(-2)).toMatchObject([
      { action: 'account.locked', reason: '离岗三个月', before: { status: 1 }, after: { status: 4 } },
      { action: 'account.unlocked', reason: '已返岗', before: { status: 4 }, after: { status: 1 } },
    ])
    for (let attempt = 0; attempt < 6; attempt += 1) await logIn('lock.me', 'wrong')
    expect((await logIn('lock.me', oneTime.password)).body.error_code).toBe(2916)
    expect((await admin.get(`${base}/detail`, { query: { id } })).body.data.lockedUntil).toMatch(/^2026-/)
    await admin.post(`${base}/unlock`, { query: { userIds: id, reason: '本人确认' } })
    expect((await logIn('lock.me', oneTime.password)).status).toBe(200)

    await admin.post(`${base}/changeStatus`, { query: { id, status: 2 } })
    expect((await admin.post(`${base}/changeStatus`, { query: { id, status: 2 } })).body.reason).toBe('user/state')
    expect((await admin.post(`${base}/changeStatus`, { query: { id, status: 1 } })).body.data).toEqual({ changed: 1 })
  })

  test('candidates are locked and disabled, never edited, given roles, reset or removed; foreign ids are nobody', async () => {
    const candidate = await tenant.candidate()
    const roles = await roleId('finance')
    const refused = [
      await submit({ id: candidate.userId, realName: '改名' }),
      await admin.post(`${base}/grant`, { query: { userIds: candidate.userId, roleIds: roles } }),
      await admin.post(`${base}/reset-password`, { query: { userIds: candidate.userId } }),
      await admin.post(`${base}/remove`, { query: { ids: candidate.userId } }),
    ]
    expect(refused.map(answer => answer.body.reason)).toEqual(Array(4).fill('user/candidate'))
    expect((await admin.post(`${base}/lock`, { json: { userIds: candidate.userId, reason: '核实中' } })).body.code).toBe(200)
    expect((await stateOf(candidate.userId))?.status).toBe(4)
    const id = foreign.userId
    const nobody = [
      await admin.get(`${base}/detail`, { query: { id } }),
      await admin.get(`${base}/platform-detail`, { query: { id } }),
      await submit({ id, realName: '改名' }),
      await admin.post(`${base}/grant`, { query: { userIds: id, roleIds: roles } }),
      await admin.post(`${base}/reset-password`, { query: { userIds: id } }),
      await admin.post(`${base}/lock`, { json: { userIds: id, reason: 'x' } }),
      await admin.post(`${base}/unlock`, { query: { userIds: id, reason: '本人确认' } }),
      await admin.post(`${base}/changeStatus`, { query: { id, status: 2 } }),
      await admin.post(`${base}/update-platform`, { query: { userId: id, userExt: '{}' } }),
      await admin.post(`${base}/remove`, { query: { ids: id } }),
    ]
    expect(nobody.map(answer => answer.status)).toEqual(Array(10).fill(404))
  })

  test('what a platform adds to an account is kept beside it', async () => {
    const member = await tenant.staff('finance')
    expect((await admin.get(`${base}/platform-detail`, { query: { id: member.userId } })).body.data).toEqual({
      id: member.userId,
      userType: 1,
      userExt: '',
    })
    await admin.post(`${base}/update-platform`, { query: { userId: member.userId, userType: 1, userExt: '{"desk":"3-12"}' } })
    expect((await admin.get(`${base}/platform-detail`, { query: { id: member.userId } })).body.data.userExt).toBe('{"desk":"3-12"}')
    expect((await linesOf(member.userId)).at(-1)).toMatchObject({
      action: 'account.platform-updated',
      before: { userExt: '' },
      after: { userExt: '{"desk":"3-12"}' },
    })
  })
})

describe('[S7.19] accounts by workbook', () => {
  const header = ['账号*', '姓名*', '昵称', '手机', '邮箱', '角色*', '部门', '职务', '用户编号', '单位编码', '出生日期']
  const send = async (rows: readonly (readonly string[])[], fields: Record<string, string>, by = admin) =>
    by.post(`${base}/import-user`, {
      multipart: { fields, files: [{ part: 'file', name: '人员.xlsx', bytes: await workbook([header, ...rows]) }] },
    })
  const row = (account: string, realName: string, more: Record<number, string> = {}) =>
    header.map((_, at) => ({ 0: account, 1: realName, 5: '初审员', ...more })[at] ?? '')

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
      '3 出生日期 day',
      '3 单位编码 unknown',
      '3 角色 unknown',
      '3 部门 unknown',
      '3 职务 unknown',
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
    expect((await rowsOf(template))[0]).toEqual(header.map(name => name.replace('*', '')))
    expect((await reviewer.get('/blade-exam/examination/importTemplate', { query: { kind: 'T0' } })).status).toBe(403)
  })
})

describe('[S6.03] roles that are kept apart', () => {
  test('an administrator does not get into the account of the auditor or the security administrator by resetting it', async () => {
    const own = await t.tenant()
    const admin = await own.staff('admin')
    const [auditor, keeper, clerk] = [await own.staff('auditor'), await own.staff('secadmin'), await own.staff('finance')]
    const reset = (ids: string) => admin.post('/blade-system/user/reset-password', { query: { userIds: ids } })
    const hashes = () =>
      own.rows(sql`select id::text as id, password_hash as hash, must_change_password as due from account where user_type = 1 order by id`)
    const before = await hashes()
    for (const person of [auditor, keeper]) {
      const refused = await reset(person.userId)
      expect([refused.status, refused.body.reason]).toEqual([403, 'user/kept-apart'])
      expect(refused.body.msg).toContain('npm run admin -- reset')
      const factor = await admin.post('/blade-system/user/reset-second-factor', { json: { userIds: person.userId, reason: '丢失' } })
      expect(factor.body.reason).toBe('user/kept-apart')
    }
    // One of a batch stops all of it.
    expect((await reset(`${clerk.userId},${auditor.userId}`)).body.reason).toBe('user/kept-apart')
    expect(await hashes()).toEqual(before)
    expect((await reset(clerk.userId)).body.data).toHaveLength(1)
    expect((await reset((await own.staff('admin')).userId)).body.data).toHaveLength(1)
  })
})
