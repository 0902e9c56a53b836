import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { everyRegion } from '#modules/reference/data/region.repo.ts'
import { type Answer, type Person, startTestApp, type TestApp } from '../../support/app.ts'
import { sheetRows } from '../../support/sheet-text.ts'
import { workbook } from '../../support/workbook.ts'

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
const importBook = (bytes: Buffer, fields: Record<string, string> = {}, by = operator) =>
  by.post(`${at}/import-region`, { multipart: { fields, files: [{ part: 'file', name: '区划.xlsx', bytes }] } })
const send = async (rows: string[][], fields: Record<string, string> = { mode: 'check' }) =>
  importBook(await workbook([header, ...rows]), fields)
const problems = (answer: Answer): string[] =>
  answer.body.data.errors.map(({ row, header: of, code }: { row: number; header: string; code: string }) => `${row} ${of} ${code}`)

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
    level: 3,
    ancestors: '00,330000,330100',
    provinceCode: '330000',
    provinceName: '浙江省',
    cityCode: '330100',
    cityName: '杭州市',
    districtCode: '330102',
    districtName: '上城区',
    townCode: '',
    townName: '',
    villageCode: '',
    villageName: '',
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

describe('[S7.15] regions out of a workbook', () => {
  test('what is wrong is said cell by cell with an error workbook, and nothing is written; cells are mended without the workbook', async () => {
    const wrong = await send([
      ['330108901', '330108', '西兴街道', '1', ''],
      ['330108901', '330108', '西兴', '', ''],
      ['330108902', '330109', '长河街道', '', ''],
      ['x', '', '', '10000', '备'.repeat(256)],
      ['330108903', '330108', '名'.repeat(61), '一', ''],
      ['330108903001', '330108903', '某社区', '', ''],
      ['980101', '980100', '无上级', '', ''],
      ['990000', '330000', '试验省', '', ''],
      ['３３０１０８９０４', '330108', '浦沿街道', '2', ''],
    ])
    expect(wrong.body.data).toMatchObject({ kind: 'T0r', state: 2, total: 9, ok: 2, failed: 7, inserted: 0 })
    expect(problems(wrong)).toEqual([
      '3 区划编号 duplicate',
      '4 上级编号 not-below',
      '5 区划编号 code',
      '5 区划名称 required',
      '5 排序 number',
      '5 备注 too-long',
      '6 区划名称 too-long',
      '6 排序 number',
      '7 上级编号 parent-wrong',
      '8 上级编号 parent-missing',
      '9 上级编号 no-parent',
    ])
    expect(wrong.body.data.errors.map((one: { reason: string }) => one.reason)).toEqual(
      expect.arrayContaining([
        '与第 2 行重复',
        '330108902 不能在 330109 之下',
        '上级区划在第 6 行，该行有错误',
        '上级区划不存在，也不在文件中',
      ]),
    )
    const book = await sheetRows((await operator.get(wrong.body.data.errorFileUrl)).raw)
    expect(book[0]).toEqual([...header, '校验结果', '错误原因'])
    expect([book[1]?.[5], book[3]?.slice(5)]).toEqual(['通过', ['不通过', '上级编号: 330108902 不能在 330109 之下']])
    expect((await send([['990000', '330000', '试验省']], { mode: 'commit' })).body).toMatchObject({ reason: 'import/invalid' })
    expect((await operator.get(`${at}/lazy-list`, { query: { code: '3301089' } })).body.data).toEqual([])
    const { importId } = (await send([['990000', '330000', '试验省']])).body.data
    const mend = { mode: 'check', importId, fixes: JSON.stringify([{ row: 2, column: 'B', value: '' }]) }
    const again = (fields: Record<string, string>) => operator.post(`${at}/import-region`, { multipart: { fields } })
    expect((await again(mend)).body.data).toMatchObject({ ok: 1, failed: 0 })
    expect((await again({ mode: 'commit', importId })).body.data).toMatchObject({ state: 4, inserted: 1 })
    expect(await find('990000')).toMatchObject({ name: '试验省', fullName: '试验省', regionLevel: 1 })
    expect((await operator.post(`${at}/remove`, { query: { id: '990000' } })).status).toBe(200)
  })

  test('rows in any order are added, what is there is left or covered as the last call says, and one audit line tells the run', async () => {
    const rows = [
      ['330108001001', '330108001', '西陵社区', '', ''],
      ['330108001', '330108', '西兴街道', '1', '=1+1'],
      ['330108', '330100', '滨江高新区', '3', ''],
    ]
    expect((await send(rows, { mode: 'commit' })).body.data).toMatchObject({ state: 4, inserted: 2, updated: 0, skipped: 1 })
    expect(await find('330108001001')).toMatchObject({ fullName: '浙江省杭州市滨江区西兴街道西陵社区' })
    const { importId } = (await send(rows)).body.data
    const done = await operator.post(`${at}/import-region`, { multipart: { fields: { mode: 'commit', importId, isCovered: '1' } } })
    expect(done.body.data).toMatchObject({ inserted: 0, updated: 1, skipped: 2 })
    expect(await find('330108001')).toMatchObject({ sort: 1, remark: '=1+1', version: 0 })
    expect(await find('330108')).toMatchObject({ fullName: '浙江省杭州市滨江高新区', sort: 3, version: 1 })
    expect(await find('330108001001')).toMatchObject({ fullName: '浙江省杭州市滨江高新区西兴街道西陵社区' })
    expect(
      await t.platform().rows(sql<object>`
        select tenant_id as tenant, user_id::text as by, actor_kind as kind, after_value->'isCovered' as covered, after_value->'updated' as updated
        from audit_log where action = 'import.T0r' and entity_id = ${importId}`),
    ).toEqual([{ tenant: t.platform().tenantId, by: operator.userId, kind: 'platform', covered: 1, updated: 1 }])
    expect((await send(rows, { mode: 'commit', isCovered: '1' })).body.data).toMatchObject({ inserted: 0, updated: 0, skipped: 3 })
    expect((await find('330108')).version).toBe(1)
  })

  test('what is checked is what is written upon: a parent that goes meanwhile is missed, and nothing stands below nothing', async () => {
    await submit({ code: '330108007', parentCode: '330108', name: '将去街道' })
    const [holder, watcher] = [await t.owner(), await t.owner()]
    await holder.query('begin')
    await holder.query(`select pg_advisory_xact_lock(hashtextextended('regions', 0))`)
    await holder.query(`delete from region where code = '330108007'`)
    const sent = send([['330108007001', '330108007', '某社区', '', '']], { mode: 'commit' })
    const isWaiting = async () =>
      (await watcher.query(`select 1 from pg_stat_activity where wait_event_type = 'Lock' and query ~ '''regions'''`)).rows.length > 0
    await expect.poll(isWaiting, { timeout: 20_000 }).toBe(true)
    await holder.query('commit')
    expect((await sent).body).toMatchObject({ reason: 'import/invalid' })
    expect((await operator.get(`${at}/detail`, { query: { code: '330108007001' } })).status).toBe(404)
  })

  test('the right rows alone, where that is asked for', async () => {
    const rows = [
      ['330108005', '330108', '', '', ''],
      ['330108005001', '330108005', '某社区', '', ''],
      ['330108006', '330108', '长河街道', '', ''],
    ]
    expect((await send(rows, { mode: 'commit', policy: 'partial' })).body.data).toMatchObject({ state: 4, inserted: 1, failed: 2 })
    expect(await find('330108006')).toMatchObject({ name: '长河街道' })
  })

  test('the whole list down to the counties comes back as it went out, in the background and in either language; nothing of it changes', async () => {
    for (const language of ['zh', 'en'] as const) {
      const { raw } = await operator.get(`${at}/export-region`, { language })
      const [mark = [], ...rest] = await sheetRows(raw)
      expect(mark[0]).toContain(language === 'zh' ? '行政区划 · ' : 'Regions · ')
      const total = rest.length - 1
      expect(total).toBeGreaterThan(3_225)
      const started = (await importBook(raw, { mode: 'commit', isCovered: '1' })).body.data
      expect(started).toMatchObject({ kind: 'T0r', state: 0, total })
      expect((await t.runTasks()).filter(name => name !== 'log.platform-act')).toEqual(['exam.import'])
      const job = (await operator.get('/blade-exam/importjob/detail', { query: { id: started.importId } })).body.data
      expect(job).toMatchObject({ state: 4, total, ok: total, inserted: 0, updated: 0, skipped: total, errors: [] })
    }
  })

  test('the template says what belongs into each column; who may not import gets neither, and neither does another tenant', async () => {
    const template = (await operator.get(`${at}/export-template`)).raw
    expect(await sheetRows(template)).toEqual([header])
    const meant = await sheetRows(template, '填写说明')
    expect(meant.map(row => row.slice(0, 2))).toEqual([
      ['列', '必填'],
      ['区划编号', '是'],
      ['上级编号', ''],
      ['区划名称', '是'],
      ['排序', ''],
      ['备注', ''],
    ])
    expect((await operator.get('/blade-exam/examination/importTemplate', { query: { kind: 'T0r' } })).status).toBe(200)
    expect((await importBook(await workbook([header.slice(1), ['330108', '滨江区']]))).body).toMatchObject({ reason: 'import/header' })
    expect((await importBook(Buffer.from('no workbook'))).body.reason).toBe('import/unreadable')
    const bytes = await workbook([header, ['980000', '', '他省']])
    const theirs = await (await t.tenant()).staff('admin')
    const reviewer = await t.platform().staff('reviewer1')
    for (const by of [theirs, reviewer]) {
      expect((await importBook(bytes, { mode: 'commit' }, by)).status).toBe(403)
      expect((await by.get(`${at}/export-template`)).status).toBe(403)
    }
    expect((await operator.get(`${at}/detail`, { query: { code: '980000' } })).status).toBe(404)
  })
})

test('the whole list, page by page, has each region once, also when one that was read goes or one comes before it meanwhile', async () => {
  for (const code of ['330105001', '330105002', '330105003']) await submit({ code, parentCode: '330105', name: `街道${code}` })
  /** Codes below a district two by two, with something done when the first two were read. */
  const read = async (meanwhile: () => Promise<Answer>): Promise<string[]> => {
    const seen: string[] = []
    const pages = everyRegion(
      work => t.app.services.scopes.asPlatform('the list is read page by page', t.clock.now(), work),
      { code: '330105' },
      2,
    )
    for await (const { code } of pages) {
      seen.push(code)
      if (seen.length === 2) expect((await meanwhile()).status).toBe(200)
    }
    return seen
  }
  const before = ['330105', '330105001', '330105002', '330105003']
  expect(await read(() => operator.post(`${at}/remove`, { query: { ids: '330105001' } }))).toEqual(before)
  const comes = () => submit({ code: '330105001', parentCode: '330105', name: '回来的街道' })
  expect(await read(comes)).toEqual(['330105', '330105002', '330105003'])
  expect((await operator.post(`${at}/remove`, { query: { ids: '330105001,330105002,330105003' } })).status).toBe(200)
})
