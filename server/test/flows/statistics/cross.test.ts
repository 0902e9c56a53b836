import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { type Person, startTestApp, type TestApp, type TestTenant, testStart } from '../../support/app.ts'
import { type BuiltExam, buildExam } from '../../support/factories.ts'
import { sheetCells } from '../../support/sheet-text.ts'
import { insertSignups } from '../../support/sign-up-rows.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp()
})
afterAll(() => t.close())

const at = '/blade-signup/statistics'
interface World {
  readonly tenant: TestTenant
  readonly exam: BuiltExam
  readonly office: Person
}
/** How many of each post, by state; women are those with an even place in the list. */
const fill = async (counts: Readonly<Record<string, Readonly<Record<string, number>>>>): Promise<World> => {
  t.clock.set(testStart)
  const tenant = await t.tenant()
  const exam = await buildExam(tenant)
  const specs = Object.entries(counts).flatMap(([code, states]) =>
    Object.entries(states).flatMap(([state, count]) =>
      Array.from({ length: count }, (_, i) => ({
        name: `${code}${state}${i}`,
        code,
        type: code[0] ?? '',
        unit: code === 'A002' ? 'H02' : 'H01',
        examine: state === 'paid' ? 'passed' : state,
        payState: state === 'paid' ? 'paid' : 'none',
        content: { political: i % 2 === 0 ? '13' : '01', fresh: '1' },
      })),
    ),
  )
  await insertSignups(tenant, exam.examId, specs)
  await tenant.rows(sql`
    update signup set sex = case when id % 2 = 0 then 2 else 1 end, birthday = '1998-06-30', province = '330000', city = '330100', school = '新疆医科大学'`)
  return { tenant, exam, office: await tenant.staff('exam_admin') }
}
const cross = async (w: World, who: Person, dims: string[], more: object = {}) =>
  (await who.post(`${at}/getStatisticsInfo`, { json: { examId: w.exam.examId, dims, ...more } })).body
const lines = (table: { rows: Record<string, unknown>[] }) =>
  table.rows.map(row => [
    row['labels'],
    row['planNum'],
    row['submitted'],
    row['waiting'],
    row['passed'],
    row['refused'],
    row['paid'],
    row['ratio'],
    row['opens'],
  ])

test('[S7.52] a cross-table by unit and post: plan, states, payments, competition and whether a post is held, with all sums', async () => {
  const w = await fill({ A001: { waiting: 3, paid: 6, refused: 1 }, B001: { passed: 4, paid: 2 }, A002: { second: 1 } })
  const { data } = await cross(w, w.office, ['unit', 'code'])
  expect(data.dims).toEqual([
    { name: 'unit', label: '用人单位' },
    { name: 'code', label: '岗位' },
  ])
  expect(lines(data)).toEqual([
    [['区人民医院', 'A001 内科医师'], 2, 10, 3, 6, 1, 6, '5:1', true],
    [['区人民医院', 'B001 护士'], 4, 6, 0, 6, 0, 2, '1.5:1', false],
    [['区人民医院', '小计'], 6, 16, 3, 12, 1, 8, '2.7:1', null],
    [['社区卫生服务中心', 'A002 全科医师'], 1, 1, 1, 0, 0, 0, '1:1', false],
    [['社区卫生服务中心', '小计'], 1, 1, 1, 0, 0, 0, '1:1', null],
    [['合计'], 7, 17, 4, 12, 1, 8, '2.4:1', null],
  ])
  expect([data.hidden, data.totalsOnly, data.rows[0].keys]).toEqual([false, false, ['H01', 'A001']])
  const three = (await cross(w, w.office, ['type', 'region', 'political'])).data
  expect(lines(three)[0]?.[0]).toEqual(['医疗', '杭州市', expect.any(String)])
  expect(three.rows.at(-1)).toMatchObject({ submitted: 17, waiting: 4, paid: 8, planNum: null })
  expect((await cross(w, w.office, ['fresh', 'school', 'age'])).data.rows.at(-1)).toMatchObject({ submitted: 17 })
  expect((await cross(w, w.office, ['unit'], { unit: 'H02' })).data.rows).toHaveLength(2)
  // Bad dimensions are named.
  for (const dims of [[], ['unit', 'unit'], ['unit', 'code', 'sex', 'age'], ['password']])
    expect((await cross(w, w.office, dims)).code).toBe(400)
  // Another tenant's examination is none; a hiring unit sees its own.
  const stranger = await fill({ A001: { waiting: 5 } })
  expect((await cross(w, stranger.office, ['unit'])).code).toBe(404)
  const hr = await w.tenant.staff('unit_hr', { userCode: 'H02' })
  expect(lines((await cross(w, hr, ['unit'])).data)).toEqual([
    [['社区卫生服务中心'], 1, 1, 1, 0, 0, 0, '1:1', null],
    [['合计'], 1, 1, 1, 0, 0, 0, '1:1', null],
  ])
  expect((await cross(w, await w.tenant.staff('finance'), ['unit'])).code).toBe(403)
  const book = await w.office.post(`${at}/statisticsInfoExcel`, { json: { examId: w.exam.examId, dims: ['unit', 'code'] } })
  const cells = await sheetCells(book.raw)
  expect(cells[1]).toEqual([
    '用人单位',
    '岗位',
    '计划数',
    '报名人数',
    '报名人数（含已撤回）',
    '待审核',
    '退回修改',
    '审核通过',
    '不通过',
    '已撤回、取消资格',
    '已缴清人数',
    '竞争比',
    '是否达开考比例',
  ])
  expect(cells[2]).toEqual(['区人民医院', 'A001 内科医师', 2, 10, 10, 3, 0, 6, 1, 0, 6, '5:1', '是'])
})

test('[S7.52] fewer than three people, and what tells of them, is hidden from who has figures only, on the screen and in the workbook', async () => {
  const w = await fill({ A001: { waiting: 4, passed: 5, refused: 1 }, B001: { waiting: 6, passed: 7 }, A002: { waiting: 2 } })
  const auditor = await w.tenant.staff('auditor')
  const { data } = await cross(w, auditor, ['code'])
  const byCode = new Map<string, Record<string, unknown>>(data.rows.map((row: { labels: string[] }) => [row.labels[0]?.slice(0, 4), row]))
  expect(data.hidden).toBe(true)
  // The two people of A002 are told as one with the next post, here as in every report; the one who was refused is not said.
  expect(byCode.get('A002')).toBeUndefined()
  expect(byCode.get('其他（合')).toMatchObject({ submitted: 12, waiting: 6, planNum: null, ratio: null, opens: null })
  expect(byCode.get('B001')).toMatchObject({ submitted: 13, refused: null })
  expect(byCode.get('合计')).toMatchObject({ submitted: 25 })
  expect(JSON.stringify((await cross(w, w.office, ['code'])).data)).not.toContain('"submitted":null')
  const book = await auditor.post(`${at}/statisticsInfoExcel`, { json: { examId: w.exam.examId, dims: ['code'] } })
  const row = (await sheetCells(book.raw)).find(line => String(line[0]).startsWith('其他'))
  expect([row?.[2], row?.[3], row?.[6], row?.[7]]).toEqual([12, 12, '*', '*'])
  const three = (await cross(w, auditor, ['code', 'sex', 'age'])).data
  expect([three.totalsOnly, three.rows[0].waiting]).toEqual([true, null])
})

test('[S7.52] three dimensions: every row, subtotal and sum; who has figures only gets sums alone, without what tells of few', async () => {
  const w = await fill({
    A001: { waiting: 3, paid: 6, refused: 1 },
    B001: { passed: 4, paid: 2, returned: 1, withdrawn: 2 },
    A002: { second: 1 },
  })
  const dims = ['unit', 'code', 'political']
  const { data } = await cross(w, w.office, dims)
  const [hospital, centre] = ['区人民医院', '社区卫生服务中心']
  const rows = (table: { rows: Record<string, unknown>[] }) =>
    table.rows.map(row => [
      (row['labels'] as string[]).join(' / '),
      ...['submitted', 'waiting', 'returned', 'passed', 'refused', 'left', 'paid'].map(name => row[name]),
    ])
  expect(rows(data)).toEqual([
    [`${hospital} / A001 内科医师 / 中共党员`, 4, 1, 0, 3, 0, 0, 3],
    [`${hospital} / A001 内科医师 / 群众`, 6, 2, 0, 3, 1, 0, 3],
    [`${hospital} / A001 内科医师 / 小计`, 10, 3, 0, 6, 1, 0, 6],
    [`${hospital} / B001 护士 / 中共党员`, 4, 0, 0, 3, 0, 1, 1],
    [`${hospital} / B001 护士 / 群众`, 5, 0, 1, 3, 0, 1, 1],
    [`${hospital} / B001 护士 / 小计`, 9, 0, 1, 6, 0, 2, 2],
    [`${hospital} / 小计`, 19, 3, 1, 12, 1, 2, 8],
    [`${centre} / A002 全科医师 / 群众`, 1, 1, 0, 0, 0, 0, 0],
    [`${centre} / A002 全科医师 / 小计`, 1, 1, 0, 0, 0, 0, 0],
    [`${centre} / 小计`, 1, 1, 0, 0, 0, 0, 0],
    ['合计', 20, 4, 1, 12, 1, 2, 8],
  ])
  // All states together are the people, and whoever left competes for no place.
  for (const row of data.rows) expect(row.waiting + row.returned + row.passed + row.refused + row.left).toBe(row.submitted)
  expect((await cross(w, w.office, ['code'])).data.rows.map((row: { ratio: string }) => row.ratio)).toEqual([
    '5:1',
    '1:1',
    '1.8:1',
    '2.6:1',
  ])
  const audited = (await cross(w, await w.tenant.staff('auditor'), dims)).data
  expect([audited.totalsOnly, audited.hidden]).toEqual([true, true])
  const shown = Object.fromEntries(
    audited.rows.map((row: { labels: string[]; submitted: number | null }) => [row.labels.join(' / '), row.submitted]),
  )
  // The one person of the centre is told as one with the smaller post of the hospital, and both units as one: all sums stay.
  const merged = '其他（合并）'
  expect(shown).toEqual({
    [`${merged} / A001 内科医师 / 群众`]: 6,
    [`${merged} / A001 内科医师 / 中共党员`]: 4,
    [`${merged} / A001 内科医师 / 小计`]: 10,
    [`${merged} / ${merged} / 群众`]: 6,
    [`${merged} / ${merged} / 中共党员`]: 4,
    [`${merged} / ${merged} / 小计`]: 10,
    [`${merged} / 小计`]: 20,
    合计: 20,
  })
  for (const row of audited.rows)
    expect([row.waiting, row.returned, row.passed, row.refused, row.left, row.paid]).toEqual([null, null, null, null, null, null])
  expect((await cross(w, w.office, [...dims, 'sex'])).code).toBe(400)
})

test('[S7.51][S7.52] dues by post, the top and all of them with their ratio, and men and women by age', async () => {
  const w = await fill({ A001: { paid: 6 }, B001: { paid: 5, passed: 4 } })
  await w.tenant.rows(sql`
    insert into exam_pay (tenant_id, exam_id, signup_id, user_id, pay_name, amount_fen, paid_fen, state, paid_time, source, deadline)
    select tenant_id, exam_id, id, user_id, '报名费', 10000, case when pay_state = 'paid' then 10000 else 0 end,
      case when pay_state = 'paid' then 'paid' else 'due' end, case when pay_state = 'paid' then app_now() end, 1, app_now() + interval '5 days' from signup`)
  const finance = await w.tenant.staff('finance')
  const top = (await finance.get(`${at}/getPayByGW`, { query: { examId: w.exam.examId } })).body.data
  const b001 = {
    unit: 'H01',
    unitName: '区人民医院',
    code: 'B001',
    codeName: '护士',
    planNum: 4,
    should: 9,
    paid: 5,
    amount: 50000,
    ratio: '1.3:1',
    below: true,
  }
  const a001 = {
    unit: 'H01',
    unitName: '区人民医院',
    code: 'A001',
    codeName: '内科医师',
    planNum: 2,
    should: 6,
    paid: 6,
    amount: 60000,
    ratio: '3:1',
    below: false,
  }
  const a002 = {
    unit: 'H02',
    unitName: '社区卫生服务中心',
    code: 'A002',
    codeName: '全科医师',
    planNum: 1,
    should: 0,
    paid: 0,
    amount: 0,
    ratio: '0:1',
    below: true,
  }
  expect(top).toEqual([b001, a001, a002])
  const page = await finance.get(`${at}/getPayByGWPage`, { query: { examId: w.exam.examId, current: '2', size: '2' } })
  expect(page.body.data).toEqual({ records: [a002], total: 3, size: 2, current: 2, pages: 2 })
  const paper = w.exam.papers['01'] ?? ''
  expect((await finance.get(`${at}/getPayByGW`, { query: { examId: w.exam.examId, itemId: paper } })).body.data[0]).toMatchObject({
    should: 0,
  })
  const sexes = await w.office.post(`${at}/getSexStatisticsInfo`, { json: { examId: w.exam.examId } })
  const [{ men, women }] = (await w.tenant.rows(
    sql<{
      men: number
      women: number
    }>`select count(*) filter (where sex = 1)::int as men, count(*) filter (where sex = 2)::int as women from signup`,
  )) as [{ men: number; women: number }]
  expect([men + women, sexes.body.data]).toEqual([15, [{ name: '25–29 岁', male: men, female: women, unknown: 0 }]])
  const ofUnit = await w.office.post(`${at}/getSexStatisticsInfo`, { json: { examId: w.exam.examId, unit: 'H02' } })
  expect(ofUnit.body.data).toEqual([])
  const stranger = await fill({})
  expect((await stranger.office.get(`${at}/getPayByGW`, { query: { examId: w.exam.examId } })).status).toBe(404)
  expect((await (await w.tenant.staff('reviewer1')).get(`${at}/getPayByGW`, { query: { examId: w.exam.examId } })).status).toBe(403)
})

test('[S7.51] dues by post tell who has figures only of no one or two people, of one paper neither', async () => {
  const w = await fill({ A001: { paid: 30 }, B001: { paid: 5, passed: 4 }, A002: { paid: 1 } })
  const paper = w.exam.papers['01'] ?? ''
  const due = (where: ReturnType<typeof sql>, item: string) =>
    w.tenant.rows(sql`
      insert into exam_pay (tenant_id, exam_id, signup_id, user_id, item_id, pay_name, amount_fen, paid_fen, state, paid_time, source, deadline)
      select tenant_id, exam_id, id, user_id, ${item}::bigint, ${item === '0' ? '报名费' : '科目费'}, 10000, case when pay_state = 'paid' then 10000 else 0 end,
        case when pay_state = 'paid' then 'paid' else 'due' end, case when pay_state = 'paid' then app_now() end, 1, app_now() + interval '5 days' from signup where ${where}`)
  await due(sql`true`, '0')
  // One of the thirty of A001 pays for the paper as well; all of B001 do.
  await due(sql`code = 'B001' or id = (select min(id) from signup where code = 'A001')`, paper)
  await w.tenant.rows(sql`
    delete from role_menu where role_id = (select id from role where role_alias = 'finance') and menu_id = (select id from menu where code = 'exampay_view')`)
  const finance = await w.tenant.staff('finance')
  const by = async (query: object) =>
    Object.fromEntries(
      (await finance.get(`${at}/getPayByGW`, { query: { examId: w.exam.examId, ...query } })).body.data.map(
        (row: { code: string; should: number | null; paid: number | null }) => [row.code, [row.should, row.paid]],
      ),
    )
  expect(await by({})).toEqual({ A001: [30, 30], B001: [null, null], A002: [null, null] })
  expect(await by({ itemId: paper })).toEqual({ A001: [null, null], B001: [null, null], A002: [null, null] })
})
