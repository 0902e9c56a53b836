import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { administering, base } from '../../support/administering.ts'
import { type Person, startTestApp, type TestApp, type TestTenant } from '../../support/app.ts'
import { sheetRows } from '../../support/sheet-text.ts'

let t: TestApp
/** A second process on the same database. */
let two: TestApp
let tenant: TestTenant
let other: TestTenant
let admin: Person
beforeAll(async () => {
  t = await startTestApp()
  two = await t.beside()
  tenant = await t.tenant()
  other = await t.tenant()
  admin = await tenant.staff('admin')
})
afterAll(() => t.close())

const { seal, roleId, linesOf, logIn, dept, submit } = administering(() => ({ t, two, tenant, admin }))

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
      userTypeName: '工作人员',
      statusName: '正常',
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
    const picked = async (query: object) => (await admin.get(`${base}/user-page`, { query: query as never })).body.data
    expect(await picked({ name: '张', current: 1, size: 1 })).toMatchObject({
      total: 1,
      size: 1,
      records: [{ id, account: 'Zhang.San', realName: '张三', deptName: '骨科' }],
    })
    expect([(await picked({ account: 'zhang', name: '李' })).total, (await picked({ account: 'zhang' })).total]).toEqual([0, 1])
    // Candidates are no choice.
    expect((await picked({})).total).toBe((await admin.get(`${base}/page`, { query: { userType: 1, status: 1 } as never })).body.data.total)

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
    const rows = await sheetRows(file.raw)
    expect([rows[0]?.[0], rows[1]?.slice(0, 5), rows[2]?.slice(0, 8), rows.length]).toEqual([
      expect.stringContaining('用户 · '),
      ['账号', '姓名', '昵称', '角色', '部门'],
      ['Zhang.San', '张叁', '小张', '考务管理员,初审员', '中心医院', '', '139****1234', 'zhang@example.cn'],
      3,
    ])
    expect([rows[1]?.slice(10), rows[2]?.slice(10, 14)]).toEqual([
      ['出生日期', '性别', '上级', '状态', '创建时间'],
      ['1990-02-28', '男', '', '正常'],
    ])
    const english = (await admin.get(`${base}/detail`, { query: { id }, language: 'en' })).body.data
    expect([english.userTypeName, english.statusName]).toEqual(['Staff', 'Normal'])
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

  test('a birth date is a day that has been, and what is wrong with it is said by its name', async () => {
    const problem = async (birthday: string, language: 'zh' | 'en' = 'zh') =>
      (await admin.post(`${base}/submit`, { json: { account: 'wrong.day', realName: '王五', birthday }, language })).body.data?.fields
    expect(await problem('2026-02-31')).toEqual([{ field: 'birthday', msg: '出生日期不是存在的日期或时间' }])
    expect(await problem('0000-01-01', 'en')).toEqual([{ field: 'birthday', msg: 'Birth date is no date or time that exists' }])
    expect(await problem('2999-01-01')).toEqual([{ field: 'birthday', msg: '出生日期不能晚于今天' }])
    expect((await submit({ account: 'right.day', realName: '王五', birthday: '1990-02-28' })).status).toBe(200)
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
      await fieldOf({ phone: 'ab'.repeat(100) }),
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
