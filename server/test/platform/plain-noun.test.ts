import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { countStatements } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'
import { type Person, startTestApp, type TestApp, type TestTenant } from '../support/app.ts'
import { sheetCells } from '../support/sheet-text.ts'

let t: TestApp
let tenant: TestTenant
let admin: Person
let stranger: Person
beforeAll(async () => {
  t = await startTestApp()
  tenant = await t.tenant()
  admin = await tenant.staff('admin')
  stranger = await (await t.tenant()).staff('admin')
})
afterAll(() => t.close())

const add = async (paramKey: string, paramValue = '1'): Promise<string> =>
  (await admin.post('/blade-system/param/submit', { json: { paramName: `名称${paramKey}`, paramKey, paramValue } })).body.data.id

describe('[S2.50][S3.01][S7.15] system parameters: what their declaration gives', () => {
  test('[S5.01] empty fields get the messages of the specification, in both languages', async () => {
    const zh = await admin.post('/blade-system/param/submit', { json: { paramName: '', paramKey: ' ' } })
    expect(zh.body).toMatchObject({
      code: 400,
      success: false,
      data: {
        fields: [
          { field: 'paramName', msg: '请输入参数名称' },
          { field: 'paramKey', msg: '请输入参数键名' },
          { field: 'paramValue', msg: '请输入参数键值' },
        ],
      },
    })
    const en = await admin.post('/blade-system/param/submit', { json: {}, language: 'en' })
    expect(en.body.data.fields.map((one: { msg: string }) => one.msg)).toEqual([
      'Please enter the name',
      'Please enter the key',
      'Please enter the value',
    ])
  })

  test('[S7.05] clients of the framework write by save and update as by submit', async () => {
    const own = await t.tenant()
    const chief = await own.staff('admin')
    const param = { paramName: '别名', paramKey: 'example.save', paramValue: '1' }
    const { id } = (await chief.post('/blade-system/param/save', { json: param })).body.data
    expect((await chief.post('/blade-system/param/update', { json: { id, paramValue: '2' } })).body.data).toEqual({ id })
    expect((await chief.get('/blade-system/param/detail', { query: { id } })).body.data).toMatchObject({ ...param, paramValue: '2' })
    expect((await (await own.staff('auditor')).post('/blade-system/param/save', { json: param })).status).toBe(403)
  })

  test('[S7.02][S7.03][S7.05][S3.20] add, page, search, detail, edit; the audit line holds before and after', async () => {
    const id = await add('example.limit', '50%_off')
    const listed = await admin.get('/blade-system/param/list', { query: { paramKey: 'example.lim', current: 1, size: 10 } })
    expect(listed.body.data).toMatchObject({
      total: 1,
      size: 10,
      current: 1,
      pages: 1,
      records: [{ id, paramName: '名称example.limit', paramKey: 'example.limit', paramValue: '50%_off', remark: '', version: 0 }],
    })
    const total = async (query: Record<string, string>) => (await admin.get('/blade-system/param/list', { query })).body.data.total
    expect([
      await total({ paramValue: '%_' }),
      await total({ paramValue: '%x' }),
      await total({ paramKey_equal: 'example.limit' }),
    ]).toEqual([1, 0, 1])
    expect(await admin.get('/blade-system/param/list', { query: { nothing: 'x', paramKey: 'example.limit' } })).toMatchObject({
      status: 400,
      body: { msg: '“nothing”不是此列表的查询条件，请检查名称后重试', data: { fields: [{ field: 'nothing' }] } },
    })
    expect((await admin.post('/blade-system/param/submit', { json: { id, paramValue: '60', version: 0 } })).body.data).toEqual({ id })
    expect((await admin.get('/blade-system/param/detail', { query: { id } })).body.data).toMatchObject({
      paramName: '名称example.limit',
      paramValue: '60',
      version: 1,
    })
    const lines = await tenant.rows(
      sql<object>`select action, before_value->>'paramValue' as before, after_value->>'paramValue' as after from audit_log where entity = 'param' order by id`,
    )
    expect(lines).toEqual([
      { action: 'param.added', before: null, after: '50%_off' },
      { action: 'param.updated', before: '50%_off', after: '60' },
    ])
  })

  test('two people edit the same row: the second is told, and nothing is lost', async () => {
    const id = await add('example.race')
    expect((await admin.post('/blade-system/param/submit', { json: { id, paramValue: 'first', version: 0 } })).status).toBe(200)
    const second = await admin.post('/blade-system/param/submit', { json: { id, paramValue: 'second', version: 0 } })
    expect(second).toMatchObject({ status: 409, body: { code: 2002 } })
    expect((await admin.get('/blade-system/param/detail', { query: { id } })).body.data.paramValue).toBe('first')
  })

  test('a value of a dictionary field is a key of its dictionary, sealed or not; one that is stored stays', async () => {
    const own = await t.tenant()
    const office = await own.staff('admin')
    const save = async (json: object) =>
      (await office.post('/blade-system/post/submit', { json: { postName: '职务', sort: 1, ...json } })).body
    expect((await save({ postCode: 'K1', category: '99' })).data.fields).toEqual([
      { field: 'category', msg: '职务类型不在字典中，请重新选择' },
    ])
    expect((await save({ postCode: 'K1', category: '-1' })).data.fields).toMatchObject([{ field: 'category' }])
    // Whatever objects takes back the row that was written beside it, and its line in the trail.
    expect(await own.rows(sql`select post_code from post union all select action from audit_log where entity = 'post'`)).toEqual([])
    const { id } = (await save({ postCode: 'K1', category: '2' })).data
    await own.db(db => db.run(sql`update dict_biz set is_deleted = true where code = 'post_category' and dict_key = '2'`))
    expect((await save({ id, postCode: 'K1', category: '2', postName: '改名' })).code).toBe(200)
    // A code that is taken keeps the row out by itself; what is told is the first that objects.
    for (const postCode of ['K1', 'K2'])
      expect((await save({ postCode, category: '2' })).data.fields).toMatchObject([{ field: 'category' }])
    expect((await save({ postCode: 'K1', category: '1' })).data.fields).toMatchObject([{ field: 'postCode' }])
  })

  test('a key stands once, and becomes free when its row is deleted', async () => {
    const id = await add('example.unique')
    const taken = await admin.post('/blade-system/param/submit', { json: { paramName: 'x', paramKey: 'example.unique', paramValue: '2' } })
    expect(taken.body).toMatchObject({ code: 400, data: { fields: [{ field: 'paramKey' }] } })
    await admin.post('/blade-system/param/remove', { query: { ids: id } })
    expect(
      (await admin.post('/blade-system/param/submit', { json: { paramName: 'x', paramKey: 'example.unique', paramValue: '2' } })).status,
    ).toBe(200)
  })

  test('[S7.04] another tenant sees, changes and deletes nothing; one foreign id stops the whole batch', async () => {
    const [id, own] = [
      await add('example.secret', 'CANARY'),
      (await stranger.post('/blade-system/param/submit', { json: { paramName: 'x', paramKey: 'mine', paramValue: '1' } })).body.data.id,
    ]
    expect((await stranger.get('/blade-system/param/list', { query: { paramKey: 'example.secret' } })).body.data.total).toBe(0)
    expect((await stranger.get('/blade-system/param/detail', { query: { id } })).status).toBe(404)
    expect((await stranger.post('/blade-system/param/submit', { json: { id, paramValue: 'hacked' } })).status).toBe(404)
    expect((await stranger.post('/blade-system/param/remove', { query: { ids: `${own},${id}` } })).status).toBe(404)
    expect((await stranger.get('/blade-system/param/detail', { query: { id: own } })).status).toBe(200)
    expect((await admin.get('/blade-system/param/detail', { query: { id } })).body.data.paramValue).toBe('CANARY')
  })

  test('a repeated Idempotency-Key adds one row and answers the same; with another body it is refused', async () => {
    const headers = { 'idempotency-key': 'once-and-for-all-1' }
    const json = { paramName: '一次', paramKey: 'example.once', paramValue: '1' }
    const answers = await Promise.all([1, 2, 3].map(() => admin.post('/blade-system/param/submit', { json, headers })))
    expect(new Set(answers.map(answer => answer.body.data.id)).size).toBe(1)
    expect((await admin.get('/blade-system/param/list', { query: { paramKey: 'example.once' } })).body.data.total).toBe(1)
    expect((await admin.post('/blade-system/param/submit', { json: { ...json, paramValue: '2' }, headers })).status).toBe(422)
  })

  test('the export holds the searched rows as text cells under a watermark, and is in the audit log', async () => {
    await add('sheet.a', '=1+1')
    await add('sheet.b', '䶮𬭎')
    const file = await admin.get('/blade-system/param/export', { query: { paramKey: 'sheet.' } })
    expect(String(file.headers['content-disposition'])).toMatch(
      /^attachment; filename\*=UTF-8''%E7%B3%BB%E7%BB%9F%E5%8F%82%E6%95%B0_\d{14}\.xlsx$/,
    )
    expect(await sheetCells(file.raw)).toEqual([
      [expect.stringContaining('内部资料 注意保密')],
      ['参数名称', '参数键名', '参数键值', '本租户设置', '备注'],
      ['名称sheet.b', 'sheet.b', '䶮𬭎', '本租户'],
      ['名称sheet.a', 'sheet.a', '=1+1', '本租户'],
    ])
    expect(await tenant.rows(sql<object>`select after_value as after from audit_log where action = 'param.exported'`)).toEqual([
      {
        after: {
          filter: { paramKey: 'sheet.' },
          columns: ['paramName', 'paramKey', 'paramValue', 'isOwn', 'remark'],
          rows: 2,
          large: false,
        },
      },
    ])
  })

  test('a list of three rows takes as many statements as a list of one', async () => {
    const count = (paramKey: string) => countStatements(() => admin.get('/blade-system/param/list', { query: { paramKey } }))
    for (const key of ['grow.one', 'grow.three.a', 'grow.three.b', 'grow.three.c']) await add(key)
    await count('grow.one')
    expect(await count('grow.three')).toBe(await count('grow.one'))
  })
})

describe('[S7.15] duty posts, the second plain noun', () => {
  test('the declaration alone gives it list, order, checks and rights', async () => {
    const submit = (json: object) => admin.post('/blade-system/post/submit', { json })
    expect((await submit({ category: '1', postCode: 'dean', postName: '院长', sort: 2 })).status).toBe(200)
    expect((await submit({ category: '2', postCode: 'head', postName: '科长', sort: 1 })).status).toBe(200)
    expect((await submit({ category: '1', postCode: 'dean', postName: '副院长', sort: 3 })).body.code).toBe(400)
    const { body } = await admin.get('/blade-system/post/list')
    expect(body.data.records.map((row: { postName: string; remark: string }) => [row.postName, row.remark])).toEqual([
      ['科长', ''],
      ['院长', ''],
    ])
    const finance = await tenant.staff('finance')
    expect((await finance.get('/blade-system/post/list')).status).toBe(403)
    expect((await stranger.get('/blade-system/post/list')).body.data.total).toBe(0)
  })
})
