import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import type { RoleAlias } from '../../../seed/base/menus.ts'
import { type Person, startTestApp, type TestApp, type TestTenant } from '../../support/app.ts'
import { buildExam, makeDept } from '../../support/factories.ts'
import { logInByPassword, staffWithPassword } from '../../support/login.ts'
import { insertSignups } from '../../support/sign-up-rows.ts'

let t: TestApp
let tenant: TestTenant
let keeper: Person
beforeAll(async () => {
  t = await startTestApp()
})
afterAll(() => t.close())
beforeEach(async () => {
  tenant = await t.tenant()
  keeper = await tenant.staff('secadmin')
})

/** Makes a rule and gives it to a role of the seed. */
const rule = async (alias: RoleAlias, json: object): Promise<void> => {
  const made = await keeper.post('/blade-system/data-scope/submit', { json: { scopeName: '范围', remark: '', ...json } })
  expect(made.body.msg).toBe('操作成功')
  await tenant.db(db =>
    db.run(
      sql`insert into role_data_scope (tenant_id, role_id, scope_id) select ${tenant.tenantId}, id, ${made.body.data.id} from role where role_alias = ${alias}`,
    ),
  )
  await t.app.catchUp()
}
const units = (...values: string[]) => ({ scopeType: 5, scopeValue: [{ field: 'unit', operator: 'in', values }] })

describe('[S7.15][S7.19] accounts', () => {
  test('of one’s department and below: list, count, export, detail, choices, ids of bodies, and what is written', async () => {
    const top = await makeDept(tenant, '局')
    const [mine, other] = [await makeDept(tenant, '人事科', top), await makeDept(tenant, '财务科', top)]
    const below = await makeDept(tenant, '考务办', mine)
    const inside = await tenant.staff('finance', { deptId: below, realName: '内人' })
    const outside = await tenant.staff('finance', { deptId: other, realName: '外人' })
    await rule('admin', { resourceCode: 'user', scopeType: 4 })
    const clerk = await tenant.staff('admin', { deptId: mine, realName: '管理' })
    const page = (await clerk.get('/blade-system/user/page', { query: { size: 50 } })).body.data
    expect([page.total, page.records.map((row: { realName: string }) => row.realName).sort()]).toEqual([2, ['内人', '管理'].sort()])
    expect((await clerk.get('/blade-system/user/export-user')).status).toBe(200)
    const [line] = await tenant.rows(
      sql<{ rows: number }>`select (after_value->>'rows')::int as rows from audit_log where action = 'account.exported'`,
    )
    expect(line).toEqual({ rows: 2 })
    const detail = async (person: Person) => (await clerk.get('/blade-system/user/detail', { query: { id: person.userId } })).status
    expect([await detail(inside), await detail(outside)]).toEqual([200, 404])
    const lock = (ids: string) => clerk.post('/blade-system/user/lock', { json: { userIds: ids, reason: '核查' } })
    expect((await lock(`${inside.userId},${outside.userId}`)).status).toBe(404)
    expect((await clerk.post('/blade-system/user/remove', { query: { ids: outside.userId } })).status).toBe(404)
    expect((await clerk.post('/blade-system/user/reset-password', { query: { userIds: outside.userId } })).status).toBe(404)
    const edit = (person: Person, deptId: string) =>
      clerk.post('/blade-system/user/submit', { json: { id: person.userId, realName: '改名', deptId, version: 0 } })
    expect((await edit(outside, mine)).status).toBe(404)
    expect((await edit(inside, other)).body.data.fields).toMatchObject([{ field: 'deptId' }])
    const neu = (json: object) => clerk.post('/blade-system/user/submit', { json: { account: 'neu1', realName: '新人', ...json } })
    expect((await neu({ deptId: other })).body.data.fields).toMatchObject([{ field: 'deptId' }])
    expect((await neu({})).body.reason).toBe('kernel/out-of-scope')
    expect((await neu({ deptId: below })).body.code).toBe(200)
    const state = await tenant.rows(
      sql`select real_name as name, status, dept_id as dept, is_deleted as gone from account where id in (${inside.userId}, ${outside.userId}) order by id`,
    )
    expect(state).toEqual([
      { name: '内人', status: 1, dept: below, gone: false },
      { name: '外人', status: 1, dept: other, gone: false },
    ])
    expect((await edit(inside, mine)).body.code).toBe(200)
  })
})

describe('[S7.06][S7.15] who is there, who logs in, who is locked', () => {
  test('lists, details, workbooks and kicks keep to the accounts that a rule leaves', async () => {
    const [inside, outside] = [await staffWithPassword(t, tenant, 'finance'), await staffWithPassword(t, tenant, 'finance')]
    for (const { account } of [inside, outside]) {
      await logInByPassword(t, tenant.tenantId, account)
      for (let n = 0; n < 5; n += 1) await logInByPassword(t, tenant.tenantId, account, 'not-the-words-at-all')
    }
    const chief = await tenant.staff('admin')
    const lists = ['online', 'auth-log', 'auth-lock'] as const
    const seen = async () =>
      Promise.all(
        lists.map(async list => {
          const { records } = (await chief.get(`/blade-system/${list}/page`, { query: { size: 200 } })).body.data
          return [inside, outside].map(({ account }) => records.some((row: { account: string }) => row.account === account))
        }),
      )
    const both = [true, true]
    expect(await seen()).toEqual([both, both, both])
    const outsideLine = (await chief.get('/blade-system/auth-log/page', { query: { account: outside.account } })).body.data.records[0].id
    const outsideSession = (await chief.get('/blade-system/online/page', { query: { account: outside.account } })).body.data.records[0].id
    await rule('admin', {
      resourceCode: 'user',
      scopeType: 5,
      scopeValue: [{ field: 'account', operator: 'in', values: [inside.account] }],
    })
    const one = [true, false]
    expect(await seen()).toEqual([one, one, one])
    expect([
      (await chief.get('/blade-system/auth-log/detail', { query: { id: outsideLine } })).status,
      (await chief.get('/blade-system/auth-lock/detail', { query: { id: outside.userId } })).status,
      (await chief.get('/blade-system/auth-lock/detail', { query: { id: inside.userId } })).status,
      (await chief.post('/blade-system/online/kick', { query: { ids: outsideSession, reason: '演练' } })).status,
      (await chief.post('/blade-system/auth-lock/unlock', { json: { id: outside.userId, unlockReason: '演练' } })).status,
    ]).toEqual([404, 404, 200, 404, 404])
    // The rights of people out of reach are not looked at either.
    const watcher = await tenant.staff('auditor')
    const names = async () =>
      (await watcher.get('/blade-system/role/view-as-people', { query: { name: 'staff' } })).body.data.map((one: { id: string }) => one.id)
    expect(await names()).toEqual(expect.arrayContaining([inside.userId, outside.userId]))
    await rule('auditor', {
      resourceCode: 'user',
      scopeType: 5,
      scopeValue: [{ field: 'account', operator: 'in', values: [inside.account] }],
    })
    expect(await names()).toEqual([inside.userId])
    const looks = ['view-as', 'exportViewAs'].flatMap(call => [inside, outside].map(({ userId }) => [call, userId] as const))
    const answers = await Promise.all(looks.map(([call, userId]) => watcher.get(`/blade-system/role/${call}`, { query: { userId } })))
    expect(answers.map(answer => answer.status)).toEqual([200, 404, 200, 404])
    for (const list of ['auth-log', 'auth-lock']) await chief.get(`/blade-system/${list}/export`)
    // Of the one inside: a log-in, the wrong ones, and the lock they led to.
    expect(
      await tenant.rows(sql<object>`
        select action, (after_value->>'rows')::int as rows from audit_log where action in ('authlog.exported', 'authlock.exported') order by id`),
    ).toEqual([
      { action: 'authlog.exported', rows: 6 },
      { action: 'authlock.exported', rows: 1 },
    ])
  })
})

describe('[S7.15][S7.18] departments', () => {
  test('of one’s own and below: trees begin there, others are not there for any call', async () => {
    const top = await makeDept(tenant, '局')
    const [mine, other] = [await makeDept(tenant, '人事科', top), await makeDept(tenant, '财务科', top)]
    const below = await makeDept(tenant, '考务办', mine)
    await rule('admin', { resourceCode: 'dept', scopeType: 4 })
    const clerk = await tenant.staff('admin', { deptId: mine })
    const names = (nodes: readonly { title?: string; deptName?: string; children?: never[] }[]): unknown[] =>
      nodes.map(node => [node.title ?? node.deptName, ...(node.children ? [names(node.children)] : [])])
    const tree = async (path: string) => names((await clerk.get(`/blade-system/dept/${path}`)).body.data)
    expect([await tree('tree'), await tree('list'), await tree('lazy-tree'), await tree('lazy-list')]).toEqual([
      [['人事科', [['考务办']]]],
      [['人事科', [['考务办']]]],
      [['人事科']],
      [['人事科']],
    ])
    const detail = async (id: string) => (await clerk.get('/blade-system/dept/detail', { query: { id } })).status
    expect([await detail(below), await detail(other), await detail(top)]).toEqual([200, 404, 404])
    const submit = (json: object) =>
      clerk.post('/blade-system/dept/submit', { json: { deptName: '新科', fullName: '新科', deptCategory: 1, sort: 1, ...json } })
    expect((await submit({ id: other })).status).toBe(404)
    expect((await submit({ parentId: other })).body.data.fields).toMatchObject([{ field: 'parentId' }])
    expect((await submit({})).body.reason).toBe('kernel/out-of-scope')
    expect((await submit({ parentId: below })).body.code).toBe(200)
    expect((await clerk.post('/blade-system/dept/remove', { query: { ids: other } })).status).toBe(404)
    expect(await tenant.rows(sql`select 1 from dept where is_deleted or (dept_name = '新科' and parent_id <> ${below})`)).toEqual([])
  })
})

describe('[S7.15][S7.19] ids in bodies', () => {
  const world = async () => {
    const top = await makeDept(tenant, '局')
    const [mine, other] = [await makeDept(tenant, '人事科', top), await makeDept(tenant, '财务科', top)]
    for (const resourceCode of ['user', 'dept']) await rule('school', { resourceCode, scopeType: 4 })
    await rule('school', { resourceCode: 'post', scopeType: 2 })
    await tenant.db(db =>
      db.run(sql`
        insert into role_menu (tenant_id, role_id, menu_id) select ${tenant.tenantId}, r.id, m.id from role r, menu m
        where r.role_alias = 'school' and m.code = any('{user_view,user_add,user_edit,user_role,dept_view,dept_edit,post_view}')`),
    )
    const clerk = await tenant.staff('school', { deptId: mine, realName: '管理' })
    const inside = await tenant.staff('school', { deptId: mine, realName: '内人' })
    const save = async (json: object) => (await clerk.post('/blade-system/user/submit', { json })).body
    return { top, mine, other, clerk, inside, save }
  }

  test('nobody moves themselves to where they would see more, by department or by code', async () => {
    const { top, mine, clerk, save } = await world()
    await tenant.db(db =>
      db.run(sql`insert into user_code (tenant_id, code, name, code_kind) values (${tenant.tenantId}, 'H01', '一院', 1)`),
    )
    expect((await save({ id: clerk.userId, deptId: top })).reason).toBe('user/self')
    expect((await save({ id: clerk.userId, deptId: `${mine},${top}` })).reason).toBe('user/self')
    expect((await save({ id: clerk.userId, userCode: 'H01' })).reason).toBe('user/self')
    expect((await save({ id: clerk.userId, deptId: mine, userCode: '', realName: '新名' })).code).toBe(200)
    expect(
      await tenant.rows(sql`select dept_id as dept, user_code as code, real_name as name from account where id = ${clerk.userId}`),
    ).toEqual([{ dept: mine, code: null, name: '新名' }])
    // Rules of other nouns follow the department as well.
    await tenant.db(db => db.run(sql`update data_scope set is_deleted = true where resource_code in ('user', 'dept')`))
    await tenant.db(db => db.run(sql`update data_scope set scope_type = 4 where resource_code = 'post'`))
    await t.app.catchUp()
    expect((await save({ account: 'second', realName: '分身', deptId: top })).data.fields).toMatchObject([{ field: 'deptId' }])
    expect((await save({ account: 'second', realName: '分身', deptId: mine })).code).toBe(200)
  })

  test('departments, posts and leaders out of reach are not there; those that an account has already stay', async () => {
    const { top, mine, other, clerk, inside, save } = await world()
    const outside = await tenant.staff('finance', { deptId: other, realName: '外人' })
    const [post] = await tenant.rows(sql<{ id: string }>`
      insert into post (tenant_id, category, post_code, post_name, sort) values (${tenant.tenantId}, '1', 'P1', '主任', 1) returning id::text as id`)
    for (const deptId of [`${mine},${other}`, `${mine},${top}`])
      expect((await save({ id: inside.userId, deptId })).data.fields).toMatchObject([{ field: 'deptId' }])
    expect((await save({ id: inside.userId, postId: post?.id })).data.fields).toMatchObject([{ field: 'postId' }])
    await tenant.db(db =>
      db.run(sql`update account set dept_id = ${`${mine},${other}`}, post_id = ${post?.id} where id = ${inside.userId}`),
    )
    expect((await save({ id: inside.userId, deptId: `${mine},${other}`, postId: post?.id, realName: '改名' })).code).toBe(200)
    const lead = async (leaderId: string) =>
      (
        await clerk.post('/blade-system/dept/submit', {
          json: { id: mine, deptName: '人事科', fullName: '人事科', deptCategory: 1, sort: 1, leaderId },
        })
      ).body
    expect((await lead(outside.userId)).data.fields).toMatchObject([{ field: 'leaderId' }])
    expect((await lead(inside.userId)).code).toBe(200)
    // The department that the reach begins with stays below one out of reach.
    expect(await tenant.rows(sql`select parent_id::text as above from dept where id = ${mine}`)).toEqual([{ above: top }])
    await tenant.db(db => db.run(sql`update dept set leader_id = ${outside.userId} where id = ${mine}`))
    expect((await lead(`${outside.userId},${inside.userId}`)).code).toBe(200)
  })

  test('[PF 10] who sees part of a noun gives nobody a role that sees more of it', async () => {
    const { mine, inside, clerk, save } = await world()
    const [wide] = await tenant.rows(sql<{ id: string }>`
      insert into role (tenant_id, role_name, role_alias) values (${tenant.tenantId}, '全看', 'wide') returning id::text as id`)
    const hold = (codes: string) =>
      tenant.db(db =>
        db.run(
          sql`insert into role_menu (tenant_id, role_id, menu_id) select ${tenant.tenantId}, ${wide?.id}, id from menu where code = any(${codes}::text[])`,
        ),
      )
    const grant = async () =>
      (await clerk.post('/blade-system/user/grant', { query: { userIds: inside.userId, roleIds: wide?.id ?? '' } })).body
    await hold('{dept_edit}')
    expect((await grant()).code).toBe(200)
    await hold('{post_view}')
    expect((await grant()).reason).toBe('user/beyond-own')
    expect((await save({ account: 'zweit', realName: '新人', deptId: mine, roleId: wide?.id })).reason).toBe('user/beyond-own')
    const scopes = (where: string) =>
      tenant.db(db =>
        db.run(
          sql`insert into role_data_scope (tenant_id, role_id, scope_id) select ${tenant.tenantId}, ${wide?.id}, id from data_scope where scope_name = ${where} and resource_code = 'post'`,
        ),
      )
    await scopes('范围')
    expect((await grant()).code).toBe(200)
    await keeper.post('/blade-system/data-scope/submit', { json: { scopeName: '更宽', resourceCode: 'post', scopeType: 1, remark: '' } })
    await scopes('更宽')
    expect((await grant()).reason).toBe('user/beyond-own')
    const inEnglish = async () =>
      (
        await clerk.post('/blade-system/user/grant', {
          query: { userIds: inside.userId, roleIds: wide?.id ?? '' },
          language: 'en',
        })
      ).body.msg
    const told = (name: string) => `The role "${name}" holds rights that you do not have, so you can neither grant nor manage it`
    expect(await inEnglish()).toBe(told('wide'))
    await tenant.db(db => db.run(sql`update role set role_name_en = 'Sees all' where id = ${wide?.id}`))
    expect(await inEnglish()).toBe(told('Sees all'))
    expect((await grant()).msg).toBe('角色“全看”含有您没有的权限，不能由您授予或管理')
  })
})

describe('[S7.15] what belongs to a unit', () => {
  const world = async () => {
    const exam = await buildExam(tenant)
    const [inside, outside] = await insertSignups(tenant, exam.examId, [
      { code: 'B001', type: 'B', unit: 'H01', examine: 'waiting' },
      { code: 'A002', type: 'A', unit: 'H02', examine: 'waiting' },
    ])
    return { exam, ids: [inside?.id ?? '', outside?.id ?? ''] as const }
  }

  test('tickets: list, count, detail and change keep to the units, acts on the whole examination are refused', async () => {
    const { exam, ids } = await world()
    const paper = exam.papers['01']
    for (const [index, id] of ids.entries())
      await tenant.db(db =>
        db.run(sql`
          insert into ticket (tenant_id, exam_id, item_id, signup_id, user_id, ticket_no, site_code, site_name, room_no, seat_no, start_time, end_time, ticket_state, qr_token)
          select tenant_id, exam_id, ${paper}, id, user_id, ${`26030101217${index}`}, '01', '一中', '001', ${String(index)}, now(), now(), 'made', ${`${index}`.repeat(43)} from signup where id = ${id}`),
      )
    const officer = await tenant.staff('exam_admin')
    const list = async () => {
      const page = (await officer.get('/blade-exam/examination/getExamTicketList', { query: { examId: exam.examId } })).body.data
      return [page.total, page.records.map((row: { unit?: string; signUpId: string }) => row.signUpId)]
    }
    expect((await list())[0]).toBe(2)
    await rule('exam_admin', { resourceCode: 'ticket', ...units('H01') })
    expect(await list()).toEqual([1, [ids[0]]])
    const tickets = await tenant.rows(sql<{ id: string }>`select id::text as id from ticket order by ticket_no`)
    const info = async (id: string | undefined) => (await officer.get('/blade-exam/examination/getTicketInfo', { query: { id } })).status
    expect([await info(tickets[0]?.id), await info(tickets[1]?.id)]).toEqual([200, 404])
    const drop = await officer.post('/blade-exam/examination/delTicket', { json: { id: tickets[1]?.id, reason: '误' } })
    expect(drop.status).toBe(404)
    for (const [path, json] of [
      ['creTicketEnd', { examId: exam.examId, itemIds: paper }],
      ['releaseTickets', { examId: exam.examId, itemIds: paper, state: 1 }],
      ['delTicketList', { examId: exam.examId, itemId: paper, confirm: exam.examCode }],
    ] as const)
      expect([path, (await officer.post(`/blade-exam/examination/${path}`, { json })).body.reason]).toEqual([path, 'kernel/whole-needed'])
    expect(await tenant.rows(sql`select ticket_state as s from ticket`)).toEqual([{ s: 'made' }, { s: 'made' }])
  })

  test('dues: list, export, posting, refund and removal keep to the rule', async () => {
    const { exam, ids } = await world()
    for (const id of ids)
      await tenant.db(db =>
        db.run(sql`
          insert into exam_pay (tenant_id, exam_id, signup_id, user_id, item_id, pay_kind, pay_name, amount_fen, state, deadline, source)
          select tenant_id, exam_id, id, user_id, 0, 1, '报名费', 10000, 'due', now() + interval '30 days', 1 from signup where id = ${id}`),
      )
    const dues = await tenant.rows(
      sql<{ id: string }>`select p.id::text as id from exam_pay p join signup s on s.id = p.signup_id order by s.unit`,
    )
    await rule('finance', { resourceCode: 'exampay', ...units('H01') })
    const clerk = await tenant.staff('finance')
    const page = (await clerk.get('/blade-examPay/exampay/list')).body.data
    expect([page.total, page.records.map((row: { id: string }) => row.id)]).toEqual([1, [dues[0]?.id]])
    const exported = await clerk.get('/blade-exam/examination/getPayExcel', { query: { examId: exam.examId, kind: 'due' } })
    expect(exported.status).toBe(200)
    const [line] = await tenant.rows(
      sql<{ rows: number }>`select (after_value->>'rows')::int as rows from audit_log where action = 'exampay.exported'`,
    )
    expect(line).toEqual({ rows: 1 })
    const post = (payId: string | undefined) =>
      clerk.post('/blade-exam/examination/handleUp', {
        json: { payId, payWay: 3, amount: 10_000, paidTime: '2026-03-17 09:00:00', voucherNo: `V${payId}` },
      })
    expect([(await post(dues[0]?.id)).status, (await post(dues[1]?.id)).status]).toEqual([200, 404])
    expect((await clerk.post('/blade-exam/examination/backPay', { json: { payId: dues[1]?.id, reason: '误缴' } })).status).toBe(404)
    expect(await tenant.rows(sql`select state from exam_pay where id = ${dues[1]?.id}`)).toEqual([{ state: 'due' }])
  })

  test('[S7.51] figures: of payment by the rule on dues, of tickets by the rule on tickets, whoever has looked before', async () => {
    const { exam, ids } = await world()
    for (const [i, id] of ids.entries())
      await tenant.db(async db => {
        await db.run(sql`
          insert into exam_pay (tenant_id, exam_id, signup_id, user_id, item_id, pay_kind, pay_name, amount_fen, state, deadline, source)
          select tenant_id, exam_id, id, user_id, 0, 1, '报名费', ${10_000 + i}, 'due', now() + interval '30 days', 1 from signup where id = ${id}`)
        await db.run(sql`
          insert into ticket (tenant_id, exam_id, item_id, signup_id, user_id, ticket_no, site_code, site_name, room_no, seat_no, start_time, end_time, ticket_state, qr_token)
          select tenant_id, exam_id, ${exam.papers['01']}, id, user_id, ${`26030101218${i}`}, '01', '一中', '001', ${String(i)}, now(), now(), 'downloaded', ${`${i}`.repeat(43)} from signup where id = ${id}`)
      })
    const chief = await tenant.staff('admin')
    const duesSeen = async (by: Person) => {
      const { data } = (await by.get('/blade-signup/statistics/getPayByState', { query: { examId: exam.examId } })).body
      return data
        .filter((row: { num: number }) => row.num > 0)
        .map(({ state, num, amount }: Record<string, number>) => [state, num, amount])
    }
    const stage = async (by: Person, name: string) => {
      const { data } = (await by.post('/blade-signup/statistics/getStatisticsInfo', { json: { examId: exam.examId, dims: 'stage' } })).body
      return data.find((row: { stage: string }) => row.stage === name).num
    }
    const downloaded = (by: Person) => stage(by, 'downloaded')
    expect([await duesSeen(chief), await downloaded(chief)]).toEqual([[[1, 2, 20_001]], 2])
    await rule('finance', { resourceCode: 'exampay', ...units('H01') })
    const clerk = await tenant.staff('finance')
    expect(await duesSeen(clerk)).toEqual([[1, 1, 10_000]])
    await rule('auditor', { resourceCode: 'ticket', ...units('H02') })
    const watcher = await tenant.staff('auditor')
    expect([await downloaded(watcher), await duesSeen(watcher)]).toEqual([1, [[1, 2, 20_001]]])
    expect([await duesSeen(chief), await downloaded(chief)]).toEqual([[[1, 2, 20_001]], 2])
    // Who was paid for and who sat, in the funnel and the line.
    for (const id of ids)
      await tenant.db(async db => {
        await db.run(sql`update exam_pay set state = 'paid', paid_fen = amount_fen, paid_time = ${t.clock.now()} where signup_id = ${id}`)
        await db.run(sql`update signup set pay_state = 'paid' where id = ${id}`)
        await db.run(sql`
          insert into result (tenant_id, exam_id, item_id, signup_id, user_id, ticket_no, name, score, result_state, released, release_time)
          select tenant_id, exam_id, ${exam.papers['01']}, id, user_id, ${`T${id}`.slice(0, 20)}, '某', 60, 1, true, ${t.clock.now()} from signup where id = ${id}`)
      })
    const paidLine = async (by: Person) => {
      const { data } = (await by.get('/blade-signup/statistics/getNumToLine', { query: { examId: exam.examId, grain: 'hour' } })).body
      return data.paid.reduce((sum: number, n: number) => sum + n, 0)
    }
    await rule('exam_admin', { resourceCode: 'exampay', ...units('H01') })
    await rule('exam_admin', { resourceCode: 'result', ...units('H02') })
    const officer = await tenant.staff('exam_admin')
    t.clock.advance(60_000)
    const figures = async (by: Person) => [
      await stage(by, 'submitted'),
      await stage(by, 'paid'),
      await stage(by, 'attended'),
      await paidLine(by),
    ]
    expect([await figures(chief), await figures(officer)]).toEqual([
      [2, 2, 2, 2],
      [2, 1, 1, 1],
    ])
  })

  test('what waits on the first page is counted within the rules, as the lists behind it', async () => {
    const { ids } = await world()
    const entered = await tenant.staff('finance')
    for (const id of ids)
      await tenant.db(db =>
        db.run(sql`
          with due as (
            insert into exam_pay (tenant_id, exam_id, signup_id, user_id, item_id, pay_kind, pay_name, amount_fen, state, deadline, source)
            select tenant_id, exam_id, id, user_id, 0, 1, '报名费', 10000, 'due', now() + interval '30 days', 1 from signup where id = ${id} returning tenant_id, id)
          insert into pay_posting (tenant_id, pay_id, pay_way, amount_fen, paid_time, voucher_no, posted_by)
          select tenant_id, id, 'cash', 10000, now(), ${`V${id}`}, ${entered.userId} from due`),
      )
    const asking = await tenant.staff('finance')
    await tenant.db(db => db.run(sql`update account set status = 0 where id = ${asking.userId}`))
    const waiting = async (by: Person, key: string) =>
      (await by.get('/me/home')).body.data.todos.find((todo: { key: string }) => todo.key === key)?.count
    const [clerk, chief] = [await tenant.staff('finance'), await tenant.staff('admin')]
    expect([await waiting(clerk, 'postings'), await waiting(chief, 'registrations')]).toEqual([2, 1])
    await rule('finance', { resourceCode: 'exampay', ...units('H01') })
    await rule('admin', { resourceCode: 'user', scopeType: 5, scopeValue: [{ field: 'account', operator: 'eq', values: ['nobody'] }] })
    expect([await waiting(clerk, 'postings'), await waiting(chief, 'registrations')]).toEqual([1, 0])
  })

  test('bulk allotment hands out what is in reach, counts no other, and leaves reviewers to who sees all', async () => {
    const { exam, ids } = await world()
    await tenant.db(db => db.run(sql`update examination set allot_mode = 3 where id = ${exam.examId}`))
    const reviewer = await tenant.staff('reviewer1')
    const whole = await tenant.staff('exam_admin')
    const list = [{ userId: reviewer.userId, level: 1 }]
    expect((await whole.post('/blade-exam/examination/saveCheck', { json: { examId: exam.examId, list } })).body.code).toBe(200)
    await rule('exam_admin', { resourceCode: 'signup', ...units('H01') })
    const figures = (await whole.get('/blade-exam/examination/getExamAllot', { query: { examId: exam.examId } })).body.data
    expect([figures.pool, figures.allotted]).toEqual([1, 0])
    const done = (await whole.post('/blade-exam/examination/allotCheck', { json: { examId: exam.examId, mode: 3 } })).body.data
    expect([done.placed, done.unplacedCount]).toEqual([1, 0])
    expect(await tenant.rows(sql`select signup_id::text as id from examine_allot where state < 2`)).toEqual([{ id: ids[0] }])
    const saved = await whole.post('/blade-exam/examination/saveCheck', {
      json: { examId: exam.examId, list: [{ ...list[0], remove: 1 }] },
    })
    expect(saved.body.reason).toBe('kernel/whole-needed')
  })
})
