import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { type Answer, type Person, startTestApp, type TestApp, type TestTenant } from '../../support/app.ts'
import { sheetRows } from '../../support/sheet-text.ts'
import { workbook } from '../../support/workbook.ts'

let t: TestApp
let tenant: TestTenant
let admin: Person
let elsewhere: Person
beforeAll(async () => {
  t = await startTestApp()
  tenant = await t.tenant()
  admin = await tenant.staff('admin', { realName: '管理员' })
  elsewhere = await (await t.tenant()).staff('admin')
})
afterAll(() => t.close())

const rowsOf = (answer: Answer): Promise<readonly string[][]> => sheetRows(answer.raw)
const dept = async (deptName: string): Promise<string> =>
  (await admin.post('/blade-system/dept/submit', { json: { deptName, fullName: `${deptName}全称`, deptCategory: 2, sort: 1 } })).body.data
    .id
const linesOf = (action: string, of = tenant) =>
  of.rows(sql<{ userId: string; entityId: string; before: unknown; after: unknown }>`
    select user_id::text as "userId", entity_id as "entityId", before_value as before, after_value as after from audit_log where action = ${action} order by id`)

describe('[S7.19] calls on people', () => {
  test('a person’s answer has the words of its numbers, and whom they report to: other members of staff, whose names are seen as names are', async () => {
    const [boss, one] = [await tenant.staff('reviewer1', { realName: '科长丁' }), await tenant.staff('reviewer1', { realName: '组员戊' })]
    const save = (json: object, by = admin) => by.post('/blade-system/user/submit', { json: { id: one.userId, ...json } })
    const detail = async (language: 'zh' | 'en' = 'zh') =>
      (await admin.get('/blade-system/user/detail', { query: { id: one.userId }, language })).body.data
    expect((await save({ leaderId: boss.userId, sex: 2 })).status).toBe(200)
    const [{ name }] = (await tenant.rows(
      sql<{ name: string }>`select tenant_name as name from tenant where tenant_id = ${tenant.tenantId}`,
    )) as [{ name: string }]
    const shown = { leaderId: boss.userId, leaderName: '科长丁', sexName: '女', tenantName: name, userTypeName: '工作人员' }
    expect(await detail()).toMatchObject(shown)
    expect(await detail('en')).toMatchObject({ sexName: 'Female', userTypeName: 'Staff' })
    const { records } = (await admin.get('/blade-system/user/page', { query: { realName: '组员戊' } })).body.data
    expect(records).toEqual([expect.objectContaining(shown)])
    const [header = [], row = []] = (
      await rowsOf(await admin.get('/blade-system/user/export-user', { query: { realName: '组员戊' } }))
    ).slice(1)
    expect([row[header.indexOf('上级')], row[header.indexOf('性别')]]).toEqual(['科长丁', '女'])
    for (const leaderId of [one.userId, elsewhere.userId, '1'])
      expect((await save({ leaderId })).body.data.fields).toEqual([{ field: 'leaderId', msg: '上级须是本租户的其他工作人员' }])
    // What is not named stays; empty takes it away.
    expect((await save({ name: '小戊' })).status).toBe(200)
    expect(await detail()).toMatchObject({ name: '小戊', leaderId: boss.userId })
    expect((await save({ leaderId: '' })).status).toBe(200)
    expect(await detail()).toMatchObject({ leaderId: '', leaderName: '' })
    expect((await linesOf('account.updated')).flatMap(({ after }) => (after as { leader_id?: unknown }).leader_id ?? [])).toEqual([
      boss.userId,
    ])
  })

  test('the mark of a leader is turned on and off, and leaders are listed by name', async () => {
    const [one, two] = [await tenant.staff('reviewer1', { realName: '组长甲' }), await tenant.staff('reviewer1', { realName: '组长乙' })]
    const flip = (id: string, by = admin) => by.post('/blade-system/user/set-leader', { json: { userId: id } })
    const leaders = async (query: object = {}, by = admin) =>
      (await by.get('/blade-system/user/leader-list', { query: { ...query } })).body.data
    expect(await leaders()).toEqual([])
    expect([(await flip(two.userId)).body.data, (await flip(one.userId)).body.data]).toEqual([{ isLeader: 1 }, { isLeader: 1 }])
    const [first, second] = [
      { id: one.userId, realName: '组长甲' },
      { id: two.userId, realName: '组长乙' },
    ]
    expect([...(await leaders())].sort((a, b) => (a.id < b.id ? -1 : 1))).toEqual([first, second].sort((a, b) => (a.id < b.id ? -1 : 1)))
    expect([await leaders({ realName: '乙' }), await leaders({ tenantId: 'other' }), await leaders({}, elsewhere)]).toEqual([
      [second],
      [],
      [],
    ])
    expect((await flip(two.userId)).body.data).toEqual({ isLeader: 0 })
    expect(await leaders()).toEqual([first])
    expect((await linesOf('account.leader-set')).map(({ userId, entityId, before }) => [userId, entityId, before])).toEqual([
      [admin.userId, two.userId, { isLeader: 0 }],
      [admin.userId, one.userId, { isLeader: 0 }],
      [admin.userId, two.userId, { isLeader: 1 }],
    ])
    expect([(await flip(one.userId, elsewhere)).status, (await flip(one.userId, one)).status]).toEqual([404, 403])
    expect((await flip((await tenant.candidate()).userId)).body.reason).toBe('user/candidate')
    expect(await leaders()).toEqual([first])
  })

  test('[S7.15] departments to choose from: those named, those of a person, one’s own', async () => {
    const [north, south] = [await dept('北区'), await dept('南区')]
    const doctor = await tenant.staff('reviewer1', { deptId: `${south},${north}` })
    const select = async (query: object, by = admin) => (await by.get('/blade-system/dept/select', { query: { ...query } })).body
    const line = (id: string, deptName: string) => ({ id, parentId: '0', deptName, fullName: `${deptName}全称` })
    expect((await select({ deptId: south })).data).toEqual([line(south, '南区')])
    expect((await select({ userId: doctor.userId })).data).toEqual([line(north, '北区'), line(south, '南区')])
    expect((await select({})).data).toEqual([])
    expect((await select({ deptId: south }, elsewhere)).data).toEqual([])
    expect((await select({ userId: doctor.userId }, elsewhere)).code).toBe(404)
  })

  test('the empty workbook of the import, for whoever may import', async () => {
    const [answer, same] = [
      await admin.get('/blade-system/user/export-template'),
      await admin.get('/blade-exam/examination/importTemplate', { query: { kind: 'T0' } }),
    ]
    expect(await rowsOf(answer)).toEqual(await rowsOf(same))
    expect((await rowsOf(answer)).flat()).toContain('账号')
    const reviewer = await tenant.staff('reviewer1')
    expect((await reviewer.get('/blade-system/user/export-template')).status).toBe(403)
  })
})

describe('[S7.16][S7.18] workbooks of dictionaries and tenants', () => {
  test('a dictionary with its entries, narrowed as the list, with its audit line', async () => {
    const group = { code: 'own_list', dictValue: '自建字典', sort: 1, isSealed: 0 }
    const { id } = (await admin.post('/blade-system/dict-biz/submit', { json: group })).body.data
    const entry = {
      parentId: id,
      code: 'own_list',
      dictKey: '7',
      dictValue: '第七',
      dictValueEn: 'Seventh',
      sort: 2,
      isSealed: 1,
      remark: '备注',
    }
    await admin.post('/blade-system/dict-biz/submit', { json: entry })
    const rows = await rowsOf(await admin.get('/blade-system/dict-biz/export-dict', { query: { code: 'own_list' } }))
    expect(rows.slice(-2)).toEqual([
      ['own_list', '-1', '自建字典', '', '1', '否'],
      ['own_list', '7', '第七', 'Seventh', '2', '是', '备注'],
    ])
    expect(rows.flat().filter(cell => cell === 'own_list')).toHaveLength(2)
    expect(await linesOf('dictbiz.exported')).toMatchObject([{ userId: admin.userId, after: { filter: { code: 'own_list' } } }])
    expect((await (await tenant.staff('reviewer1')).get('/blade-system/dict-biz/export-dict')).status).toBe(403)
    const foreign = await rowsOf(await elsewhere.get('/blade-system/dict-biz/export-dict', { query: { code: 'own_list' } }))
    expect(foreign.flat()).not.toContain('own_list')
  })

  test('the platform’s dictionary and its tenants, for its operators alone', async () => {
    const operator = await t.platform().staff('administrator')
    const dict = await rowsOf(await operator.get('/blade-system/dict/export-dict'))
    expect(dict.filter(row => row[1] === '-1').length).toBeGreaterThan(0)
    const tenants = await rowsOf(await operator.get('/blade-system/tenant/export-tenant', { query: { tenantId: tenant.tenantId } }))
    expect(tenants.at(-1)?.slice(0, 1)).toEqual([tenant.tenantId])
    expect(tenants.flat()).not.toContain('000000')
    expect(await linesOf('tenant.exported', t.platform())).toMatchObject([
      { userId: operator.userId, after: { filter: { tenantId: tenant.tenantId } } },
    ])
    for (const path of ['tenant/export-tenant', 'dict/export-dict'])
      expect([path, (await admin.get(`/blade-system/${path}`)).status]).toEqual([path, 403])
  })
})

test('[S2.50][S3.01] a key of a parameter is letters and digits in parts, and what is wrong with another is said', async () => {
  const add = (paramKey: string, language: 'zh' | 'en' = 'zh') =>
    admin.post('/blade-system/param/submit', { json: { paramName: '自建', paramKey, paramValue: '1' }, language })
  for (const good of ['own.value', 'own_value-2', 'A1']) expect((await add(good)).body.code).toBe(200)
  for (const bad of ['1own', 'own value', 'own..value', 'own.', '参数', 'own;drop', '<b>'])
    expect([bad, (await add(bad)).body.data?.fields?.[0]?.field]).toEqual([bad, 'paramKey'])
  expect((await add('own value')).body.data.fields[0].msg).toContain('字母开头')
  expect((await add('own value', 'en')).body.data.fields[0].msg).toContain('begin with a letter')
})

test('[S7.20] a role is never moved below itself, at once or through others, and nothing changes', async () => {
  const role = async (roleAlias: string, parentId: string): Promise<string> =>
    (await admin.post('/blade-system/role/submit', { json: { roleName: roleAlias, roleAlias, parentId, sort: 1 } })).body.data.id
  const own = (await tenant.rows(sql<{ id: string }>`select id::text as id from role where role_alias = 'admin'`))[0]?.id ?? ''
  const top = await role('ring_top', own)
  const middle = await role('ring_middle', top)
  const bottom = await role('ring_bottom', middle)
  for (const parentId of [top, middle, bottom]) {
    const answer = await admin.post('/blade-system/role/submit', {
      json: { id: top, roleName: 'ring_top', roleAlias: 'ring_top', parentId, sort: 1 },
    })
    expect(answer.body.data.fields).toEqual([{ field: 'parentId', msg: '不能移到自己的下级' }])
  }
  expect(await tenant.rows(sql`select role_alias as a, parent_id::text as p from role where role_alias like 'ring%' order by id`)).toEqual([
    { a: 'ring_top', p: own },
    { a: 'ring_middle', p: top },
    { a: 'ring_bottom', p: middle },
  ])
})

test('[S7.15][S7.17] menus, departments and posts answer the words of their numbers, in the reader’s language', async () => {
  const first = async (path: string, query: object = {}, language: 'zh' | 'en' = 'zh') => {
    const { data } = (await admin.get(path, { query: { ...query }, language })).body
    return (data.records ?? data)[0]
  }
  await dept('词语部')
  const kind = { deptName: '词语部' }
  expect(await first('/blade-system/dept/lazy-list', kind)).toMatchObject({ deptCategory: 2, deptCategoryName: '部门' })
  expect(await first('/blade-system/dept/list', kind, 'en')).toMatchObject({ deptCategoryName: 'Department' })
  const button = { code: 'dept_import' }
  expect(await first('/blade-system/menu/lazy-list', button)).toMatchObject({ categoryName: '按钮', isOpenName: '否' })
  expect(await first('/blade-system/menu/lazy-menu-list', { code: 'dept' }, 'en')).toMatchObject({
    categoryName: 'Menu',
    actionName: '',
  })
  const values = { category: '3', postCode: 'w1', postName: '词语岗', sort: 1 }
  const { id } = (await admin.post('/blade-system/post/submit', { json: values })).body.data
  const shown = { categoryName: '基层', tenantId: tenant.tenantId }
  expect(await first('/blade-system/post/list', { postCode: 'w1' })).toMatchObject(shown)
  expect((await admin.get('/blade-system/post/detail', { query: { id }, language: 'en' })).body.data).toMatchObject({
    categoryName: 'Base',
  })
  const top = { code: 'words', name: '词语', nameEn: 'Words', source: 'people', sort: 9 }
  expect((await admin.post('/blade-system/topmenu/submit', { json: top })).status).toBe(200)
  expect(await first('/blade-system/topmenu/list', { code: 'words' })).toMatchObject({ ...top, tenantId: tenant.tenantId })
  // A client sends back what it was shown; what follows from the row follows from it whatever it says (ADR 0146).
  expect((await admin.post('/blade-system/post/submit', { json: { ...values, id, ...shown } })).status).toBe(200)
  expect((await admin.post('/blade-system/post/submit', { json: { ...values, id, categoryName: '高层' } })).status).toBe(200)
  expect(await first('/blade-system/post/list', { postCode: 'w1' })).toMatchObject(shown)
})

describe('[S7.18][S2.50][S7.15][issue 4 section 4] dictionaries, posts and parameters out of a workbook', () => {
  const send = async (
    path: string,
    rows: readonly (readonly string[])[] | Buffer,
    fields: Record<string, string> = { mode: 'check' },
    by = admin,
  ): Promise<Answer> => {
    const bytes = Buffer.isBuffer(rows) ? rows : await workbook(rows)
    return by.post(path, { multipart: { fields, files: [{ part: 'file', name: '导入.xlsx', bytes }] } })
  }
  const problems = (answer: Answer): string[] =>
    answer.body.data.errors.map(({ row, header, code }: { row: number; header: string; code: string }) => `${row} ${header} ${code}`)
  const counts = ({ body: { data } }: Answer) => [data.state, data.inserted, data.updated, data.skipped]
  const dictHeader = ['字典编号', '字典键值', '字典名称', '英文名称', '排序', '封存', '备注']
  const dictPath = '/blade-system/dict-biz/import-dict'

  test('a dictionary and its entries in any order are added below their codes; wrong rows are told cell by cell and mended without the workbook', async () => {
    const rows = [
      ['blood', '2', 'B 型', '', '', '否'],
      ['blood', '', '血型', 'Blood type', '90'],
      ['blood', '1', 'A 型', 'Type A', '1', '是', '常见'],
      ['nowhere', '1', '无'],
      ['blood', '1', '又一个'],
      ['1x', '-1', '', '', 'x', '也许'],
      ['1x', '-5', '负'],
    ]
    const wrong = await send(dictPath, [dictHeader, ...rows])
    expect(problems(wrong)).toEqual([
      '5 字典编号 parent-missing',
      '6 字典键值 duplicate',
      '7 字典编号 code',
      '7 字典名称 required',
      '7 排序 number',
      '7 封存 flag',
      '8 字典编号 code',
      '8 字典键值 negative',
      '8 字典编号 parent-wrong',
    ])
    expect((await rowsOf(await admin.get(wrong.body.data.errorFileUrl)))[0]?.slice(-2)).toEqual(['校验结果', '错误原因'])
    const { importId } = (await send(dictPath, [dictHeader, ...rows.slice(0, 3), ['blod', '3', 'O 型']])).body.data
    const again = (fields: Record<string, string>) => admin.post(dictPath, { multipart: { fields } })
    const fixes = JSON.stringify([{ row: 5, column: 'A', value: 'blood' }])
    expect((await again({ mode: 'check', importId, fixes })).body.data).toMatchObject({ ok: 4, failed: 0 })
    expect(counts(await again({ mode: 'commit', importId }))).toEqual([4, 4, 0, 0])
    const entries = async (code: string) =>
      (
        await tenant.rows(sql<{ key: string; name: string; sort: number; sealed: number }>`
        select d.dict_key as key, d.dict_value as name, d.sort, d.is_sealed as sealed from dict_biz d join dict_biz g on g.id = d.parent_id
        where g.code = ${code} and not d.is_deleted order by d.sort, d.id`)
      ).map(({ key, name, sort, sealed }) => [key, name, sort, sealed])
    expect(await entries('blood')).toEqual([
      ['2', 'B 型', 1, 0],
      ['1', 'A 型', 1, 1],
      ['3', 'O 型', 2, 0],
    ])
    // What is there is changed; what a row leaves empty stays; nothing is removed.
    expect(counts(await send(dictPath, [dictHeader, ['blood', '1', 'A', '', '5']], { mode: 'commit' }))).toEqual([4, 0, 1, 0])
    expect(await entries('blood')).toContainEqual(['1', 'A', 5, 1])
    const [last] = (await linesOf('dictbiz.updated')).slice(-1)
    expect(last).toMatchObject({
      userId: admin.userId,
      before: { dictValue: 'A 型' },
      after: { dictValue: 'A', dictValueEn: 'Type A', remark: '常见' },
    })
    const audit = await tenant.rows(
      sql<{
        n: number
      }>`select count(*)::int as n from audit_log where action = 'dictbiz.added' and after_value ->> 'importId' = ${importId}`,
    )
    expect(audit).toEqual([{ n: 4 }])
  })

  test('all dictionaries come back as they left, in either language, and nothing changes', async () => {
    for (const language of ['zh', 'en'] as const) {
      const left = await admin.get('/blade-system/dict-biz/export-dict', { language })
      const back = await send(dictPath, left.raw, { mode: 'commit' })
      expect([back.body.data.errors, back.body.data.warnings, back.body.data.inserted, back.body.data.updated]).toEqual([[], [], 0, 0])
      expect(back.body.data.skipped).toBeGreaterThan(100)
    }
  })

  test('the system dictionary is for the platform’s operators; neither comes in for who may not, and each stays in its tenant', async () => {
    const systemPath = '/blade-system/dict/import-dict'
    const clerk = await tenant.staff('finance')
    const rows = [dictHeader, ['sysone', '', '系统一', 'System one', '95'], ['sysone', '1', '甲', 'A', '1']]
    for (const [path, by] of [
      [systemPath, admin],
      [dictPath, clerk],
    ] as const) {
      expect((await send(path, rows, { mode: 'commit' }, by)).status).toBe(403)
      expect((await by.get(path.replace('import-dict', 'export-template'))).status).toBe(403)
    }
    const operator = await t.platform().staff('administrator')
    expect(counts(await send(systemPath, rows, { mode: 'commit' }, operator))).toEqual([4, 2, 0, 0])
    expect(counts(await send(systemPath, rows, { mode: 'commit' }, operator))).toEqual([4, 0, 0, 2])
    const [first] = await rowsOf(await operator.get('/blade-system/dict/export-template'))
    expect(first).toEqual(dictHeader)
    const seen = (await elsewhere.get('/blade-system/dict-biz/list', { query: { code: 'blood' } })).body.data
    expect(seen).toEqual([])
  })

  test('posts are known by their codes and judged as by the form; remarks leave with the rest', async () => {
    const path = '/blade-system/post/import'
    const header = ['职务类型', '职务编号', '职务名称', '排序', '备注']
    const wrong = await send(path, [
      header,
      ['没有', 'p1', '一', '1'],
      ['高层', '', '二', 'x'],
      ['1', 'p1', '', '10000'],
      ['Senior', 'p3', '三'.repeat(61), ''],
    ])
    expect(problems(wrong)).toEqual([
      '2 职务类型 unknown',
      '3 职务编号 required',
      '3 排序 invalid',
      '4 职务名称 required',
      '4 排序 invalid',
      '4 职务编号 duplicate',
      '5 职务名称 invalid',
      '5 排序 required',
    ])
    const good = [
      ['高层', 'p1', '一', '1', '备注一'],
      ['2', 'p2', '=1+1', '2', ''],
    ]
    expect(counts(await send(path, [header, ...good], { mode: 'commit' }))).toEqual([4, 2, 0, 0])
    const left = await admin.get('/blade-system/post/export')
    expect((await rowsOf(left))[1]).toEqual(header)
    expect((await rowsOf(left)).slice(2)).toContainEqual(['高层', 'p1', '一', '1', '备注一'])
    const back = await send(path, left.raw, { mode: 'commit' })
    expect([back.body.data.errors, back.body.data.warnings, back.body.data.inserted, back.body.data.updated]).toEqual([[], [], 0, 0])
    expect(counts(await send(path, [header.slice(0, 4), ['中层', 'p1', '一', '1']], { mode: 'commit' }))).toEqual([4, 0, 1, 0])
    const [changed] = (await admin.get('/blade-system/post/list', { query: { postCode: 'p1' } })).body.data.records
    expect(changed).toMatchObject({ category: '2', remark: '备注一' })
  })

  test('parameters keep to their rules: an own value of the right kind, none of the platform’s, and what follows goes on following', async () => {
    const path = '/blade-system/param/import'
    const own = async () =>
      (
        await tenant.rows(sql<{ key: string; value: string }>`
        select param_key as key, param_value as value from param where is_own and not is_deleted order by param_key`)
      ).map(row => [row.key, row.value])
    const before = await own()
    const header = ['参数名称', '参数键名', '参数键值', '备注']
    const wrong = await send(path, [header, ['次数', 'account.failCount', '99'], ['天数', 'log.apiDays', '200'], ['坏', 'bad key', '1']])
    expect(problems(wrong)).toEqual(['2 参数键值 invalid', '3 参数键值 invalid', '4 参数键名 invalid'])
    for (const language of ['zh', 'en'] as const) {
      const left = await admin.get('/blade-system/param/export', { language })
      const back = await send(path, left.raw, { mode: 'commit' })
      expect([back.body.data.errors, back.body.data.warnings, back.body.data.inserted, back.body.data.updated]).toEqual([[], [], 0, 0])
    }
    expect(await own()).toEqual(before)
    const good = [
      ['登录失败锁定次数', 'account.failCount', '4'],
      ['自建', 'own.one', '1', '说明'],
    ]
    expect(counts(await send(path, [header, ...good], { mode: 'commit' }))).toEqual([4, 1, 1, 0])
    expect(await own()).toEqual([...before, ['account.failCount', '4'], ['own.one', '1']].sort(([a = ''], [b = '']) => (a < b ? -1 : 1)))
  })
})
