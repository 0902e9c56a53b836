import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { readSheet } from '#kernel/sheet/read-sheet.ts'
import { type Person, startTestApp, type TestApp } from '../support/app.ts'
import { workbook } from '../support/workbook.ts'

const at = '/blade-system/region'
let t: TestApp
let operator: Person
beforeAll(async () => {
  t = await startTestApp()
  operator = await t.platform().staff('administrator')
})
afterAll(() => t.close())

const submit = (json: object, language: 'zh' | 'en' = 'zh') => operator.post(`${at}/submit`, { json, language })
const find = async (code: string) => (await operator.get(`${at}/detail`, { query: { code } })).body.data
const header = ['区划编号', '上级编号', '区划名称', '排序', '备注']
const send = async (rows: string[][], isCovered = 0) =>
  operator.post(`${at}/import-region`, {
    multipart: {
      fields: { isCovered: String(isCovered) },
      files: [{ part: 'file', name: 'a.xlsx', bytes: await workbook([header, ...rows]) }],
    },
  })

test('[S7.15] every province, city and county is there, level by level and by search', async () => {
  const counts = []
  for (const regionLevel of [1, 2, 3]) counts.push((await operator.get(`${at}/list`, { query: { regionLevel } })).body.data.total)
  expect(counts).toEqual([34, 342, 2849])
  expect((await operator.get(`${at}/lazy-list`)).body.data).toHaveLength(34)
  const [first] = (await operator.get(`${at}/lazy-list`, { query: { parentCode: '330100' } })).body.data
  expect(first).toEqual({
    id: '330102',
    code: '330102',
    parentCode: '330100',
    parentName: '杭州市',
    name: '上城区',
    fullName: '浙江省杭州市上城区',
    regionLevel: 3,
    provinceCode: '330000',
    cityCode: '330100',
    districtCode: '330102',
    sort: 0,
    remark: '',
    hasChildren: false,
    version: 0,
  })
  const found = (await operator.get(`${at}/lazy-list`, { query: { name: '杭州市西湖' } })).body.data
  expect(found.map((row: { code: string }) => row.code)).toEqual(['330106'])
  const tree = (await operator.get(`${at}/lazy-tree`, { query: { parentCode: '330000' } })).body.data
  expect(tree[0]).toEqual({ id: '330100', parentId: '330000', title: '杭州市', key: '330100', value: '330100', hasChildren: true })
})

test('a town is added below its county, renamed with all below it, and goes after its villages; forms of registration see it', async () => {
  expect((await submit({ code: '330106001', parentCode: '330106', name: '北山街道', sort: 2 })).body.data).toEqual({ id: '330106001' })
  expect((await submit({ code: '330106001002', parentCode: '330106001', name: '友谊社区' })).status).toBe(200)
  expect(await find('330106001002')).toMatchObject({
    fullName: '浙江省杭州市西湖区北山街道友谊社区',
    regionLevel: 5,
    parentName: '北山街道',
  })
  expect((await t.anonymous().get(`${at}/select`, { query: { code: '330106' } })).body.data).toEqual([
    { code: '330106001', name: '北山街道', level: 4, hasChildren: true },
  ])
  const { version } = await find('330106001')
  expect((await submit({ code: '330106001', name: '北山', version })).status).toBe(200)
  expect((await find('330106001002')).fullName).toBe('浙江省杭州市西湖区北山友谊社区')
  expect((await submit({ code: '330106001', name: '旧', version })).body.code).toBe(2002)
  expect((await operator.post(`${at}/remove`, { query: { id: '330106001' } })).body).toMatchObject({
    code: 2004,
    msg: '已被使用，不能删除：北山 还有下级区划',
  })
  expect((await operator.post(`${at}/remove`, { query: { ids: '330106001,330106001002,330106999' } })).status).toBe(404)
  expect((await operator.post(`${at}/remove`, { query: { ids: '330106001,330106001002' } })).body.data).toEqual({ removed: 2 })
  const log = await t.platform().rows(sql<{ action: string }>`select action from audit_log where entity = 'region' order by id`)
  expect(log.map(line => line.action)).toEqual(['added', 'added', 'updated', 'removed', 'removed'].map(done => `region.${done}`))
})

test.each([
  [{ code: '330106', name: '西湖区' }, '区划编号 330106 已存在'],
  [{ code: '330199', parentCode: '330200', name: '新区' }, '330199 不能在“宁波市”之下：编号须以上级编号开头'],
  [{ code: '330199', name: '新区' }, '省级编号为 6 位，末四位为 0000；其他区划须选择上级'],
  [{ code: '330106001', parentCode: '330106', name: '' }, '请输入区划名称'],
])('[S5.21] %o is refused in words', async (json, msg) => {
  expect(await submit(json)).toMatchObject({ status: 400, body: { msg } })
})

test('a workbook goes in whole or not at all, covers or leaves what is there, and comes out as it went in', async () => {
  const refused = await send([
    ['330108001', '330108', '西兴街道', '1', ''],
    ['330108001', '330108', '西兴', '', ''],
    ['330108002', '330109', '长河街道', '', ''],
    ['x', '', '', '', ''],
  ])
  expect([refused.status, refused.body.data.fields.map((one: { msg: string }) => one.msg)]).toEqual([
    400,
    [
      '第 2 行：区划编号 330108001 在文件中重复',
      '第 3 行：区划编号 330108001 在文件中重复',
      '第 4 行：330108002 不能在 330109 之下',
      '第 5 行：区划编号“x”不是 6、9 或 12 位数字',
    ],
  ])
  const rows = [
    ['330108001001', '330108001', '西陵社区', '', ''],
    ['330108001', '330108', '西兴街道', '1', '新'],
    ['330108', '330100', '滨江高新区', '3', ''],
  ]
  expect((await send(rows)).body.data).toEqual({ added: 2, updated: 0, skipped: 1 })
  expect(await find('330108001001')).toMatchObject({ fullName: '浙江省杭州市滨江区西兴街道西陵社区' })
  expect((await send(rows, 1)).body.data).toEqual({ added: 0, updated: 3, skipped: 0 })
  expect(await find('330108001001')).toMatchObject({ fullName: '浙江省杭州市滨江高新区西兴街道西陵社区' })
  const folder = await mkdtemp(join(tmpdir(), 'kaopu-region-'))
  try {
    const path = join(folder, 'a.xlsx')
    const book = await operator.get(`${at}/export-region`, { query: { code: '330108' } })
    await writeFile(path, book.raw)
    const read = await readSheet(path)
    const lines = 'rows' in read ? read.rows.map(row => row.cells.map(cell => String(cell ?? ''))) : []
    expect(lines[0]?.[0]).toContain('行政区划 · ')
    expect(lines.slice(1).map(cells => cells.slice(0, 3))).toEqual([
      header.slice(0, 3),
      ['330108001001', '330108001', '西陵社区'],
      ['330108001', '330108', '西兴街道'],
      ['330108', '330100', '滨江高新区'],
    ])
    // What was exported can be imported, watermark and all.
    const again = await operator.post(`${at}/import-region`, { multipart: { files: [{ part: 'file', name: 'a.xlsx', bytes: book.raw }] } })
    expect(again.body.data).toEqual({ added: 0, updated: 0, skipped: 3 })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  expect((await operator.get(`${at}/export-template`)).headers['content-type']).toContain('spreadsheetml')
  const picture = { part: 'file', name: 'a.xlsx', bytes: Buffer.from('no workbook') }
  expect((await operator.post(`${at}/import-region`, { multipart: { files: [picture] } })).body.code).toBe(2802)
})
