import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import type { RoleAlias } from '../../../seed/base/menus.ts'
import { type Person, startTestApp, type TestApp, type TestTenant } from '../../support/app.ts'
import { buildExam } from '../../support/factories.ts'
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

const scopes = '/blade-system/data-scope'
const posts = '/blade-system/post'
const rule = (json: object, by = keeper) =>
  by.post(`${scopes}/submit`, { json: { scopeName: '范围', resourceCode: 'post', scopeType: 2, remark: '', ...json } })
const made = async (json: object): Promise<string> => (await rule(json)).body.data.id
/** A role of the seed that holds exactly these buttons and data scopes. */
const role = async (alias: RoleAlias, codes: readonly string[], dataScopes: readonly string[] = []) => {
  await tenant.db(async db => {
    const its = sql`(select id from role where role_alias = ${alias})`
    await db.run(sql`delete from role_menu where role_id = ${its}`)
    await db.run(
      sql`insert into role_menu (tenant_id, role_id, menu_id) select ${tenant.tenantId}, ${its}, id from menu where code = any(${[...codes]})`,
    )
    await db.run(sql`delete from role_data_scope where role_id = ${its}`)
    await db.run(
      sql`insert into role_data_scope (tenant_id, role_id, scope_id) select ${tenant.tenantId}, ${its}, id from unnest(${[...dataScopes]}::bigint[]) as s(id)`,
    )
  })
  await t.app.catchUp()
}
const crud = ['post_view', 'post_add', 'post_edit', 'post_delete', 'post_export']
const add = async (by: Person, postCode: string, sort = 1, category = '1'): Promise<string> =>
  (await by.post(`${posts}/submit`, { json: { category, postCode, postName: postCode, sort } })).body.data.id
const codesOf = async (by: Person, query: object = {}): Promise<string[]> =>
  (await by.get(`${posts}/list`, { query: { ascs: 'postCode', ...query } })).body.data.records.map(
    (row: { postCode: string }) => row.postCode,
  )
const seen = async (by: Person) => {
  const { body } = await by.get(`${posts}/list`, { query: { ascs: 'postCode' } })
  return { codes: body.data.records.map((row: { postCode: string }) => row.postCode), total: body.data.total }
}
const intoDepartment = async (person: Person, deptId: string) => {
  await tenant.db(async db => {
    await db.run(sql`update account set dept_id = ${deptId} where id = ${person.userId}`)
    await db.run(sql`update session set dept_id = ${deptId}, role_ids = role_ids where user_id = ${person.userId}`)
  })
  await t.app.catchUp()
}
const department = async (name: string, above: readonly string[] = []): Promise<string> =>
  (
    await tenant.rows(sql<{ id: string }>`
      insert into dept (tenant_id, parent_id, ancestor_ids, dept_name, full_name, dept_category, sort)
      values (${tenant.tenantId}, ${above.at(-1) ?? '0'}, ${[...above]}::bigint[], ${name}, ${name}, 1, 1) returning id::text as id`)
  )[0]?.id ?? ''

describe('[S7.15] data scopes narrow every way to a row', () => {
  test('2, own: list, total, search, detail, export, edit and removal, ids in a batch too', async () => {
    const office = await tenant.staff('admin')
    await add(office, 'X1')
    const own = await made({ scopeType: 2 })
    await role('school', crud, [own])
    const clerk = await tenant.staff('school')
    const mine = await add(clerk, 'M1')
    const theirs = await add(office, 'X2')
    expect(await seen(clerk)).toEqual({ codes: ['M1'], total: 1 })
    expect(await codesOf(clerk, { postCode: 'X' })).toEqual([])
    expect((await clerk.get(`${posts}/detail`, { query: { id: theirs } })).status).toBe(404)
    expect((await clerk.post(`${posts}/submit`, { json: { id: theirs, postName: '改' } })).status).toBe(404)
    expect((await clerk.post(`${posts}/remove`, { query: { ids: `${mine},${theirs}` } })).status).toBe(404)
    expect((await clerk.post(`${posts}/remove`, { query: { ids: theirs } })).status).toBe(404)
    expect((await clerk.get(`${posts}/export`)).status).toBe(200)
    const exported = await tenant.rows(
      sql<{ rows: number }>`select (after_value->>'rows')::int as rows from audit_log where action = 'post.exported'`,
    )
    expect(exported).toEqual([{ rows: 1 }])
    // The office is not narrowed, and nothing of what was refused has happened.
    expect(await codesOf(office)).toEqual(['M1', 'X1', 'X2'])
    expect((await office.get(`${posts}/detail`, { query: { id: theirs } })).body.data).toMatchObject({ postName: 'X2', version: 0 })
  })

  test('3 and 4, department: its people’s rows, with 4 also of those below, at any depth', async () => {
    const top = await department('局')
    const middle = await department('科', [top])
    const low = await department('组', [top, middle])
    const side = await department('他科', [top])
    const office = await tenant.staff('admin')
    const people = await Promise.all([middle, low, side].map(async dept => [dept, await tenant.staff('admin')] as const))
    for (const [dept, person] of people) await intoDepartment(person, dept)
    await add(office, 'NONE')
    for (const [at, name] of ['MID', 'LOW', 'SIDE'].entries()) await add(people[at]?.[1] ?? office, name)
    const [three, four] = [await made({ scopeType: 3 }), await made({ scopeType: 4 })]
    const clerk = await tenant.staff('school')
    await role('school', crud, [three])
    expect(await codesOf(clerk)).toEqual([])
    await intoDepartment(clerk, middle)
    expect(await codesOf(clerk)).toEqual(['MID'])
    await role('school', crud, [four])
    expect(await codesOf(clerk)).toEqual(['LOW', 'MID'])
    await intoDepartment(clerk, `${low},${side}`)
    expect(await codesOf(clerk)).toEqual(['LOW', 'SIDE'])
    // A department of the same number elsewhere is another one.
    const stranger = await (await t.tenant()).staff('admin')
    await add(stranger, 'ELSEWHERE')
    expect(await codesOf(clerk)).toEqual(['LOW', 'SIDE'])
  })

  test('5, conditions: each operator and variable as data, all of one rule together', async () => {
    const office = await tenant.staff('admin')
    for (const [code, sort, category] of [
      ['A1', 1, '1'],
      ['A2', 5, '1'],
      ['B1', 9, '2'],
      ["O'Neil", 3, '2'],
    ] as const)
      await add(office, code, sort, category)
    const clerk = await tenant.staff('school', { userCode: 'B1' })
    const withRule = async (...scopeValue: object[]): Promise<string[]> => {
      await role('school', crud, [await made({ scopeType: 5, scopeValue })])
      return codesOf(clerk)
    }
    expect(await withRule({ field: 'postCode', operator: 'like', values: ['A'] })).toEqual(['A1', 'A2'])
    expect(await withRule({ field: 'postCode', operator: 'like', values: ['%'] })).toEqual([])
    expect(await withRule({ field: 'postCode', operator: 'eq', values: ["O'Neil"] })).toEqual(["O'Neil"])
    expect(await withRule({ field: 'sort', operator: 'ge', values: ['3'] }, { field: 'sort', operator: 'le', values: ['5'] })).toEqual([
      'A2',
      "O'Neil",
    ])
    expect(await withRule({ field: 'category', operator: 'in', values: ['2', '7'] })).toEqual(['B1', "O'Neil"])
    expect(await withRule({ field: 'category', operator: 'notIn', values: ['2'] })).toEqual(['A1', 'A2'])
    expect(
      await withRule({ field: 'postCode', operator: 'ne', values: ['A1'] }, { field: 'category', operator: 'eq', values: ['1'] }),
    ).toEqual(['A2'])
    expect(await withRule({ field: 'remark', operator: 'notEmpty' })).toEqual([])
    expect(await withRule({ field: 'remark', operator: 'empty' })).toHaveLength(4)
    expect(await withRule({ field: 'postCode', operator: 'in', variable: 'userCodes' })).toEqual(['B1'])
    expect(await withRule({ field: 'postCode', operator: 'eq', variable: 'account' })).toEqual([])
    // A stored rule that nobody could have written shows nothing instead of everything.
    await tenant.rows(sql`update data_scope set scope_value = '[{"field":"sort) or (1=1","operator":"eq","values":["1"]}]'`)
    expect(await codesOf(clerk)).toEqual([])
    await tenant.rows(sql`update data_scope set scope_value = '[]'`)
    expect(await codesOf(clerk)).toEqual([])
  })

  test('a day that no calendar has is refused, and one that is stored all the same hides rows instead of stopping the list', async () => {
    const about = (field: string, value: string, resourceCode: string) =>
      rule({ resourceCode, scopeType: 5, scopeValue: [{ field, operator: 'ge', values: [value] }] })
    for (const [field, value, noun] of [
      ['bornFrom', '2026-02-31', 'typecode'],
      ['bornFrom', '2026-13-01', 'typecode'],
      ['bornFrom', '0000-01-01', 'typecode'],
      ['startTime', '2026-02-28 24:00:01', 'examitem'],
    ] as const)
      expect((await about(field, value, noun)).body.data.fields).toMatchObject([{ field: 'scopeValue' }])
    const [good, same] = [
      (await about('bornFrom', '2024-02-29', 'typecode')).body.data.id,
      (await about('bornFrom', '2024-03-01', 'typecode')).body.data.id,
    ]
    await buildExam(tenant)
    await tenant.db(db =>
      db.run(sql`update data_scope set scope_value = replace(scope_value::text, '2024-03-01', '2024-02-31')::jsonb where id = ${same}`),
    )
    await role('school', ['typecode_view'], [same, good])
    const reader = await tenant.staff('school')
    const list = await reader.get('/blade-typeCode/typecode/list')
    expect([list.status, list.body.data?.total]).toEqual([200, 0])
  })

  test('a condition on what is kept sealed is refused, and one from before that hides rows instead of stopping the list', async () => {
    const about = (field: string) => rule({ resourceCode: 'jobserver', scopeType: 5, scopeValue: [{ field, operator: 'notEmpty' }] })
    expect((await about('jobAppPassword')).body.data.fields).toMatchObject([{ field: 'scopeValue' }])
    const id = (await about('jobServerName')).body.data.id
    await tenant.db(db =>
      db.run(
        sql`insert into job_server (tenant_id, job_server_name, job_server_url, job_app_name) values (${tenant.tenantId}, '甲', 'http://a', 'a')`,
      ),
    )
    await role('school', ['jobserver_view'], [id])
    const reader = await tenant.staff('school')
    const list = async () => {
      const { status, body } = await reader.get('/blade-job/job-server/list')
      return [status, body.data?.records.some((row: { jobServerName: string }) => row.jobServerName === '甲')]
    }
    expect(await list()).toEqual([200, true])
    await tenant.db(db =>
      db.run(
        sql`update data_scope set scope_value = replace(scope_value::text, 'jobServerName', 'jobAppPassword')::jsonb where id = ${id}`,
      ),
    )
    await t.app.catchUp()
    expect(await list()).toEqual([200, false])
  })

  test('[S7.05] nobody writes a row out of their own reach', async () => {
    await role('school', crud, [await made({ scopeType: 5, scopeValue: [{ field: 'category', operator: 'eq', values: ['1'] }] })])
    const clerk = await tenant.staff('school')
    const mine = await add(clerk, 'M1')
    const refused = await clerk.post(`${posts}/submit`, { json: { category: '2', postCode: 'M2', postName: 'M2', sort: 1 } })
    expect([refused.status, refused.body.reason]).toEqual([403, 'kernel/out-of-scope'])
    expect((await clerk.post(`${posts}/submit`, { json: { id: mine, category: '2' } })).body.reason).toBe('kernel/out-of-scope')
    expect(await tenant.rows(sql<object>`select post_code as code, category from post where not is_deleted`)).toEqual([
      { code: 'M1', category: '1' },
    ])
  })

  test('[PF 16] several roles add up, in any order; a role without a rule sees all, one that may not look adds nothing', async () => {
    const office = await tenant.staff('admin')
    for (const code of ['A1', 'B1', 'C1']) await add(office, code)
    const like = (word: string) => made({ scopeType: 5, scopeValue: [{ field: 'postCode', operator: 'like', values: [word] }] })
    const [a, b, all] = [await like('A'), await like('B'), await made({ scopeType: 1 })]
    const two = await tenant.staff(['school', 'site'])
    await role('school', crud, [a])
    await role('site', crud, [b])
    expect(await codesOf(two)).toEqual(['A1', 'B1'])
    await role('site', [], [])
    expect(await codesOf(two)).toEqual(['A1'])
    await role('site', ['post_view'], [])
    expect(await codesOf(two)).toEqual(['A1', 'B1', 'C1'])
    await role('site', [], [all])
    expect(await codesOf(two)).toEqual(['A1', 'B1', 'C1'])
  })

  test('sign-ups: one rule holds in lists, counts, statistics, detail, reveal, export and decisions', async () => {
    const exam = await buildExam(tenant)
    const [inside, outside] = await insertSignups(tenant, exam.examId, [
      { code: 'B001', type: 'B', unit: 'H01', examine: 'waiting' },
      { code: 'A002', type: 'A', unit: 'H02', examine: 'waiting' },
    ])
    const scope = await made({ resourceCode: 'signup', scopeType: 5, scopeValue: [{ field: 'unit', operator: 'in', values: ['H01'] }] })
    const before = await tenant.rows(sql<{ code: string }>`
      select m.code from role_menu rm join menu m on m.id = rm.menu_id where rm.role_id = (select id from role where role_alias = 'exam_admin')`)
    const officer = await tenant.staff('exam_admin')
    const states = async (ids: readonly (string | undefined)[], path: string, key: string) =>
      Promise.all(ids.map(async id => (await officer.get(path, { query: { [key]: id } })).status))
    const ids = [inside?.id, outside?.id]
    expect(await states(ids, '/blade-signup/signup/detail', 'id')).toEqual([200, 200])
    await role(
      'exam_admin',
      before.map(row => row.code),
      [scope],
    )
    expect(await states(ids, '/blade-signup/signup/detail', 'id')).toEqual([200, 404])
    expect(await states(ids, '/blade-signup/examine/getExamineInfo', 'signUpId')).toEqual([200, 404])
    const list = (await officer.get('/blade-signup/examine/getExamineList', { query: { examId: exam.examId } })).body.data
    expect([list.total, list.records.map((row: { id: string }) => row.id)]).toEqual([1, [inside?.id]])
    const units = (await officer.get('/blade-signup/examine/getExamUnits', { query: { examId: exam.examId } })).body.data
    expect(JSON.stringify(units)).not.toContain('H02')
    const figures = (await officer.get('/blade-signup/statistics/getBmrsForType', { query: { examId: exam.examId } })).body.data
    expect(figures.reduce((sum: number, row: { num: number }) => sum + row.num, 0)).toBe(1)
    expect((await officer.post('/blade-signup/signup/exportSignUp', { json: { examId: exam.examId } })).status).toBe(200)
    const [line] = await tenant.rows(sql<{ rows: number }>`
      select (after_value->>'rows')::int as rows from audit_log where action = 'signup.exported' order by id desc limit 1`)
    expect(line).toEqual({ rows: 1 })
    const decided = await officer.post('/blade-signup/examine/examine', {
      json: { signUpId: outside?.id, examineResult: 1, signVersion: 1 },
    })
    expect(decided.status).toBe(404)
    expect(await tenant.rows(sql`select examine from signup where id = ${outside?.id}`)).toEqual([{ examine: 'waiting' }])
  })
})

describe('[S7.15] the rules themselves', () => {
  test('a role of the tenant’s own sees the sign-ups that its rules name, all with a rule for all, and none without one', async () => {
    const exam = await buildExam(tenant)
    const [inside, outside] = await insertSignups(tenant, exam.examId, [
      { code: 'B001', type: 'B', unit: 'H01', examine: 'waiting' },
      { code: 'A002', type: 'A', unit: 'H02', examine: 'waiting' },
    ])
    const person = await tenant.staff('school')
    const [own] = await tenant.rows(sql<{ id: string }>`
      insert into role (tenant_id, role_name, role_alias) values (${tenant.tenantId}, '窗口', 'desk') returning id::text as id`)
    await tenant.db(async db => {
      await db.run(
        sql`insert into role_menu (tenant_id, role_id, menu_id) select ${tenant.tenantId}, ${own?.id}, id from menu where code = any('{signup_view,examine_view}')`,
      )
      await db.run(sql`update account_role set role_id = ${own?.id} where user_id = ${person.userId}`)
      await db.run(sql`update session set role_ids = ${JSON.stringify([own?.id])} where user_id = ${person.userId}`)
    })
    const hold = async (scopeId?: string) => {
      await tenant.db(async db => {
        await db.run(sql`delete from role_data_scope where role_id = ${own?.id}`)
        if (scopeId !== undefined)
          await db.run(sql`insert into role_data_scope (tenant_id, role_id, scope_id) values (${tenant.tenantId}, ${own?.id}, ${scopeId})`)
      })
      await t.app.catchUp()
    }
    const details = () =>
      Promise.all([inside, outside].map(async row => (await person.get('/blade-signup/signup/detail', { query: { id: row?.id } })).status))
    const total = async () => (await person.get('/blade-signup/examine/getExamineList', { query: { examId: exam.examId } })).body.data.total
    await hold()
    expect([await details(), await total()]).toEqual([[404, 404], 0])
    await hold(await made({ resourceCode: 'signup', scopeType: 5, scopeValue: [{ field: 'unit', operator: 'in', values: ['H01'] }] }))
    expect([await details(), await total()]).toEqual([[200, 404], 1])
    await hold(await made({ resourceCode: 'signup', scopeType: 1 }))
    expect([await details(), await total()]).toEqual([[200, 200], 2])
    // Beside a role of the program the codes of the account narrow it as ever.
    await tenant.db(async db => {
      await db.run(
        sql`insert into account_role (tenant_id, user_id, role_id) select ${tenant.tenantId}, ${person.userId}, id from role where role_alias = 'unit_hr'`,
      )
      await db.run(
        sql`update session set role_ids = (select jsonb_agg(role_id::text) from account_role where user_id = ${person.userId}) where user_id = ${person.userId}`,
      )
    })
    await t.app.catchUp()
    expect([await details(), await total()]).toEqual([[404, 404], 0])
  })

  test('are made of what is offered, refused in words, forgotten with their grants, and never seen across tenants', async () => {
    const targets = (await keeper.get(`${scopes}/targets`)).body.data
    expect(targets.map((target: { code: string }) => target.code)).toEqual(expect.arrayContaining(['post', 'typecode', 'signup', 'result']))
    expect(targets.map((target: { code: string }) => target.code)).not.toContain('datascope')
    expect((await rule({ resourceCode: 'role' })).body.msg).toBe('业务对象不存在')
    expect((await rule({ resourceCode: 'signup', scopeType: 2 })).body.msg).toBe('这个业务对象不支持这种范围')
    expect((await rule({ scopeType: 5 })).body.msg).toBe('请至少添加一个条件')
    expect((await rule({ scopeType: 5, scopeValue: [{ field: 'tenantId', operator: 'eq', values: ['x'] }] })).body.msg).toBe(
      '第 1 个条件：字段不存在',
    )
    expect((await rule({ scopeType: 6 })).status).toBe(400)
    const id = await made({ scopeType: 2 })
    await role('school', crud, [id])
    const clerk = await tenant.staff('school')
    await add(await tenant.staff('admin'), 'X1')
    expect(await codesOf(clerk)).toEqual([])
    expect((await keeper.get(`${scopes}/detail`, { query: { id } })).body.data).toMatchObject({
      scopeType: 2,
      scopeValue: [],
      resourceCode: 'post',
    })
    const stranger = await (await t.tenant()).staff('secadmin')
    expect((await stranger.get(`${scopes}/detail`, { query: { id } })).status).toBe(404)
    expect((await stranger.post(`${scopes}/remove`, { query: { ids: id } })).status).toBe(404)
    expect((await rule({}, await tenant.staff('exam_admin'))).status).toBe(403)
    // PF 50: gone with what was granted of it.
    expect((await keeper.post(`${scopes}/remove`, { query: { ids: id } })).status).toBe(200)
    expect(await tenant.rows(sql`select 1 from role_data_scope`)).toEqual([])
    await t.app.catchUp()
    expect(await codesOf(clerk)).toEqual(['X1'])
  })

  test('[PF 10] somebody who sees part of a noun does not give all of it to a role below', async () => {
    await role('school', ['role_view', 'role_setting', 'post_view', 'post_add'], [await made({ scopeType: 2 })])
    const lead = await tenant.staff('school')
    const ids = await tenant.rows(
      sql<{ id: string; code: string }>`select id::text as id, code from menu where code = any('{post_view,post_add}')`,
    )
    const [below] = await tenant.rows(sql<{ id: string }>`
      insert into role (tenant_id, parent_id, role_name, role_alias) select ${tenant.tenantId}, id, '下级', 'under' from role where role_alias = 'school' returning id::text as id`)
    const grant = (codes: readonly string[]) =>
      lead.post('/blade-system/role/grant', {
        json: { roleIds: [below?.id], menuIds: ids.filter(row => codes.includes(row.code)).map(row => row.id) },
      })
    expect((await grant(['post_view'])).body.reason).toBe('role/beyond-own')
    expect((await grant(['post_add'])).body.data).toEqual({ changed: 1 })
    const [scope] = await tenant.rows(sql<{ id: string }>`select id::text as id from data_scope`)
    const withScope = await lead.post('/blade-system/role/grant', {
      json: { roleIds: [below?.id], menuIds: [], dataScopeIds: [scope?.id] },
    })
    expect(withScope.body.reason).toBe('role/scopes-by-keepers')
  })
})

test('[PF 2][PF 4][PF 5][PF 33][V5] in a sort, a value, the name of a parameter and a key of a condition there is no query to write', async () => {
  await made({ scopeName: '甲' })
  await made({ scopeName: '乙' })
  const hostile = ["1' or '1'='1", 'id; drop table role', '(select 1)', 'case when 1=1 then id else sort end', '1=1--', '"', '\\', '%']
  const lists = [scopes, '/blade-system/api-scope', '/blade-system/scope', '/blade-system/role', '/blade-system/menu'].map(
    path => `${path}/list`,
  )
  for (const path of lists)
    for (const text of hostile) {
      const whole = await keeper.get(path)
      const answers = [await keeper.get(path, { query: { ascs: text, descs: text } })]
      const unknown = await keeper.get(path, { query: { [`scopeName) or (${text}`]: '1', [text]: '1', [`${text}_equal`]: text } })
      const named = path.includes('scope')
        ? ['scopeName', 'resourceCode']
        : path.includes('role')
          ? ['roleName', 'roleAlias']
          : ['name', 'code']
      const valued = await keeper.get(path, { query: Object.fromEntries(named.map(name => [name, text])) })
      expect([path, text, ...answers.map(answer => answer.status), unknown.status, valued.status]).toEqual([path, text, 200, 400, 200])
      for (const answer of answers) expect(JSON.stringify(answer.body.data).length).toBe(JSON.stringify(whole.body.data).length)
    }
  for (const key of hostile)
    expect((await rule({ scopeType: 5, scopeValue: [{ field: 'sort', operator: 'eq', values: ['1'], [key]: '1' }] })).status).toBe(400)
  expect((await tenant.rows(sql<{ n: number }>`select count(*)::int as n from role`))[0]?.n).toBeGreaterThan(10)
})

describe('[S7.15][S6.03] API scopes', () => {
  const calls = '/blade-system/api-scope'
  const keep = (scopeMethod: string, scopePath: string) =>
    keeper.post(`${calls}/submit`, { json: { scopeName: '保留', scopeMethod, scopePath, remark: null } })

  test('keep one exact call for the roles that hold them, beside its permission code', async () => {
    await role('school', crud)
    await role('site', crud)
    const [one, other] = [await tenant.staff('school'), await tenant.staff('site')]
    const mine = await add(one, 'M1')
    const { id } = (await keep('POST', `${posts}/remove`)).body.data
    expect((await keeper.get(`${calls}/detail`, { query: { id } })).body.data).toMatchObject({ resourceCode: 'post_delete' })
    expect((await keeper.get(`${calls}/calls`)).body.data).toContainEqual({
      method: 'POST',
      path: `${posts}/remove`,
      codes: ['post_delete'],
      isScoped: true,
    })
    await t.app.catchUp()
    const remove = (by: Person) => by.post(`${posts}/remove`, { query: { ids: '1' } })
    expect([(await remove(one)).status, (await remove(other)).status]).toEqual([403, 403])
    // The same place in other spellings, and the calls beside it.
    expect((await one.get(`${posts}/detail`, { query: { id: mine } })).status).toBe(200)
    expect((await one.post(`${posts}/submit`, { json: { id: mine, postName: '改' } })).status).toBe(200)
    await tenant.rows(
      sql`insert into role_api_scope (tenant_id, role_id, scope_id) select ${tenant.tenantId}, id, ${id} from role where role_alias = 'school'`,
    )
    await t.app.catchUp()
    expect([(await remove(one)).status, (await remove(other)).status]).toEqual([404, 403])
    // The scope opens nothing that the code keeps closed.
    await role('school', ['post_view'])
    expect((await remove(one)).status).toBe(403)
    await keeper.post(`${calls}/remove`, { query: { ids: id } })
    await t.app.catchUp()
    expect((await remove(other)).status).toBe(404)
  })

  test('name a call exactly: no part of a path, no other spelling, none that everybody needs', async () => {
    const wrong = '没有这个接口，方法和地址须完全一致'
    for (const [method, path, msg] of [
      ['POST', '/blade-system/post', wrong],
      ['POST', `${posts}/remove/`, wrong],
      ['POST', '/blade-system/POST/remove', wrong],
      ['GET', `${posts}/remove`, wrong],
      ['POST', '%', wrong],
      ['GET', '/blade-system/menu/routes', '这个接口对所有登录人员开放，不能限定'],
      ['POST', '/blade-auth/oauth/token', '这个接口对所有登录人员开放，不能限定'],
    ] as const)
      expect([path, (await keep(method, path)).body.msg]).toEqual([path, msg])
  })

  test('never close the way back: what sets them and gives them to roles stays open', async () => {
    for (const [method, path] of [
      ['POST', '/blade-system/role/grant'],
      ['GET', '/blade-system/role/list'],
      ['GET', '/blade-system/menu/grant-tree'],
      ['GET', '/blade-system/menu/role-tree-keys'],
      ['GET', '/blade-system/role/role-tree-keys'],
      ['POST', `${calls}/submit`],
      ['POST', `${calls}/remove`],
      ['GET', `${calls}/list`],
      ['GET', `${calls}/detail`],
      ['GET', `${calls}/calls`],
    ] as const) {
      expect([path, (await keep(method, path)).body.data?.fields]).toMatchObject([path, [{ field: 'scopePath' }]])
      expect((await keeper.get(`${calls}/calls`)).body.data.filter((one: { path: string }) => one.path === path)).toEqual([])
    }
    expect((await keep('POST', '/blade-system/role/remove')).body.code).toBe(200)
  })

  test('both kinds stand in one list', async () => {
    await made({ scopeName: '甲' })
    await keep('POST', `${posts}/remove`)
    const list = (await keeper.get('/blade-system/scope/list')).body.data
    expect([list.total, list.records.map((row: { kind: string; scopePath: string }) => [row.kind, row.scopePath])]).toEqual([
      2,
      expect.arrayContaining([
        ['data', ''],
        ['api', `POST ${posts}/remove`],
      ]),
    ])
    expect((await keeper.get('/blade-system/scope/detail', { query: { id: list.records[0].id } })).body.data).toEqual(list.records[0])
  })
})

describe('[S7.15] what clients of the framework know scopes by', () => {
  const detail = async (at: string, id: string, language: 'zh' | 'en' = 'zh') =>
    (await keeper.get(`${at}/detail`, { query: { id }, language })).body.data
  test('a data scope tells column, fields and kind in words; sent back, as they came or not, they change nothing', async () => {
    const conditions = [{ field: 'postCode', operator: 'eq', values: ['X1'] }]
    const columns: unknown[] = []
    for (const [scopeType, scopeValue] of [[1], [2], [3], [4], [5, conditions]] as const) {
      const id = await made({ scopeType, scopeName: `第 ${scopeType} 种`, ...(scopeValue ? { scopeValue } : {}) })
      const { scopeColumn, scopeField, scopeClass, scopeTypeName } = await detail(scopes, id)
      columns.push([scopeColumn, scopeField, scopeClass, scopeTypeName, (await detail(scopes, id, 'en')).scopeTypeName])
    }
    expect(columns).toEqual([
      ['-', '*', '*', '全部数据', 'All rows'],
      ['create_user', '*', '*', '本人创建', 'Made by oneself'],
      ['create_dept', '*', '*', '本部门人员创建', 'Made by people of one’s department'],
      ['create_dept', '*', '*', '本部门及以下人员创建', 'Made by people of one’s department and below'],
      ['', '*', '*', '自定义条件', 'By conditions'],
    ])
    const id = await made({ scopeName: '来回' })
    const { scopeColumn, scopeField, scopeClass, scopeTypeName } = await detail(scopes, id)
    const back = await rule({ id, scopeName: '来回二', scopeColumn, scopeField, scopeClass, scopeTypeName })
    expect([back.status, (await detail(scopes, id)).scopeName]).toEqual([200, '来回二'])
    // The kind decides the column: another narrows nothing, and the answer goes on saying what holds.
    for (const [field, value] of [
      ['scopeColumn', 'dept_id'],
      ['scopeField', 'id,name'],
      ['scopeClass', 'com.example.PostMapper.page'],
    ] as const) {
      const shown = (await detail(scopes, id))[field]
      expect([(await rule({ id, [field]: value })).status, (await detail(scopes, id))[field]]).toEqual([200, shown])
    }
    expect((await rule({ scopeType: 5, scopeValue: '1 = 1' })).body.data.fields[0].field).toBe('scopeValue')
    expect((await detail(scopes, id)).version).toBe(4)
  })

  test('an API scope tells whether its call is about the program or about examinations', async () => {
    const at = '/blade-system/api-scope'
    const submit = (json: object) => keeper.post(`${at}/submit`, { json })
    const kinds: unknown[] = []
    for (const scopePath of ['/blade-system/post/list', '/blade-typeCode/typecode/list']) {
      const { id } = (await submit({ scopeName: scopePath, scopeMethod: 'GET', scopePath, remark: '' })).body.data
      const { scopeType, scopeTypeName } = await detail(at, id)
      kinds.push([scopeType, scopeTypeName])
      expect((await submit({ id, scopePath, scopeMethod: 'GET', scopeType, scopeTypeName })).status).toBe(200)
      expect((await submit({ id, scopeType: 3 - scopeType })).status).toBe(200)
      expect((await detail(at, id)).scopeType).toBe(scopeType)
    }
    expect(kinds).toEqual([
      [1, '系统接口'],
      [2, '业务接口'],
    ])
  })
})
