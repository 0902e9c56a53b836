import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { systemOf } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'
import { seedSchools } from '../../seed/base/reference.ts'
import { seedTenant } from '../../seed/base/seed-tenant.ts'
import { startTestApp, type TestApp } from '../support/app.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp()
})
afterAll(() => t.close())

interface Menu {
  readonly code: string
  readonly path: string
  readonly children?: readonly Menu[]
}
const codes = (menus: readonly Menu[]): string[] => menus.flatMap(menu => [menu.code, ...codes(menu.children ?? [])])

describe('what the shell asks for', () => {
  test('[S6.02][S7.17][S7.21] the menu holds what the roles were granted, with ancestors, in both languages', async () => {
    const tenant = await t.tenant()
    const reviewer = await tenant.staff('reviewer1')
    const { body } = await reviewer.get('/blade-system/menu/routes')
    const work = ['work', 'work_start', 'work_claim', 'work_todo', 'work_send', 'work_done']
    expect(codes(body.data)).toEqual(['wel', 'review', 'examine', 'examinetip', ...work])
    expect(body.data[1]).toMatchObject({
      name: '报名审核',
      hasChildren: true,
      meta: { i18n: { zh: '报名审核', en: 'Review' } },
      children: [{ path: '/examine/list', parentId: body.data[1].id }, { path: '/examine/tip' }],
    })
    const finance = await tenant.staff('finance')
    expect(codes((await finance.get('/blade-system/menu/routes')).body.data)).not.toContain('examine')
    expect((await (await tenant.candidate()).get('/blade-system/menu/routes')).body.data).toEqual([])
  })

  test('[S3.16][S6.03] buttons are the leaves of a tree; a role taken away takes them away', async () => {
    const tenant = await t.tenant()
    const reviewer = await tenant.staff('reviewer1')
    const leaves = async () => codes((await reviewer.get('/blade-system/menu/buttons')).body.data).filter(code => code.includes('_'))
    expect(await leaves()).toEqual(expect.arrayContaining(['examine_view', 'examine_first']))
    expect(await leaves()).not.toContain('examine_second')
    await tenant.db(db => db.run(sql`delete from role_menu where role_id = (select id from role where role_alias = 'reviewer1')`))
    await t.app.catchUp()
    expect(await leaves()).toEqual([])
  })

  test('[S6.01][S7.20] role-list answers with the names of the caller’s own roles', async () => {
    const tenant = await t.tenant()
    const person = await tenant.staff(['reviewer1', 'reviewer2'])
    expect(
      (await person.get('/blade-system/role/role-list')).body.data.map((role: { roleName: string; roleAlias: string }) => [
        role.roleName,
        role.roleAlias,
      ]),
    ).toEqual([
      ['初审员', 'reviewer1'],
      ['复核员', 'reviewer2'],
    ])
  })

  test('[S7.17] a top menu is listed only to those who hold one of its menus', async () => {
    const tenant = await t.tenant()
    await tenant.db(async db => {
      const { id } = await db.one(
        sql<{
          id: string
        }>`insert into top_menu (tenant_id, code, name, name_en) values (${tenant.tenantId}, 'work', '业务', 'Work') returning id::text as id`,
      )
      await db.run(
        sql`insert into top_menu_menu (tenant_id, top_menu_id, menu_id) select ${tenant.tenantId}, ${id}, id from menu where code = 'examine'`,
      )
    })
    const [reviewer, finance] = [await tenant.staff('reviewer1'), await tenant.staff('finance')]
    const { body } = await reviewer.get('/blade-system/menu/top-menu')
    const own = body.data.find((menu: { code: string }) => menu.code === 'work')
    expect(body.data.map((menu: { code: string }) => menu.code)).toEqual(['work', 'recruit'])
    expect(codes((await reviewer.get('/blade-system/menu/routes', { query: { topMenuId: own.id } })).body.data)).toEqual([
      'review',
      'examine',
    ])
    expect(codes((await finance.get('/blade-system/menu/top-menu')).body.data)).toEqual(['recruit', 'finance'])
  })

  test('[S2.39][S7.17] the top menus of a new tenant: each role sees those it has something in, and below them its own menus only', async () => {
    const tenant = await t.tenant()
    const listed = async (role: 'administrator' | 'admin' | 'reviewer1' | 'finance' | 'secadmin') => {
      const person = await tenant.staff(role)
      const tops: { id: string; code: string; nameEn: string }[] = (await person.get('/blade-system/menu/top-menu')).body.data
      const below = await Promise.all(
        tops.map(async top => codes((await person.get('/blade-system/menu/routes', { query: { topMenuId: top.id } })).body.data)),
      )
      return Object.fromEntries(tops.map((top, at) => [top.code, below[at]]))
    }
    expect(await listed('reviewer1')).toEqual({ recruit: ['review', 'examine', 'examinetip'] })
    const finance = await listed('finance')
    const own = ['stat', 'report', 'statpay', 'sending', 'sendbalance', 'sendpay', 'sendorder']
    expect(finance).toEqual({
      recruit: ['dashboard', ...own],
      finance: expect.arrayContaining(['dashboard', 'pay', 'exampay', 'payorder']),
    })
    expect(finance['finance']).not.toContain('examination')
    expect(Object.keys(await listed('admin'))).toEqual(['recruit', 'finance', 'manage'])
    expect(await listed('secadmin')).toEqual({
      manage: [
        ...['system', 'role', 'viewas', 'datascope', 'fieldrule', 'apiscope', 'menu'],
        ...['monitor', 'online', 'authlog', 'authlock', 'alert', 'watchrule'],
      ],
    })
    const candidate = await tenant.candidate()
    expect((await candidate.get('/blade-system/menu/top-menu')).body.data).toEqual([])
  })

  test('[S6.04] what was taken from a role stays taken at the next start, and a new menu comes with its grants', async () => {
    const tenant = await t.tenant()
    const holders = (code: string) =>
      tenant
        .rows(
          sql<{
            alias: string
          }>`select r.role_alias as alias from role_menu rm join role r on r.id = rm.role_id join menu m on m.id = rm.menu_id where m.code = ${code} order by 1`,
        )
        .then(rows => rows.map(row => row.alias))
    await tenant.db(async db => {
      await db.run(
        sql`delete from role_menu where role_id = (select id from role where role_alias = 'admin') and menu_id = (select id from menu where code = 'param_delete')`,
      )
      await db.run(sql`delete from role_menu where menu_id = (select id from menu where code = 'user_audit')`)
      await db.run(sql`delete from menu where code = 'user_audit'`)
    })
    await tenant.db(seedTenant)
    expect([await holders('param_delete'), await holders('user_audit')]).toEqual([['administrator'], ['admin', 'administrator']])
  })

  test('[S7.17] a menu that somebody moved to the top stays there at the next start', async () => {
    const tenant = await t.tenant()
    const parent = () => tenant.rows(sql<{ parent: string }>`select parent_id::text as parent from menu where code = 'param'`)
    expect(await parent()).not.toEqual([{ parent: '0' }])
    await tenant.db(db => db.run(sql`update menu set parent_id = 0 where code = 'param'`))
    await tenant.db(seedTenant)
    expect(await parent()).toEqual([{ parent: '0' }])
  })

  test('what somebody took out of a top menu stays out at the next start', async () => {
    const tenant = await t.tenant()
    const links = sql<{
      code: string
    }>`select m.code from top_menu_menu l join menu m on m.id = l.menu_id join top_menu t on t.id = l.top_menu_id where t.code = 'finance' order by 1`
    const before = (await tenant.rows(links)).map(row => row.code)
    expect(before).toContain('payorder')
    await tenant.db(db => db.run(sql`delete from top_menu_menu where menu_id = (select id from menu where code = 'payorder')`))
    await tenant.db(seedTenant)
    expect((await tenant.rows(links)).map(row => row.code)).toEqual(before.filter(code => code !== 'payorder'))
  })

  test('[S3.07][S7.09][S7.19] who am I: session facts without a secret, phone and id card masked', async () => {
    const tenant = await t.tenant()
    const candidate = await tenant.candidate({ realName: '王测', phone: '16000000055', idCard: '330106199806301023' })
    expect((await candidate.get('/blade-auth/oauth/user-info')).body.data).toMatchObject({
      user_id: candidate.userId,
      tenant_id: tenant.tenantId,
      userType: 2,
      roles: ['candidate'],
      detail: { userType: 2 },
    })
    const own = await candidate.get('/blade-system/user/info')
    expect(own.body.data).toMatchObject({
      id: candidate.userId,
      realName: '王测',
      phone: '160****0055',
      idCard: '3301**********1023',
      roleName: '考生',
      status: 1,
    })
    expect(Object.keys(own.body.data)).not.toContain('passwordHash')
    const admin = await tenant.staff('admin')
    expect((await admin.get('/blade-system/user/detail', { query: { id: candidate.userId } })).body.data.phone).toBe('160****0055')
    const stranger = await (await t.tenant()).staff('admin')
    expect((await stranger.get('/blade-system/user/detail', { query: { id: candidate.userId } })).status).toBe(404)
    expect((await candidate.get('/blade-system/user/detail', { query: { id: admin.userId } })).status).toBe(403)
  })

  test('[S7.14][S1.07][21.10] the login page learns its tenant by domain or number, and no more than it needs', async () => {
    const tenant = await t.tenant()
    await t.app.services.scopes.asPlatform('test', t.clock.now(), db =>
      db.run(
        sql`update tenant set domain = ${`http://${tenant.tenantId}.example:7300`}, title_zh = '某区招聘', title_en = 'Some district', contact = '不可见' where tenant_id = ${tenant.tenantId}`,
      ),
    )
    const byDomain = await t.anonymous().get('/blade-system/tenant/info', { query: { domain: `http://${tenant.tenantId}.example:7300` } })
    expect(byDomain.body.data).toEqual({
      tenantId: tenant.tenantId,
      domain: `http://${tenant.tenantId}.example:7300`,
      domainUrl: `http://${tenant.tenantId}.example:7300`,
      backgroundUrl: '',
      logoUrl: '',
      title: { zh: '某区招聘', en: 'Some district' },
    })
    // [21.10] a whole address, as a browser shows it, is one too.
    for (const domain of [`HTTP://${tenant.tenantId.toUpperCase()}.Example:7300/login?next=%2F#top`, `${tenant.tenantId}.example.:7300/`])
      expect((await t.anonymous().get('/blade-system/tenant/info', { query: { domain } })).body.data).toEqual(byDomain.body.data)
    expect((await t.anonymous().get('/blade-system/tenant/info', { query: { domain: 'http://nobody.example' } })).body.data).toEqual({})
    const first = await t.anonymous().get('/blade-system/tenant/info')
    expect(first.body.data).toMatchObject({
      tenantId: '000000',
      title: { zh: '区卫生健康系统人才招聘平台', en: 'District Health System Talent Recruitment Platform' },
    })
  })

  test('[S3.06][S7.18][S7.30] a dictionary by code: sealed entries and the group row are left out', async () => {
    const tenant = await t.tenant()
    const read = async (code: string) =>
      (await t.anonymous(tenant.tenantId).get('/blade-system/dict-biz/dictionary', { query: { code } })).body.data
    expect(
      (await read('sex')).map((one: { dictKey: string; dictValue: string; dictValueEn: string }) => [
        one.dictKey,
        one.dictValue,
        one.dictValueEn,
      ]),
    ).toEqual([
      ['1', '男', 'Male'],
      ['2', '女', 'Female'],
    ])
    await tenant.db(db => db.run(sql`update dict_biz set is_sealed = 1 where code = 'sex' and dict_key = '2'`))
    expect((await read('sex')).length).toBe(1)
    expect((await read('nation')).length).toBeGreaterThan(55)
    expect(await read('nothing')).toEqual([])
  })

  test('[S7.30] schools are found by part of a name, a former name and a code; regions level by level', async () => {
    const tenant = await t.tenant()
    await t.app.services.scopes.tx(systemOf(tenant.tenantId), t.clock.now(), seedSchools)
    const candidate = await tenant.candidate()
    const names = async (keyword: string): Promise<string[]> =>
      (await candidate.get('/blade-school/school/list', { query: { keyword } })).body.data.map(
        (school: { schoolName: string }) => school.schoolName,
      )
    expect(await names('新疆医科')).toContain('新疆医科大学')
    expect(await names('4111010001')).toEqual(['北京大学'])
    expect((await names('医')).length).toBe(20)
    expect(await names('%')).toEqual([])
    const regions = async (code?: string) => (await t.anonymous().get('/blade-system/region/select', { query: { code } })).body.data
    expect((await regions()).length).toBe(34)
    expect((await regions('330000')).map((region: { name: string }) => region.name)).toContain('杭州市')
  })

  test('[S7.43] own notices: unread first counted, read one and all, confirmed once; nobody else’s', async () => {
    const tenant = await t.tenant()
    const [one, other] = [await tenant.candidate(), await tenant.candidate()]
    await tenant.db(async db => {
      for (const [key, person, needSure] of [
        ['a', one, true],
        ['b', one, false],
        ['c', other, false],
      ] as const)
        await t.app.modules.message.notify(db, {
          userId: person.userId,
          examId: null,
          kind: 7,
          title: { zh: `通知${key}`, en: `Notice ${key}` },
          content: { zh: '内容', en: 'Content' },
          link: '',
          needSure,
          eventKey: key,
        })
      expect(
        await t.app.modules.message.notify(db, {
          userId: one.userId,
          examId: null,
          kind: 7,
          title: { zh: '又一次', en: 'Again' },
          content: { zh: '', en: '' },
          link: '',
          eventKey: 'a',
        }),
      ).toBe(false)
    })
    const list = await one.get('/me/messages')
    expect(list.body.data).toMatchObject({
      total: 2,
      unreadCount: 2,
      records: [{ title: '通知a', needSure: true, sureTime: null }, { title: '通知b' }],
    })
    const [first] = list.body.data.records
    expect((await other.post('/blade-exam/examination/sureNotify', { query: { id: first.id } })).status).toBe(404)
    expect((await one.post('/blade-exam/examination/sureNotify', { query: { id: first.id } })).body.data.sureTime).toBe(
      '2026-03-17 10:00:00',
    )
    expect((await one.post('/blade-exam/examination/readNotify', { query: { all: 1 } })).body.data).toEqual({ unreadCount: 0 })
    expect((await other.get('/me/messages')).body.data.unreadCount).toBe(1)
  })
})
