import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { type Answer, type Person, startTestApp, type TestApp, type TestTenant } from '../../support/app.ts'
import { sheetRows } from '../../support/sheet-text.ts'
import { workbook } from '../../support/workbook.ts'

let t: TestApp
let tenant: TestTenant
let office: Person
let liaison: Person
let stranger: Person
beforeAll(async () => {
  t = await startTestApp()
  tenant = await t.tenant()
  office = await tenant.staff('exam_admin', { realName: '考务员' })
  liaison = await tenant.staff('school')
  stranger = await (await t.tenant()).staff('exam_admin')
})
afterAll(() => t.close())

const at = '/blade-school/school'
const header = [
  '院校标识码*',
  '原院校代码',
  '院校名称*',
  '主管部门',
  '省*',
  '市',
  '办学层次*',
  '办学性质',
  '是否医学院校',
  '曾用名(分号)',
  '备注',
]
const medical = {
  schoolCode: '4165010760',
  oldCode: '10760',
  schoolName: '新疆医科大学',
  competent: '新疆维吾尔自治区',
  province: '新疆维吾尔自治区',
  city: '乌鲁木齐市',
  level: 1,
  kind: 1,
  isMedical: 1,
  aliases: '新疆医学院；新疆中医学院',
}
const send = async (
  rows: readonly (readonly string[])[],
  fields: Record<string, string> = { mode: 'check' },
  by = office,
): Promise<Answer> =>
  by.post('/blade-exam/examination/importSchool', {
    multipart: { fields, files: [{ part: 'file', name: '院校.xlsx', bytes: await workbook([header, ...rows]) }] },
  })
const problems = (answer: Answer): string[] =>
  answer.body.data.errors.map(({ row, header: of, code }: { row: number; header: string; code: string }) => `${row} ${of} ${code}`)
const found = async (keyword: string, by = office): Promise<string[]> =>
  (await by.get(`${at}/list`, { query: { keyword } })).body.data.map((one: { schoolName: string }) => one.schoolName)
const pageOf = async (by: Person, query: Record<string, string> = {}) => (await by.get(`${at}/page`, { query })).body.data
const removeAll = () => tenant.rows(sql`update school set is_deleted = true where not is_deleted returning 1 as one`)

describe('[S7.31] the list of schools', () => {
  let id: string

  test('a school is added, found by each of its names, their initials and codes, and by no other tenant', async () => {
    id = (await office.post(`${at}/submit`, { json: medical })).body.data.id
    expect(await pageOf(office)).toMatchObject({ total: 1, records: [{ id, ...medical, status: 1, remark: null }] })
    for (const keyword of ['新疆医科', '新疆医学院', 'xjykdx', 'xjyxy', 'XJZYXY', '4165010760', '１０７６０'])
      expect([keyword, await found(keyword)]).toEqual([keyword, ['新疆医科大学']])
    expect(await found('新疆 科大')).toEqual(['新疆医科大学'])
    expect(await found('新疆医科', stranger)).toEqual([])
    expect(await pageOf(stranger)).toMatchObject({ total: 0, records: [] })
    expect((await stranger.get(`${at}/detail`, { query: { id } })).status).toBe(404)
    expect((await stranger.post(`${at}/remove`, { json: { ids: id } })).status).toBe(404)
  })

  test('a code stands once, and what is missing or not of its kind is said with the field', async () => {
    const again = await office.post(`${at}/submit`, { json: { ...medical, schoolName: '另一所' } })
    expect([again.status, again.body.reason, again.body.data.fields]).toEqual([
      400,
      'kernel/duplicate',
      [{ field: 'schoolCode', msg: '院校标识码 4165010760 已存在' }],
    ])
    const wrong = await office.post(`${at}/submit`, { json: { schoolCode: '41-65', schoolName: '', level: 6 } })
    expect([wrong.status, wrong.body.data.fields.map(({ field }: { field: string }) => field)]).toEqual([
      400,
      ['schoolCode', 'schoolName', 'province', 'level'],
    ])
  })

  test('one that is not in use is not offered, nor known to a sign-up; removed it can be added again', async () => {
    await office.post(`${at}/submit`, { json: { id, status: 0 } })
    expect(await found('新疆医科')).toEqual([])
    await office.post(`${at}/submit`, { json: { id, status: 1, aliases: '' } })
    expect([await found('新疆医科'), await found('新疆医学院')]).toEqual([['新疆医科大学'], []])
    expect((await office.post(`${at}/remove`, { json: { ids: id } })).body.data).toEqual({ removed: 1 })
    expect(await found('新疆医科')).toEqual([])
    expect((await office.post(`${at}/submit`, { json: medical })).status).toBe(200)
    const trail = await tenant.rows(
      sql<{
        action: string
      }>`select action from audit_log where tenant_id = ${tenant.tenantId} and entity = 'school' and entity_id = ${id} order by id`,
    )
    expect(trail.map(({ action }) => action)).toEqual(['school.added', 'school.updated', 'school.updated', 'school.removed'])
  })

  test('the liaison of a school looks and changes nothing; others see none', async () => {
    expect(await pageOf(liaison)).toMatchObject({ total: 1 })
    expect((await liaison.post(`${at}/submit`, { json: medical })).status).toBe(403)
    expect((await send([], { mode: 'check' }, liaison)).status).toBe(403)
    const finance = await tenant.staff('finance')
    for (const path of [`${at}/page`, `${at}/getExcel`]) expect((await finance.get(path, { query: { code: 'all' } })).status).toBe(403)
    expect((await finance.post('/blade-exam/examination/getSchoolExcel', { json: { kind: 'data' } })).status).toBe(403)
  })
})

describe('[S7.38] schools by workbook (T8)', () => {
  const good = [
    '4165010760',
    '10760',
    '新疆医科大学',
    '新疆维吾尔自治区',
    '新疆维吾尔自治区',
    '乌鲁木齐市',
    '本科',
    '公办',
    '是',
    '新疆医学院;新疆中医学院',
    '',
  ]

  test('what is wrong is said cell by cell, and the right rows may come in without the others', async () => {
    await removeAll()
    const rows = [
      good,
      ['', '', '没有代码', '', '新疆维吾尔自治区', '', '本科'],
      ['4165010760', '', '同一代码', '', '新疆维吾尔自治区', '', '本科'],
      ['5500000001', '', '层次不对', '', '新疆维吾尔自治区', '', '大学', '国有', '也许'],
      ['ABC', '', '', '', '', '', ''],
      ['SELF01', '', '外地卫校', '', '四川省', '', '中专/卫校', '', '', '', '自编'],
    ]
    const checked = await send(rows)
    expect(checked.body.data).toMatchObject({ kind: 'T8', total: 6, ok: 2, inserted: 0 })
    expect(problems(checked)).toEqual([
      '3 院校标识码 required',
      '4 院校标识码 duplicate',
      '5 办学层次 unknown',
      '5 办学性质 unknown',
      '5 是否医学院校 unknown',
      '6 院校标识码 invalid',
      '6 院校名称 required',
      '6 省 required',
      '6 办学层次 required',
    ])
    expect(await pageOf(office)).toMatchObject({ total: 0 })
    const partly = await send(
      rows.filter(row => row[2] !== '同一代码'),
      { mode: 'commit', policy: 'partial' },
    )
    expect(partly.body.data).toMatchObject({ inserted: 2, updated: 0, failed: 3 })
    const { records } = await pageOf(office)
    expect(
      records.map((one: Record<string, unknown>) => [
        one['schoolCode'],
        one['level'],
        one['kind'],
        one['isMedical'],
        one['aliases'],
        one['remark'],
      ]),
    ).toEqual([
      ['4165010760', 1, 1, 1, '新疆医学院;新疆中医学院', null],
      ['SELF01', 3, null, 0, null, '自编'],
    ])
    expect(await found('新疆中医学院')).toEqual(['新疆医科大学'])
  })

  test('what goes out comes in again as it is, by province, all of it, or as an empty template', async () => {
    const all = await office.get(`${at}/getExcel`, { query: { code: 'all' } })
    const [title = [], head = [], ...rows] = await sheetRows(all.raw)
    expect(title[0]).toContain('院校')
    expect(head).toEqual([...header.map(text => text.replace(/\*|\(.*\)/g, '')).slice(0, 10), '状态', '备注'])
    expect(rows).toEqual([
      [
        '4165010760',
        '10760',
        '新疆医科大学',
        '新疆维吾尔自治区',
        '新疆维吾尔自治区',
        '乌鲁木齐市',
        '本科',
        '公办',
        '是',
        '新疆医学院;新疆中医学院',
        '启用',
      ],
      ['SELF01', '', '外地卫校', '', '四川省', '', '中专/卫校', '', '否', '', '启用', '自编'],
    ])
    const again = await office.post('/blade-exam/examination/importSchool', {
      multipart: { fields: { mode: 'commit' }, files: [{ part: 'file', name: '院校.xlsx', bytes: Buffer.from(all.raw) }] },
    })
    expect(again.body.data).toMatchObject({ total: 2, inserted: 0, updated: 0, skipped: 2 })
    const codes = async (answer: Answer) => (await sheetRows(answer.raw)).slice(2).map(([code]) => code)
    expect(await codes(await office.get(`${at}/getExcel`, { query: { code: '65' } }))).toEqual(['4165010760'])
    expect(await codes(await office.get(`${at}/getExcel`, { query: { code: '510000' } }))).toEqual(['SELF01'])
    expect(
      await codes(await office.post('/blade-exam/examination/getSchoolExcel', { json: { kind: 'data', province: '四川省' } })),
    ).toEqual(['SELF01'])
    const nowhere = await office.get(`${at}/getExcel`, { query: { code: '99' } })
    expect([nowhere.status, nowhere.body.msg]).toEqual([400, '没有代码为 99 的省级行政区'])
    for (const template of [
      await office.get(`${at}/getExcel`, { query: { code: 'template' } }),
      await office.post('/blade-exam/examination/getSchoolExcel', { json: { kind: 'template' } }),
      await office.get('/blade-exam/examination/importTemplate', { query: { kind: 'T8' } }),
    ]) {
      const [first = []] = await sheetRows(template.raw)
      expect(first.map(text => text.replace(/\*$/, ''))).toEqual(head)
    }
    expect(await codes(await stranger.get(`${at}/getExcel`, { query: { code: 'all' } }))).toEqual([])
  })
})
