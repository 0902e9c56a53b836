import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { sessionOfUser } from '#modules/auth/data/rights-of-user.repo.ts'
import { type Person, startTestApp, type TestApp, type TestTenant } from '../../support/app.ts'
import { buildExam, makeDept } from '../../support/factories.ts'
import { sheetCells } from '../../support/sheet-text.ts'

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
const report = async (userId: string, by = admin) => (await by.get(`${base}/view-as`, { query: { userId } })).body.data
const add = (by: Person, postCode: string) =>
  by.post('/blade-system/post/submit', { json: { category: '1', postCode, postName: postCode, sort: 1 } })

describe('[S6.01][S6.02][S6.03] seeing what somebody would see', () => {
  test('the report is what the person gets: the same menus, buttons, rows and closed calls', async () => {
    const exam = await buildExam(tenant)
    const clerk = await tenant.staff('unit_hr', { userCode: 'H01', realName: '陈人事' })
    await add(admin, 'P1')
    const seen = await report(clerk.userId)
    expect(seen.user).toMatchObject({ id: clerk.userId, realName: '陈人事', status: 1 })
    expect([seen.roles.map((role: { roleAlias: string }) => role.roleAlias), seen.codes]).toEqual([['unit_hr'], ['H01']])
    expect(seen.menus).toEqual((await clerk.get('/blade-system/menu/routes')).body.data)
    const info = (await clerk.get('/blade-auth/oauth/user-info')).body.data
    expect(seen.rights.flatMap((right: { kind: number; code: string }) => (right.kind === 2 ? [right.code] : [])).sort()).toEqual(
      info.permissions,
    )
    expect(seen.rights.find((right: { code: string }) => right.code === 'typecode_view')).toEqual(
      expect.objectContaining({ place: '考试管理 › 岗位代码', name: '查看', roles: ['用人单位人事'] }),
    )
    // Two of the three posts are of the unit: the list is the person's own, narrowed as theirs is.
    const theirs = (await clerk.get('/blade-typeCode/typecode/list', { query: { examId: exam.examId } })).body.data
    const noun = (code: string) => seen.nouns.find((one: { resource: string }) => one.resource === code)
    expect([theirs.total, noun('typecode')]).toEqual([2, expect.objectContaining({ total: 2, mayShow: true })])
    expect(noun('post')).toBeUndefined()
    const rows = (await admin.get(`${base}/view-as-rows`, { query: { userId: clerk.userId, resource: 'typecode' } })).body.data
    expect([
      rows.total,
      rows.records
        .flat()
        .filter((cell: string) => /^[AB]\d{3}$/.test(cell))
        .sort(),
    ]).toEqual([2, ['A001', 'B001']])
    expect((await admin.get(`${base}/view-as-rows`, { query: { userId: clerk.userId, resource: 'post' } })).status).toBe(404)
  })

  test('[S6.05] what the package of the tenant does not hold is not in it, whatever the roles hold', async () => {
    const operator = await t.platform().staff('administrator')
    const clerk = await tenant.staff('exam_admin')
    const codes = async () => (await report(clerk.userId)).rights.map((right: { code: string }) => right.code)
    expect(await codes()).toEqual(expect.arrayContaining(['signup_view', 'examination', 'examination_edit', 'items_view']))
    const menus = await t
      .platform()
      .rows(sql<{ id: string }>`select id::text as id from menu where code = any(array['examination', 'role', 'viewas'])`)
    const made = await operator.post('/blade-system/tenant-package/submit', {
      json: { packageName: `小套餐${tenant.tenantId}`, menuId: menus.map(row => row.id).join(',') },
    })
    await operator.post('/blade-system/tenant/package-setting', { query: { tenantId: tenant.tenantId, packageId: made.body.data.id } })
    await t.app.catchUp()
    const left = await codes()
    expect(left).toEqual(expect.arrayContaining(['examination', 'examination_edit']))
    expect(left.filter((code: string) => /^(items|post|typecode|signup)/.test(code))).toEqual([])
    // The session that is looked through as well: lists that the package closes are not among those the person sees.
    const session = await t.app.services.scopes.tx(
      { kind: 'staff', tenantId: tenant.tenantId, userId: admin.userId, departments: null },
      t.clock.now(),
      db => sessionOfUser(db, clerk.userId),
    )
    expect([session?.permissions.has('examination_edit'), session?.permissions.has('items_view')]).toEqual([true, false])
  })

  test('[S9.07] the rights of a person in a tenant that was never counted are gathered in one pass, and nothing of how is left behind', async () => {
    const clerk = await tenant.staff('finance')
    const actor = { kind: 'staff', tenantId: tenant.tenantId, userId: admin.userId, departments: null } as const
    await t.app.services.scopes.tx(actor, t.clock.now(), async db => {
      const scans = async () =>
        (
          await db.one(sql<{ n: number }>`
            select coalesce(sum(coalesce(seq_scan, 0) + coalesce(idx_scan, 0)), 0)::int as n from pg_stat_xact_user_tables
            where relname in ('account_role', 'role', 'role_menu', 'menu')`)
        ).n
      const before = await scans()
      expect((await sessionOfUser(db, clerk.userId))?.permissions.has('exampay_view')).toBe(true)
      // One pass over each for each of the six questions; once for each menu and grant it was ninety thousand.
      expect((await scans()) - before).toBeLessThan(200)
      expect(await db.one(sql<object>`select current_setting('enable_nestloop') as nestloop`)).toEqual({ nestloop: 'on' })
    })
  })

  test('data scopes and kept calls of the person stand in it', async () => {
    const keeper = await tenant.staff('secadmin')
    const scope = await keeper.post('/blade-system/data-scope/submit', {
      json: { scopeName: '只看自己', resourceCode: 'post', scopeType: 2 },
    })
    await keeper.post('/blade-system/api-scope/submit', {
      json: { scopeName: '导出', scopeMethod: 'GET', scopePath: '/blade-system/post/export' },
    })
    await tenant.db(async db => {
      const its = sql`(select id from role where role_alias = 'school')`
      await db.run(
        sql`insert into role_menu (tenant_id, role_id, menu_id) select ${tenant.tenantId}, ${its}, id from menu where code = any('{post_view,post_add}')`,
      )
      await db.run(
        sql`insert into role_data_scope (tenant_id, role_id, scope_id) values (${tenant.tenantId}, ${its}, ${scope.body.data.id})`,
      )
    })
    await t.app.catchUp()
    const clerk = await tenant.staff('school')
    await add(admin, 'P1')
    await add(clerk, 'P2')
    const seen = await report(clerk.userId, keeper)
    expect(seen.rules).toEqual([{ resource: 'post', label: { zh: '职务', en: 'Duty post' }, names: ['只看自己'] }])
    expect(seen.closed).toEqual(['GET /blade-system/post/export'])
    // Who keeps the rights has no business data: how many rows, never which.
    expect(seen.nouns.find((one: { resource: string }) => one.resource === 'post')).toMatchObject({ total: 1, mayShow: false })
    expect((await keeper.get(`${base}/view-as-rows`, { query: { userId: clerk.userId, resource: 'post' } })).status).toBe(403)
    const rows = (await admin.get(`${base}/view-as-rows`, { query: { userId: clerk.userId, resource: 'post' } })).body.data
    expect([rows.total, rows.records[0]]).toEqual([1, expect.arrayContaining(['P2'])])
    // Somebody who sees part of a noun is not shown another's part of it.
    await tenant.db(db =>
      db.run(
        sql`insert into role_menu (tenant_id, role_id, menu_id) select ${tenant.tenantId}, r.id, m.id from role r join menu m on m.code = 'role_viewas' where r.role_alias = 'school'`,
      ),
    )
    await t.app.catchUp()
    expect((await clerk.get(`${base}/view-as-rows`, { query: { userId: admin.userId, resource: 'post' } })).status).toBe(403)
  })

  test('looking does nothing but leave its line; it is for those with the button, within the tenant, about staff', async () => {
    const clerk = await tenant.staff('finance')
    const before = await tenant.rows(sql<{ n: number }>`select count(*)::int as n from session where user_id = ${clerk.userId}`)
    await report(clerk.userId)
    await admin.get(`${base}/view-as-rows`, { query: { userId: clerk.userId, resource: 'examitem' } })
    expect(await tenant.rows(sql<{ n: number }>`select count(*)::int as n from session where user_id = ${clerk.userId}`)).toEqual(before)
    const log = await tenant.rows(
      sql<{
        action: string
        who: string
      }>`select action, user_id::text as who from audit_log where entity = 'account' and entity_id = ${clerk.userId} order by id`,
    )
    expect(log).toEqual([
      { action: 'access.viewed', who: admin.userId },
      { action: 'access.rows-viewed', who: admin.userId },
    ])
    expect((await clerk.get(`${base}/view-as`, { query: { userId: admin.userId } })).status).toBe(403)
    const stranger = await (await t.tenant()).staff('admin')
    expect((await stranger.get(`${base}/view-as`, { query: { userId: clerk.userId } })).status).toBe(404)
    expect((await stranger.get(`${base}/exportViewAs`, { query: { userId: clerk.userId } })).status).toBe(404)
    expect((await admin.get(`${base}/view-as`, { query: { userId: (await tenant.candidate()).userId } })).status).toBe(404)
    const people = (await admin.get(`${base}/view-as-people`, { query: { name: 'staff' } })).body.data
    expect(people.map((one: { id: string }) => one.id).sort()).toEqual([admin.userId, clerk.userId].sort())
  })

  test('an examination administrator is shown as narrowed as they are, by a session that sees all', async () => {
    const [theirs, other] = [await makeDept(tenant, '考务办'), await makeDept(tenant, '疾控中心')]
    for (const [n, deptId] of [theirs, other].entries()) {
      const { examId } = await buildExam(tenant, { exam: { exam_name: `第 ${n} 批`, exam_code: `V${n}`, exam_no: n + 1 } })
      await tenant.db(db => db.run(sql`update examination set dept_id = ${deptId} where id = ${examId}`))
    }
    const officer = await tenant.staff('exam_admin', { deptId: theirs })
    const rowsOf = async (resource: string) =>
      (await admin.get(`${base}/view-as-rows`, { query: { userId: officer.userId, resource } })).body.data
    const seen = await report(officer.userId)
    const noun = (code: string) => seen.nouns.find((one: { resource: string }) => one.resource === code)
    expect([noun('typecode')?.total, (await rowsOf('typecode')).total, (await rowsOf('typecode')).records.length]).toEqual([3, 3, 3])
    expect((await report(admin.userId)).nouns.find((one: { resource: string }) => one.resource === 'typecode').total).toBe(6)
    // What is read for somebody else writes nothing in their name.
    expect(await tenant.rows(sql`select 1 from audit_log where user_id = ${officer.userId}`)).toEqual([])
  })

  test('the report leaves as a workbook with its watermark and its line', async () => {
    const clerk = await tenant.staff('finance', { realName: '韩财务' })
    const answer = await (await tenant.staff('auditor', { realName: '郑审计' })).get(`${base}/exportViewAs`, {
      query: { userId: clerk.userId },
    })
    const rows = await sheetCells(answer.raw)
    expect(rows[0]?.[0]).toContain('用户权限报告 韩财务')
    expect(rows).toContainEqual(['按钮', '缴费 › 应缴', '审批退费', 'exampay_approve', '财务'])
    expect(rows.flat()).not.toContain('examine_first')
    expect(await tenant.rows(sql`select entity_id as who from audit_log where action = 'access.exported'`)).toEqual([{ who: clerk.userId }])
  })
})
