import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Design } from '#contract/report/design.ts'
import type { ReportGrid } from '#contract/report/report.routes.ts'
import { sql } from '#kernel/db/sql.ts'
import { type Answer, type Person, startTestApp, type TestApp, type TestTenant } from '../../support/app.ts'
import { type BuiltExam, buildExam } from '../../support/factories.ts'
import { doWork } from '../../support/own-work.ts'
import { pdfText } from '../../support/pdf-text.ts'
import { sheetCells } from '../../support/sheet-text.ts'
import { insertSignups } from '../../support/sign-up-rows.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp()
})
afterAll(() => t.close())

const base = '/blade-report/report'
const byWords = { by: 'labels', descending: false }
const design = (of: Partial<Design> = {}): Design => ({
  dataSet: 'signups',
  rows: ['unit'],
  columns: ['sex'],
  measures: ['rows'],
  filters: [],
  order: byWords,
  totals: 'both',
  chart: 'bar',
  ...of,
})

/** How many of each sex a post has. */
type Counts = Readonly<Record<string, readonly [men: number, women: number]>>
const unitOf: Readonly<Record<string, string>> = { A001: 'H01', B001: 'H01', A002: 'H02' }

const fill = async (tenant: TestTenant, counts: Counts): Promise<BuiltExam> => {
  const exam = await buildExam(tenant)
  for (const [code, [men, women]] of Object.entries(counts)) {
    const made = await insertSignups(
      tenant,
      exam.examId,
      Array.from({ length: men + women }, () => ({ code, type: code[0] ?? 'A', unit: unitOf[code] ?? 'H01' })),
    )
    const ids = made.slice(0, men).map(one => one.id)
    await tenant.db(db => db.run(sql`update signup set sex = 1 where id = any(${ids}::bigint[])`))
  }
  return exam
}
const preview = (person: Person, of: Design, language: 'zh' | 'en' = 'zh'): Promise<Answer> =>
  person.post(`${base}/preview`, { json: { design: of }, language })
/** A table as people read it: words, then values; `*` is hidden and `-` is nothing. */
const read = (grid: ReportGrid): (string | number)[][] =>
  grid.rows.map(row => [...row.labels, ...row.cells.map(cell => (cell.state === 2 ? '*' : cell.state === 1 ? '-' : (cell.value ?? '?')))])
const table = async (person: Person, of: Design): Promise<(string | number)[][]> => {
  const answer = await preview(person, of)
  expect(answer.body).toMatchObject({ code: 200 })
  return read(answer.body.data)
}
const save = async (person: Person, reportName: string, of: Design, roleIds: readonly string[] = []): Promise<string> => {
  const answer = await person.post(`${base}/submit`, { json: { reportName, design: of, roleIds } })
  expect(answer.body).toMatchObject({ code: 200 })
  return answer.body.data.id
}
const roleId = async (tenant: TestTenant, alias: string): Promise<string> =>
  (await tenant.rows(sql<{ id: string }>`select id::text as id from role where role_alias = ${alias}`))[0]?.id ?? ''
/** Whoever has only this role sees figures, and no rows of sign-ups any more. */
const takeRows = async (tenant: TestTenant, alias: string, right = 'signup_view'): Promise<void> => {
  await tenant.db(db =>
    db.run(
      sql`delete from role_menu where role_id = (select id from role where role_alias = ${alias}) and menu_id = (select id from menu where code = ${right})`,
    ),
  )
  t.app.modules.auth.cache.dropAll()
}
const run = async (person: Person, id: string): Promise<string> => {
  const ordered = await person.post(`${base}/run`, { json: { id } })
  expect(ordered.body).toMatchObject({ code: 200, data: { state: 0 } })
  await t.runTasks()
  return ordered.body.data.id
}

describe('cells, sums and charts', () => {
  let tenant: TestTenant
  let other: TestTenant
  let exam: BuiltExam
  let office: Person
  beforeAll(async () => {
    tenant = await t.tenant()
    other = await t.tenant()
    exam = await fill(tenant, { A001: [6, 4], B001: [3, 5], A002: [9, 7] })
    await fill(other, { A001: [50, 50], A002: [50, 50] })
    await takeRows(tenant, 'exam_admin')
    office = await tenant.staff('exam_admin')
  })

  test('[S7.61] a cube with its sums holds the rows counted by hand, none of another tenant', async () => {
    const answer = await preview(office, design())
    expect(answer.body.data).toMatchObject({
      rowHeads: ['用人单位'],
      columnHeads: ['性别'],
      columns: [
        { labels: ['男'], measure: '报名人数（含已撤回）', unit: 'count', isTotal: false },
        { labels: ['女'], measure: '报名人数（含已撤回）', unit: 'count', isTotal: false },
        { labels: ['合计'], measure: '报名人数（含已撤回）', unit: 'count', isTotal: true },
      ],
      totalRows: 3,
      hidden: 0,
      chart: {
        kind: 'bar',
        axis: '用人单位',
        categories: ['区人民医院', '社区卫生服务中心'],
        series: [
          { title: '男', values: [9, 9] },
          { title: '女', values: [9, 7] },
        ],
      },
    })
    expect(read(answer.body.data)).toEqual([
      ['区人民医院', 9, 9, 18],
      ['社区卫生服务中心', 9, 7, 16],
      ['合计', 18, 16, 34],
    ])
    const english = await preview(office, design(), 'en')
    expect([english.body.data.rowHeads, english.body.data.columns[0].labels, english.body.data.rows.at(-1).labels]).toEqual([
      ['Hiring unit'],
      ['Male'],
      ['Total'],
    ])
  })

  test('[S7.61] three dimensions with subtotals, ordered by a measure, without columns', async () => {
    const rows = await table(office, design({ rows: ['unit', 'post'], columns: [], order: { by: 'rows', descending: true } }))
    expect(rows.map(row => [row[0], row.at(-1)])).toEqual([
      ['区人民医院', 10],
      ['区人民医院', 8],
      ['区人民医院', 18],
      ['社区卫生服务中心', 16],
      ['社区卫生服务中心', 16],
      ['合计', 34],
    ])
    const cube = await table(office, design({ rows: ['unit', 'postType'], totals: 'none' }))
    expect(cube.map(row => row.slice(2))).toEqual([
      [6, 4],
      [3, 5],
      [9, 7],
    ])
  })

  test('[S7.61] filters keep what they name, and few people left out hide the cell as few within it do', async () => {
    const men = design({ rows: ['unit'], columns: [], filters: [{ dimension: 'sex', values: ['1'] }], totals: 'rows' })
    expect(await table(office, men)).toEqual([
      ['区人民医院', 9],
      ['社区卫生服务中心', 9],
      ['合计', 18],
    ])
    const [signup] = await tenant.rows(sql<{ id: string }>`select id::text as id from signup where code = 'A002' and sex = 2 limit 1`)
    // All but one woman of the hospital are men now: whoever takes these figures from those of everybody would know of her.
    await tenant.db(db => db.run(sql`update signup set sex = 1 where code = 'A002' and sex = 2 and id <> ${signup?.id}`))
    expect(await table(office, men)).toEqual([
      ['区人民医院', '*'],
      ['社区卫生服务中心', '*'],
      ['合计', 24],
    ])
    await tenant.db(db =>
      db.run(sql`update signup set sex = 2 where id in (select id from signup where code = 'A002' order by id desc limit 7)`),
    )
    await tenant.db(db =>
      db.run(
        sql`update signup set sex = 1 where code = 'A002' and id not in (select id from signup where code = 'A002' order by id desc limit 7)`,
      ),
    )
  })

  test('[S7.61] a period is days from and until, and values of a dimension are offered by name', async () => {
    expect(
      await table(office, design({ rows: ['day'], columns: [], filters: [{ dimension: 'day', from: '2026-03-17', until: '2026-03-17' }] })),
    ).toEqual([
      ['2026-03-17', 34],
      ['合计', 34],
    ])
    expect(await table(office, design({ rows: ['day'], columns: [], filters: [{ dimension: 'day', until: '2026-03-16' }] }))).toEqual([])
    const values = await office.get(`${base}/values`, { query: { dataSet: 'signups', dimension: 'unit' } })
    expect(values.body.data).toEqual([
      { value: 'H01', label: '区人民医院' },
      { value: 'H02', label: '社区卫生服务中心' },
    ])
    const byExam = design({ rows: ['exam'], columns: [], filters: [{ dimension: 'exam', values: [exam.examId] }], totals: 'none' })
    expect((await table(office, byExam)).map(row => row[1])).toEqual([34])
  })
})

describe('few people', () => {
  let tenant: TestTenant
  let office: Person
  beforeAll(async () => {
    tenant = await t.tenant()
    await fill(tenant, { A001: [6, 1], B001: [5, 8], A002: [9, 7] })
    await takeRows(tenant, 'exam_admin')
    office = await tenant.staff('exam_admin')
  })

  test('[S7.61] one person is in no cell, sum, chart or order, and cannot be worked out from those that are shown', async () => {
    const answer = await preview(office, design({ rows: ['post'] }))
    const rows = read(answer.body.data)
    const numbers = rows.map(row => row.slice(1))
    expect(numbers).toEqual([
      ['*', '*', 7],
      [9, 7, 16],
      ['*', '*', 13],
      [20, 16, 36],
    ])
    expect(answer.body.data.hidden).toBe(4)
    expect(answer.body.data.chart.series).toEqual([
      { title: '男', values: [null, 9, null] },
      { title: '女', values: [null, 7, null] },
    ])
    expect(JSON.stringify(answer.body.data)).not.toMatch(/"value":(1|6|5|8),/)
  })

  test('[S7.61] the same cells are hidden when the report is turned around', async () => {
    const rows = await table(office, design({ rows: ['sex'], columns: ['post'] }))
    expect(rows).toEqual([
      ['男', '*', 9, '*', 20],
      ['女', '*', 7, '*', 16],
      ['合计', 7, 16, 13, 36],
    ])
  })

  test('[S7.61] where every value has few people they are told as one, and the sum stays', async () => {
    const few = await t.tenant()
    await fill(few, { A001: [0, 2], A002: [0, 1] })
    await takeRows(few, 'exam_admin')
    const reader = await few.staff('exam_admin')
    expect(await table(reader, design({ rows: ['post'] }))).toEqual([
      ['其他（合并）', 3, 3],
      ['合计', 3, 3],
    ])
  })

  test('[S7.61] an order by a measure does not tell where a hidden value would stand', async () => {
    const ordered = await table(
      office,
      design({
        rows: ['post'],
        columns: [],
        filters: [{ dimension: 'sex', values: ['2'] }],
        order: { by: 'rows', descending: true },
        totals: 'none',
      }),
    )
    expect(ordered.map(row => row[1])).toEqual([7, '*', '*'])
    const rising = await table(
      office,
      design({
        rows: ['post'],
        columns: [],
        filters: [{ dimension: 'sex', values: ['2'] }],
        order: { by: 'rows', descending: false },
        totals: 'none',
      }),
    )
    expect(rising.map(row => row[1])).toEqual([7, '*', '*'])
  })

  test('[S7.61] many rows of two people are few people, save for whoever may see each row', async () => {
    const [exam] = await tenant.rows(sql<{ id: string }>`select id::text as id from examination`)
    const people = await tenant.rows(
      sql<{
        id: string
        userId: string
      }>`select id::text as id, user_id::text as "userId" from signup where code = 'A001' order by id limit 2`,
    )
    for (const [i, { id, userId }] of people.entries())
      for (const name of ['甲', '乙', '丙'])
        await tenant.db(db =>
          db.run(sql`
            insert into exam_pay (tenant_id, exam_id, signup_id, user_id, pay_name, amount_fen, paid_fen, state, deadline, paid_time)
            values (${tenant.tenantId}, ${exam?.id}, ${id}, ${userId}, ${name}, ${1000 + i}, ${1000 + i}, 'paid', '2026-03-22T17:00:00+08:00', '2026-03-17T09:00:00+08:00')`),
        )
    const finance = await tenant.staff('finance')
    const charted = await preview(
      finance,
      design({ dataSet: 'dues', rows: ['month', 'payWay'], columns: [], measures: ['rows', 'paid'], chart: 'pie', chartMeasure: 'paid' }),
    )
    expect(charted.body.data.chart).toEqual({
      kind: 'bar',
      axis: '缴费方式 · 缴费月份',
      measure: '已缴金额',
      unit: 'money',
      allCategories: 1,
      allSeries: 1,
      isUndated: false,
      categories: ['（空） · 2026-03'],
      series: [{ title: '已缴金额', values: [6003] }],
    })
    const wrong = await preview(
      finance,
      design({ dataSet: 'dues', rows: ['month'], columns: [], measures: ['rows'], chartMeasure: 'paid' }),
    )
    expect([wrong.status, wrong.body.msg]).toEqual([400, '报表设计有误：图表只能画已选的指标'])
    const dues = design({ dataSet: 'dues', rows: ['state'], columns: [], measures: ['rows', 'paid'], order: byWords })
    expect(await table(finance, dues)).toEqual([
      ['已缴', 6, 6003],
      ['合计', 6, 6003],
    ])
    await takeRows(tenant, 'finance', 'exampay_view')
    const left = await preview(finance, dues)
    expect([read(left.body.data), left.body.data.leftOut]).toEqual([[], 1])
  })
})

describe('few people by several reports', () => {
  const byPost = (values: readonly string[], of: Partial<Design> = {}) =>
    design({ rows: ['exam'], columns: [], filters: [{ dimension: 'post', values: [...values] }], totals: 'none', ...of })
  const numbers = async (person: Person, of: Design) => (await table(person, of)).map(row => row.slice(1))

  test('[S7.61] a value added to a filter does not tell of the one person whom it adds', async () => {
    const tenant = await t.tenant()
    const exam = await fill(tenant, { A001: [1, 0], B001: [4, 3], A002: [9, 7] })
    const [a1, a2, b1] = ['A001', 'A002', 'B001'].map(code => `${exam.examId}|${code}`) as [string, string, string]
    const office = await tenant.staff('exam_admin')
    const reports = [[a1], [b1], [b1, a1], [a1, a2], [a2, b1], [a1, a2, b1]].map(values => byPost(values))
    const shown = async () => Promise.all(reports.map(one => numbers(office, one)))
    expect(await shown()).toEqual([[[1]], [[7]], [[8]], [[17]], [[23]], [[24]]])
    await takeRows(tenant, 'exam_admin')
    // Both are one class in every report, and what takes a part of it is not shown.
    expect(await shown()).toEqual([[['*']], [['*']], [[8]], [['*']], [['*']], [[24]]])
    expect(await table(office, design({ rows: ['post'], columns: [] }))).toEqual([
      ['A002 全科医师', 16],
      ['其他（合并）', 8],
      ['合计', 24],
    ])
    expect(await numbers(office, design({ rows: ['exam'], columns: [], totals: 'none' }))).toEqual([[24]])
    const wide = await preview(office, byPost([a1], { rows: ['unit', 'sex', 'day'] }))
    expect([wide.status, wide.body.msg]).toEqual([400, expect.stringMatching(/^您只有统计数字的权限：.+最多 3 项/)])
  })

  test('[S7.61] nor do bands of scores, or a mean; whoever has no score is in no band', async () => {
    const tenant = await t.tenant()
    const exam = await fill(tenant, { A001: [1, 0], B001: [4, 3], A002: [9, 7] })
    const made = await tenant.rows(
      sql<{ id: string; userId: string; code: string }>`select id::text as id, user_id::text as "userId", code from signup order by id`,
    )
    const [paper] = await tenant.rows(
      sql<{ id: string }>`select id::text as id from exam_item where exam_id = ${exam.examId} order by id limit 1`,
    )
    for (const [i, { id, userId, code }] of made.entries())
      await tenant.db(db =>
        db.run(sql`insert into result (tenant_id, exam_id, signup_id, user_id, item_id, ticket_no, name, result_state, final_score)
          values (${tenant.tenantId}, ${exam.examId}, ${id}, ${userId}, ${paper?.id}, ${String(i)}, '甲', 1, ${code === 'A001' ? 95 : code === 'B001' ? 62 : i % 2 === 0 ? 71 : null})`),
      )
    const office = await tenant.staff('exam_admin')
    const bands = design({ dataSet: 'results', rows: ['band'], columns: [], totals: 'none' })
    expect(await table(office, bands)).toEqual([
      ['60–69 分', 7],
      ['70–79 分', 8],
      ['90–99 分', 1],
      ['（空）', 8],
    ])
    const asked = [['6'], ['6', '9']].map(values =>
      design({
        dataSet: 'results',
        rows: ['exam'],
        columns: [],
        measures: ['rows', 'meanScore'],
        filters: [{ dimension: 'band', values }],
        totals: 'none',
      }),
    )
    expect(await Promise.all(asked.map(one => numbers(office, one)))).toEqual([[[7, 62]], [[8, 66.13]]])
    await tenant.db(async db =>
      db.run(sql`insert into role_field_rule (tenant_id, role_id, noun, field, level, views)
        values (${tenant.tenantId}, ${await roleId(tenant, 'exam_admin')}, 'result', 'remark', 2, '{}')`),
    )
    t.app.modules.auth.cache.dropAll()
    const [one, two] = await Promise.all(asked.map(of => numbers(office, of)))
    expect(one).toEqual([['*', '*']])
    // Both bands are one class: what is told of it is told of no part.
    expect(two).toEqual([[8, 66.13]])
  })
})

describe('one person of a few, by all reports of the same people', () => {
  const words: Readonly<Record<string, string>> = { '01': '中共党员', '03': '共青团员', '13': '群众' }
  /** How many people of each political status a post has. */
  const people = async (
    counts: Readonly<Record<string, Readonly<Record<string, number>>>>,
  ): Promise<{ tenant: TestTenant; exam: BuiltExam }> => {
    const tenant = await t.tenant()
    const exam = await buildExam(tenant)
    for (const [code, states] of Object.entries(counts))
      for (const [political, count] of Object.entries(states)) {
        const made = await insertSignups(
          tenant,
          exam.examId,
          Array.from({ length: count }, () => ({ code, type: code[0] ?? 'A', unit: unitOf[code] ?? 'H01', content: { political } })),
        )
        const men = made.filter((_, i) => i % 2 === 0).map(one => one.id)
        await tenant.db(db => db.run(sql`update signup set sex = 1 where id = any(${men}::bigint[])`))
      }
    return { tenant, exam }
  }
  const counts = { A001: { '01': 9, '03': 8, '13': 12 }, A002: { '01': 7, '03': 3, '13': 14, '12': 1 } }
  const political = (of: Partial<Design> = {}) => design({ rows: ['political'], columns: [], ...of })
  const wordAt = (row: readonly (string | number)[] | undefined): string => String(row?.[0])

  test('[S7.61] a status of one person is told as one with the smallest other, alike in every layout and never by a difference', async () => {
    const { tenant } = await people(counts)
    const auditor = await tenant.staff('auditor')
    await takeRows(tenant, 'auditor')
    const alone = await table(auditor, political())
    expect(alone).toEqual([
      [words['01'], 16],
      [words['13'], 26],
      ['其他（合并）', 12],
      ['合计', 54],
    ])
    // Beside whatever else, the same statuses are shown by themselves, and their sums are these.
    for (const columns of [['sex'], ['post'], ['unit'], ['state'], ['ageGroup', 'sex']]) {
      const beside = await table(auditor, political({ columns }))
      expect(beside.map(row => [row[0], row.at(-1)])).toEqual(alone)
      const turned = await preview(auditor, political({ rows: columns.slice(0, 2), columns: ['political'], totals: 'both' }))
      const sums = read(turned.body.data).at(-1)?.slice(-4)
      expect(sums).toEqual([16, 26, 12, 54])
    }
    const by = async (values: readonly string[]) =>
      (
        await table(
          auditor,
          design({ rows: ['exam'], columns: [], filters: [{ dimension: 'political', values: [...values] }], totals: 'none' }),
        )
      )[0]?.[1]
    // All but the members of the party, all but one status: what a filter leaves is the sum of whole classes or is not told.
    expect(await by(['01', '13'])).toBe(42)
    expect(await by(['01', '13', '03'])).toBe('*')
    expect(await by(['03', '12', '13'])).toBe(38)
    expect(await by(['12'])).toBe('*')
    expect(await by(['03'])).toBe('*')
  })

  test('[S7.61] a day more of a period does not tell of the one person of that day', async () => {
    const { tenant } = await people(counts)
    const auditor = await tenant.staff('auditor')
    await takeRows(tenant, 'auditor')
    const [one] = await tenant.rows(sql<{ id: string }>`select id::text as id from signup order by id desc limit 1`)
    await tenant.db(db => db.run(sql`update signup set first_submit_time = '2026-03-18T10:00:00+08:00' where id = ${one?.id}`))
    const until = async (day: string) =>
      (await table(auditor, design({ rows: ['exam'], columns: [], filters: [{ dimension: 'day', until: day }], totals: 'none' })))[0]?.[1]
    expect([await until('2026-03-17'), await until('2026-03-18')]).toEqual(['*', 54])
  })

  test('[S7.61] two examinations together tell no more than each: what one has few of is in no sum by itself', async () => {
    const { tenant, exam } = await people({ A001: { '01': 9, '13': 12, '03': 5 } })
    const second = await buildExam(tenant, { exam: { exam_code: 'SECOND', exam_name: '第二场', exam_no: 94 } })
    for (const [status, count] of [
      ['01', 1],
      ['13', 8],
      ['03', 7],
    ] as const)
      await insertSignups(
        tenant,
        second.examId,
        Array.from({ length: count }, () => ({ code: 'A001', type: 'A', unit: 'H01', content: { political: status } })),
      )
    const auditor = await tenant.staff('auditor')
    await takeRows(tenant, 'auditor')
    const both = await table(auditor, political())
    const first = await table(auditor, political({ filters: [{ dimension: 'exam', values: [exam.examId] }] }))
    expect(first.map(row => row[1])).toEqual([9, 5, 12, 26])
    expect(both).toEqual([
      [words['13'], 20],
      ['其他（合并）', 22],
      ['合计', 42],
    ])
  })

  test('[S7.61] the workbook, the PDF, the chart and what is sent on schedule tell the same', async () => {
    const { tenant } = await people(counts)
    const owner = await tenant.staff('exam_admin')
    const auditor = await tenant.staff('auditor')
    await takeRows(tenant, 'auditor')
    await takeRows(tenant, 'exam_admin')
    const of = political({ columns: ['post'] })
    const id = await save(owner, '政治面貌', of)
    const runId = await run(owner, id)
    const shown = await preview(owner, of)
    const expected = read(shown.body.data)
    expect(expected.map(row => wordAt(row))).toEqual([words['01'], words['13'], '其他（合并）', '合计'])
    expect(shown.body.data).toMatchObject({ isMerged: true, chart: { categories: [words['01'], words['13'], '其他（合并）'] } })
    const cells = await sheetCells((await owner.get(`${base}/file`, { query: { id: runId, format: 'xlsx' } })).raw)
    const at = cells.findIndex(row => row[0] === words['01'])
    expect(cells.slice(at, at + expected.length)).toEqual(expected)
    expect(cells.flat().filter(cell => String(cell).startsWith('“其他（合并）”含人数少于 3 人的各项'))).toHaveLength(1)
    const [page = []] = pdfText((await owner.get(`${base}/file`, { query: { id: runId, format: 'pdf' } })).raw)
    expect(page.join(' ')).toContain('其他（合并）')
    expect(page.filter(one => ['1', '11'].includes(one))).toEqual([])
    await owner.post(`${base}/schedule`, { json: { id, cron: '0 0 20 * * ?', people: [auditor.userId], linkDays: 2 } })
    await tenant.db(db => db.run(sql`update report set next_time = ${t.clock.now()} where id = ${id}`))
    await doWork(t, 'report.send-due')
    await t.runTasks()
    const [sent] = await tenant.rows(sql<{ id: string }>`select id::text as id from report_run order by id desc limit 1`)
    expect(read((await auditor.get(`${base}/result`, { query: { id: sent?.id ?? '' } })).body.data.grid)).toEqual(expected)
    await owner.post(`${base}/schedule`, { json: { id, cron: '', people: [], linkDays: 2 } })
  })
})

describe('whose figures', () => {
  let tenant: TestTenant
  let office: Person
  beforeAll(async () => {
    tenant = await t.tenant()
    await fill(tenant, { A001: [6, 4], B001: [3, 5], A002: [9, 7] })
    office = await tenant.staff('exam_admin')
  })

  test('[S6.03] a hiring unit counts its own sign-ups alone, in cells, sums and choices', async () => {
    const hospital = await tenant.staff('unit_hr', { userCode: 'H02' })
    expect(await table(hospital, design())).toEqual([
      ['社区卫生服务中心', 9, 7, 16],
      ['合计', 9, 7, 16],
    ])
    const values = await hospital.get(`${base}/values`, { query: { dataSet: 'signups', dimension: 'unit' } })
    expect(values.body.data).toEqual([{ value: 'H02', label: '社区卫生服务中心' }])
    const nobody = await tenant.staff('unit_hr')
    expect(await table(nobody, design())).toEqual([])
  })

  test('[S6.03] a data scope narrows every cell and sum', async () => {
    const narrowed = await t.tenant()
    await fill(narrowed, { A001: [6, 4], A002: [9, 7] })
    const auditor = await narrowed.staff('auditor')
    const its = await roleId(narrowed, 'auditor')
    await narrowed.db(async db => {
      const scope = await db.one(sql<{ id: string }>`
        insert into data_scope (tenant_id, menu_id, scope_name, resource_code, scope_type, scope_value)
        values (${narrowed.tenantId}, (select id from menu where code = 'signup'), '一个单位', 'signup', 5, ${JSON.stringify([{ field: 'unit', operator: 'eq', values: ['H01'] }])}) returning id::text as id`)
      await db.run(sql`insert into role_data_scope (tenant_id, role_id, scope_id) values (${narrowed.tenantId}, ${its}, ${scope.id})`)
    })
    t.app.modules.auth.cache.dropAll()
    expect(await table(auditor, design())).toEqual([
      ['区人民医院', 6, 4, 10],
      ['合计', 6, 4, 10],
    ])
  })

  test('[S6.03] a field that a rule masks or hides is no row, column, measure or filter', async () => {
    const ruled = await t.tenant()
    await fill(ruled, { A001: [6, 4], A002: [9, 7] })
    const auditor = await ruled.staff('auditor')
    await ruled.db(async db =>
      db.run(sql`
        insert into role_field_rule (tenant_id, role_id, noun, field, level, views)
        select ${ruled.tenantId}, ${await roleId(ruled, 'auditor')}, noun, field, level, '{}' from (values ('signup', 'sex', 2), ('signup', 'birthday', 1)) as v(noun, field, level)`),
    )
    t.app.modules.auth.cache.dropAll()
    const closed = await auditor.get(`${base}/datasets`)
    expect(closed.body.data.find((one: { dataSet: string }) => one.dataSet === 'signups')).toEqual({
      dataSet: 'signups',
      closed: ['sex', 'ageGroup', 'age'],
    })
    for (const of of [
      design(),
      design({ columns: [], filters: [{ dimension: 'sex', values: ['1'] }] }),
      design({ columns: [], measures: ['age'], order: { by: 'age', descending: false } }),
    ]) {
      const answer = await preview(auditor, of)
      expect([answer.status, answer.body.msg]).toEqual([403, expect.stringMatching(/您的角色看不到/)])
      expect(answer.body.data?.rows).toBeUndefined()
    }
    expect((await auditor.get(`${base}/values`, { query: { dataSet: 'signups', dimension: 'sex' } })).status).toBe(403)
    expect(await table(auditor, design({ columns: [] }))).toEqual([
      ['区人民医院', 10],
      ['社区卫生服务中心', 16],
      ['合计', 26],
    ])
  })

  test('[S6.03] a data set without its right is neither offered nor run, previewed or searched', async () => {
    const finance = await tenant.staff('finance')
    const offered = await finance.get(`${base}/datasets`)
    expect(offered.body.data.map((one: { dataSet: string }) => one.dataSet)).toEqual(['dues', 'orders'])
    const answer = await preview(finance, design())
    expect([answer.status, answer.body.msg]).toEqual([403, '您没有查看“报名”数据的权限，请联系管理员'])
    expect((await finance.get(`${base}/values`, { query: { dataSet: 'signups', dimension: 'unit' } })).status).toBe(403)
    const id = await save(office, '各单位报名', design(), [await roleId(tenant, 'finance'), await roleId(tenant, 'auditor')])
    expect((await finance.get(`${base}/list`)).body.data.records).toEqual([])
    for (const path of ['run', 'remove', 'schedule'])
      expect(
        (
          await finance.post(`${base}/${path}`, {
            json: path === 'remove' ? { ids: id } : path === 'run' ? { id } : { id, cron: '', people: [], linkDays: 7 },
          })
        ).status,
      ).toBe(404)
    const reviewer = await tenant.staff('reviewer1')
    expect((await reviewer.get(`${base}/list`)).status).toBe(403)
  })

  test('[S7.61] a report is seen by its owner and by its roles, changed by its owner alone', async () => {
    const auditor = await tenant.staff('auditor')
    const hospital = await tenant.staff('unit_hr', { userCode: 'H02' })
    const colleague = await tenant.staff('exam_admin')
    const id = await save(office, '按性别', design(), [await roleId(tenant, 'auditor')])
    const seen = async (person: Person) =>
      (await person.get(`${base}/list`, { query: { reportName: '按性别' } })).body.data.records.map((one: { id: string }) => one.id)
    expect([await seen(office), await seen(auditor), await seen(hospital), await seen(colleague)]).toEqual([[id], [id], [], []])
    expect((await hospital.get(`${base}/detail`, { query: { id } })).status).toBe(404)
    await office.post(`${base}/submit`, {
      json: { id, reportName: '按性别', design: design(), roleIds: [await roleId(tenant, 'exam_admin')] },
    })
    const refused = await colleague.post(`${base}/submit`, { json: { id, reportName: '按性别', design: design({ rows: ['post'] }) } })
    expect([refused.status, refused.body.msg]).toEqual([403, expect.stringMatching(/^只有创建人“.+”能修改这个报表，请另存为自己的报表$/)])
    expect((await colleague.post(`${base}/remove`, { json: { ids: id } })).status).toBe(403)
    const taken = await colleague.post(`${base}/submit`, { json: { reportName: '按性别', design: design() } })
    expect([taken.status, taken.body.msg]).toEqual([409, '已有名为“按性别”的报表'])
    expect((await office.post(`${base}/remove`, { json: { ids: id } })).body.data).toEqual({ removed: 1 })
    expect(await tenant.rows(sql<object>`select action from audit_log where entity = 'report' and entity_id = ${id} order by id`)).toEqual([
      { action: 'report.created' },
      { action: 'report.updated' },
      { action: 'report.removed' },
    ])
  })

  test('[S7.61] another tenant has none of it', async () => {
    const id = await save(office, '本机构', design())
    const stranger = await (await t.tenant()).staff(['admin'])
    const runId = await run(office, id)
    for (const path of [`detail?id=${id}`, `result?id=${runId}`, `file?id=${runId}&format=xlsx`])
      expect((await stranger.get(`${base}/${path}`)).status).toBe(404)
    expect((await stranger.post(`${base}/run`, { json: { id } })).status).toBe(404)
  })
})

describe('what cannot be', () => {
  let tenant: TestTenant
  let office: Person
  beforeAll(async () => {
    tenant = await t.tenant()
    await fill(tenant, { A001: [6, 4] })
    office = await tenant.staff('exam_admin')
  })

  test.each([
    ['a data set', design({ dataSet: '__proto__' }), '没有数据集“__proto__”，请重新选择'],
    ['a data set that is a method', design({ dataSet: 'toString' }), '没有数据集“toString”，请重新选择'],
    ['a row', design({ rows: ['__proto__'] }), '数据集“报名”没有“__proto__”，请改选'],
    ['a column', design({ columns: ['constructor'] }), '数据集“报名”没有“constructor”，请改选'],
    ['a measure', design({ measures: ['hasOwnProperty'] }), '数据集“报名”没有“hasOwnProperty”，请改选'],
    ['a filter', design({ filters: [{ dimension: '__proto__', values: ['1'] }] }), '数据集“报名”没有“__proto__”，请改选'],
    ['an order', design({ order: { by: '__proto__', descending: false } }), '只能按行或已选的指标排序'],
    ['a query', design({ rows: ["unit'; drop table report; --"] }), "数据集“报名”没有“unit'; drop table report; --”，请改选"],
  ])('[S7.61] a name that is none, as %s', async (_, of, problem) => {
    const answer = await preview(office, of)
    expect([answer.status, answer.body.msg]).toEqual([
      of.dataSet === 'signups' ? 400 : 400,
      of.dataSet === 'signups' ? `报表设计有误：${problem}` : expect.stringMatching(/^报表设计有误：没有/),
    ])
    const saved = await office.post(`${base}/submit`, { json: { reportName: '坏的', design: of } })
    expect([saved.status, saved.body.msg]).toEqual([400, `报表设计有误：${problem}`])
    expect(await tenant.rows(sql<object>`select 1 from report where report_name = '坏的'`)).toEqual([])
  })

  test('[S7.61] ten thousand values, twelve dimensions, no row, a day that is none', async () => {
    const say = async (of: Design) => {
      const { status, body } = await preview(office, of)
      return [status, body.msg]
    }
    const many = Array.from({ length: 10_000 }, (_, i) => `v${i}`)
    expect(await say(design({ filters: [{ dimension: 'unit', values: many }] }))).toEqual([
      400,
      '报表设计有误：“用人单位”选了 10000 个值，最多 200 个',
    ])
    const twelve = ['exam', 'unit', 'postType', 'post', 'state', 'payState', 'sex', 'ageGroup', 'education', 'degree', 'day', 'month']
    expect(await say(design({ rows: twelve, columns: [] }))).toEqual([400, '报表设计有误：行和列共选了 12 项，最多 3 项'])
    expect(await say(design({ rows: [] }))).toEqual([400, '报表设计有误：请选择至少一个行'])
    expect(await say(design({ rows: ['unit'], columns: ['unit'] }))).toEqual([400, '报表设计有误：同一项不能选两次'])
    expect(await say(design({ filters: [{ dimension: 'day', from: '2026-02-30' }] }))).toEqual([
      400,
      '报表设计有误：“报名日期”的日期“2026-02-30”不正确，请写成 2026-03-01',
    ])
    expect(await say(design({ filters: [{ dimension: 'unit', from: '2026-02-01' }] }))).toEqual([
      400,
      '报表设计有误：“用人单位”不是日期，不能按起止日期筛选',
    ])
    expect((await say(design({ filters: [{ dimension: 'unit', values: ["' or 1 = 1 --"] }] })))[0]).toBe(200)
    expect(await table(office, design({ filters: [{ dimension: 'unit', values: ["' or 1 = 1 --"] }] }))).toEqual([])
    const strange = await office.post(`${base}/preview`, { json: { design: { ...design(), sql: 'select 1' } } })
    expect(strange.status).toBe(400)
  })

  test('[S7.61] a report whose data set lost a field says so, opens for mending, and runs once it is mended', async () => {
    const id = await save(office, '会坏的', design())
    const lost = { ...design(), columns: ['gender'] }
    await tenant.db(db => db.run(sql`update report set design = ${JSON.stringify(lost)} where id = ${id}`))
    const listed = await office.get(`${base}/list`)
    expect(listed.body.data.records.map((one: { needsMending: boolean }) => one.needsMending)).toEqual([true])
    const detail = await office.get(`${base}/detail`, { query: { id } })
    expect(detail.body.data).toMatchObject({
      needsMending: true,
      design: { rows: ['unit'], columns: ['gender'] },
      problems: [{ at: 'columns', about: 'gender', text: '数据集“报名”没有“gender”，请改选' }],
    })
    const refused = await office.post(`${base}/run`, { json: { id } })
    expect([refused.status, refused.body.msg]).toEqual([409, '报表“会坏的”需要修改后才能运行：数据集“报名”没有“gender”，请改选'])
    await office.post(`${base}/submit`, { json: { id, reportName: '会坏的', design: design() } })
    const runId = await run(office, id)
    expect((await office.get(`${base}/result`, { query: { id: runId } })).body.data).toMatchObject({ state: 4, grid: { totalRows: 2 } })
  })
})

describe('runs and what they become', () => {
  let tenant: TestTenant
  let office: Person
  beforeAll(async () => {
    tenant = await t.tenant()
    await fill(tenant, { A001: [6, 1], B001: [5, 8], A002: [9, 7] })
    await takeRows(tenant, 'exam_admin')
    office = await tenant.staff('exam_admin', { realName: '考务甲' })
  })

  test('[S7.61] a run goes through the queue with its progress and stands among the runs of its report', async () => {
    const id = await save(office, '各岗位按性别', design({ rows: ['post'] }))
    const ordered = await office.post(`${base}/run`, { json: { id } })
    const runId = ordered.body.data.id
    expect((await office.get(`${base}/result`, { query: { id: runId } })).body.data).toMatchObject({ state: 0, progress: 0, grid: null })
    expect(await t.runTasks()).toEqual(['report.run'])
    const done = await office.get(`${base}/result`, { query: { id: runId } })
    expect(done.body.data).toMatchObject({
      state: 4,
      progress: 100,
      problem: null,
      grid: { title: '各岗位按性别', madeBy: '考务甲', hidden: 4 },
    })
    expect((await office.get(`${base}/detail`, { query: { id } })).body.data.runs).toMatchObject([
      { id: runId, state: 4, isScheduled: false },
    ])
    // What is hidden is not in the database either.
    const [kept] = await tenant.rows(sql<{ result: object }>`select result from report_run where id = ${runId}`)
    expect(JSON.stringify(kept?.result)).not.toMatch(/"value":(1|6|5|8),/)
    const first = await office.post(`${base}/preview`, { json: { design: design({ rows: ['post'] }), firstRows: 2 } })
    expect(first.body.data).toMatchObject({ totalRows: 4, rows: [{ level: 0 }, { level: 0 }] })
    const colleague = await tenant.staff('exam_admin')
    expect((await colleague.get(`${base}/result`, { query: { id: runId } })).status).toBe(404)
  })

  test('[S7.61] a run that is stopped ends without a result, and not twice', async () => {
    const id = await save(office, '停下', design())
    const { body } = await office.post(`${base}/run`, { json: { id } })
    expect((await office.post(`${base}/cancel`, { json: { id: body.data.id } })).body.data).toEqual({ id: body.data.id, state: 6 })
    await t.runTasks()
    expect((await office.get(`${base}/result`, { query: { id: body.data.id } })).body.data).toMatchObject({ state: 6, grid: null })
    const again = await office.post(`${base}/cancel`, { json: { id: body.data.id } })
    expect([again.status, again.body.msg]).toEqual([409, '这次运行已经结束'])
    const early = await office.get(`${base}/file`, { query: { id: body.data.id, format: 'xlsx' } })
    expect([early.status, early.body.msg]).toEqual([409, '这次运行还没有结果'])
  })

  test('[S7.61] the workbook is an office’s sheet: title, bureau, conditions, date, heads, sums, and pages that count', async () => {
    const id = await save(office, '岗位性别表', design({ rows: ['post'], filters: [{ dimension: 'unit', values: ['H01', 'H02'] }] }))
    const runId = await run(office, id)
    const file = await office.get(`${base}/file`, { query: { id: runId, format: 'xlsx' } })
    expect(file.headers['content-type']).toContain('spreadsheetml')
    const cells = await sheetCells(file.raw)
    const bureau = (
      await tenant.rows(sql<{ name: string }>`select tenant_name as name from tenant where tenant_id = ${tenant.tenantId}`)
    )[0]?.name
    expect(cells).toEqual([
      ['岗位性别表'],
      [bureau],
      ['筛选条件：用人单位 区人民医院、社区卫生服务中心'],
      ['指标：报名人数（含已撤回）'],
      [expect.stringMatching(/^数据集：报名　　统计时间：2026-\d\d-\d\d \d\d:\d\d:\d\d　　制表：考务甲$/)],
      ['岗位', '男', '女', '合计'],
      ['A001 内科医师', '*', '*', 7],
      [expect.stringMatching(/^A002/), 9, 7, 16],
      [expect.stringMatching(/^B001/), '*', '*', 13],
      ['合计', 20, 16, 36],
      [expect.stringMatching(/^\* 少于 3 人的格不显示/)],
      ['内部资料 注意保密'],
    ])
    expect(
      await tenant.rows(
        sql<object>`select after_value->>'format' as format from audit_log where action = 'report.exported' and after_value->>'runId' = ${runId}`,
      ),
    ).toEqual([{ format: 'xlsx' }])
  })

  test('[S7.61] the PDF has the same figures on numbered pages', async () => {
    const id = await save(office, '岗位性别打印', design({ rows: ['post'] }))
    const runId = await run(office, id)
    const file = await office.get(`${base}/file`, { query: { id: runId, format: 'pdf' }, language: 'en' })
    expect(file.headers['content-type']).toContain('application/pdf')
    const [page = []] = pdfText(file.raw)
    const text = page.join(' ')
    for (const part of ['岗位性别打印', 'Filters: none', 'Male', 'Female', 'Total', '36', 'Page 1 of 1', 'Internal, confidential'])
      expect(text).toContain(part)
    expect(page.filter(one => ['1', '6', '5', '8'].includes(one))).toEqual([])
    expect(page.filter(one => one === '*')).toHaveLength(4)
    const reader = await tenant.staff('auditor')
    expect((await reader.get(`${base}/file`, { query: { id: runId, format: 'pdf' } })).status).toBe(404)
  })

  test('[S7.61] a result closes when its owner sees less than before, and after its time', async () => {
    const id = await save(office, '关上', design())
    const runId = await run(office, id)
    await tenant.db(async db =>
      db.run(
        sql`insert into role_field_rule (tenant_id, role_id, noun, field, level, views) values (${tenant.tenantId}, ${await roleId(tenant, 'exam_admin')}, 'signup', 'sex', 2, '{}')`,
      ),
    )
    t.app.modules.auth.cache.dropAll()
    const closed = await office.get(`${base}/result`, { query: { id: runId } })
    expect([closed.status, closed.body.msg]).toEqual([403, '您的权限或数据范围在这次运行之后有变化，请重新运行'])
    await tenant.db(db => db.run(sql`delete from role_field_rule`))
    t.app.modules.auth.cache.dropAll()
    await tenant.db(db => db.run(sql`update report_run set expires_at = ${t.clock.now()} where id = ${runId}`))
    const over = await office.get(`${base}/result`, { query: { id: runId } })
    expect([over.status, over.body.code]).toEqual([403, 2803])
  })
})

describe('on schedule', () => {
  test('[S7.61] a report goes at its time to its people by a notice whose link opens for them alone, until it expires', async () => {
    const tenant = await t.tenant()
    await fill(tenant, { A001: [6, 4], A002: [9, 7] })
    const owner = await tenant.staff('exam_admin')
    const auditor = await tenant.staff('auditor')
    const finance = await tenant.staff('finance', { realName: '财务甲' })
    const leaver = await tenant.staff('auditor')
    const id = await save(owner, '每晚报名', design())
    const choices = await owner.get(`${base}/choices`, { query: { dataSet: 'signups' } })
    const offered = choices.body.data.people.map((one: { id: string }) => one.id)
    const roles = choices.body.data.roles.map((one: { id: string }) => one.id)
    expect([roles.includes(await roleId(tenant, 'auditor')), roles.includes(await roleId(tenant, 'finance'))]).toEqual([true, false])
    expect([offered.includes(auditor.userId), offered.includes(finance.userId)]).toEqual([true, false])
    const schedule = (of: object) =>
      owner.post(`${base}/schedule`, { json: { id, cron: '0 0 20 * * ?', people: [auditor.userId, leaver.userId], linkDays: 2, ...of } })
    const unfit = await schedule({ people: [auditor.userId, finance.userId] })
    expect([unfit.status, unfit.body.msg]).toEqual([400, '以下人员不能接收：财务甲。接收人须能登录并有查看“报名”数据的权限'])
    const often = await schedule({ cron: '0 * * * * ?' })
    expect([often.status, often.body.msg]).toEqual([400, expect.stringMatching(/^时间表达式有误：执行间隔不能短于 300 秒/)])
    const set = await schedule({})
    expect(set.body.data.nextTime).toMatch(/ 20:00:00$/)
    expect((await doWork(t, 'report.send-due')).result).toBe('0')
    // One of them may not see sign-ups any more by then.
    await tenant.db(db => db.run(sql`delete from account_role where user_id = ${leaver.userId}`))
    t.clock.set(new Date(`${set.body.data.nextTime.replace(' ', 'T')}+08:00`))
    expect((await doWork(t, 'report.send-due')).result).toBe('1')
    expect((await doWork(t, 'report.send-due')).result).toBe('0')
    await t.runTasks()
    const notices = await tenant.rows(sql<{ userId: string; link: string; title: string }>`
      select user_id::text as "userId", link, title_zh as title from notify where event_key like 'report-run-%'`)
    expect(notices).toEqual([
      { userId: auditor.userId, link: expect.stringMatching(/^\/stat\/report\/open\?id=\d+$/), title: '报表：每晚报名' },
    ])
    const runId = notices[0]?.link.split('=')[1] ?? ''
    const opened = await auditor.get(`${base}/result`, { query: { id: runId } })
    expect(opened.body.data).toMatchObject({ isScheduled: true, state: 4 })
    expect(read(opened.body.data.grid).at(-1)).toEqual(['合计', 15, 11, 26])
    for (const person of [finance, leaver, await tenant.staff('auditor')])
      expect((await person.get(`${base}/result`, { query: { id: runId } })).status).toBe(404)
    expect((await owner.get(`${base}/result`, { query: { id: runId } })).body.data.state).toBe(4)
    expect(
      await tenant.rows(
        sql<object>`select action, after_value->'people' as people, after_value->'refused' as refused from audit_log where action in ('report.sent', 'report.opened') order by id`,
      ),
    ).toEqual([
      { action: 'report.sent', people: [auditor.userId], refused: [leaver.userId] },
      { action: 'report.opened', people: null, refused: null },
    ])
    t.clock.set(new Date(t.clock.now().getTime() + 2 * 86_400_000))
    const late = await auditor.get(`${base}/result`, { query: { id: runId } })
    expect([late.status, late.body.code, late.body.msg]).toEqual([403, 2803, '链接已过期，请联系发送人'])
  })

  test('[S6.03] nobody is sent figures of more than they see themselves, neither at first nor when they are narrowed later', async () => {
    const tenant = await t.tenant()
    await fill(tenant, { A001: [6, 1], A002: [9, 7] })
    const owner = await tenant.staff('exam_admin')
    const auditor = await tenant.staff('auditor')
    const hospital = await tenant.staff('unit_hr', { userCode: 'H02', realName: '人事甲' })
    const id = await save(owner, '每晚', design())
    const schedule = (people: readonly string[]) =>
      owner.post(`${base}/schedule`, { json: { id, cron: '0 0 20 * * ?', people, linkDays: 2 } })
    const narrow = await schedule([auditor.userId, hospital.userId])
    const words = '以下人员的数据范围比您小，不能接收：人事甲。报表按您的数据范围统计，接收人须能看到同样的数据'
    expect([narrow.status, narrow.body.msg, narrow.body.data]).toEqual([400, words, { fields: [{ field: 'people', msg: words }] }])
    const nobody = await schedule([])
    expect([nobody.status, nobody.body.data]).toEqual([400, { fields: [{ field: 'people', msg: '请选择接收人' }] }])
    expect((await schedule([auditor.userId])).body.code).toBe(200)
    await tenant.db(db =>
      db.run(
        sql`update report set people = ${JSON.stringify([auditor.userId, hospital.userId])}, next_time = ${t.clock.now()} where id = ${id}`,
      ),
    )
    await doWork(t, 'report.send-due')
    await t.runTasks()
    const readers = await tenant.rows(sql<object>`select user_id::text as "userId", refused_zh as why from report_reader order by user_id`)
    expect(readers).toEqual([
      { userId: auditor.userId, why: null },
      { userId: hospital.userId, why: '数据范围比创建人小' },
    ])
  })

  test('[S7.61] what is sent to somebody who sees figures alone hides few people from all, and a full result opens for nobody without the rows', async () => {
    const tenant = await t.tenant()
    await fill(tenant, { A001: [6, 1], A002: [9, 7] })
    const owner = await tenant.staff('exam_admin')
    const colleague = await tenant.staff('exam_admin')
    const auditor = await tenant.staff('auditor')
    await takeRows(tenant, 'auditor')
    const id = await save(owner, '每晚', design())
    const sentTo = async (people: readonly string[]): Promise<string> => {
      await owner.post(`${base}/schedule`, { json: { id, cron: '0 0 20 * * ?', people, linkDays: 2 } })
      await tenant.db(db => db.run(sql`update report set next_time = ${t.clock.now()} where id = ${id}`))
      await doWork(t, 'report.send-due')
      await t.runTasks()
      t.clock.set(new Date(t.clock.now().getTime() + 60_000))
      return (await tenant.rows(sql<{ id: string }>`select id::text as id from report_run order by id desc limit 1`))[0]?.id ?? ''
    }
    const figures = async (person: Person, runId: string) => {
      const { data } = (await person.get(`${base}/result`, { query: { id: runId } })).body
      return { showsFew: data.grid.showsFew, rows: read(data.grid) }
    }
    const full = await sentTo([colleague.userId])
    expect(await figures(colleague, full)).toEqual({
      showsFew: true,
      rows: [
        ['区人民医院', 6, 1, 7],
        ['社区卫生服务中心', 9, 7, 16],
        ['合计', 15, 8, 23],
      ],
    })
    const strict = await sentTo([colleague.userId, auditor.userId])
    for (const person of [owner, colleague, auditor])
      expect(await figures(person, strict)).toEqual({
        showsFew: false,
        rows: [
          ['区人民医院', '*', '*', 7],
          ['社区卫生服务中心', '*', '*', 16],
          ['合计', 15, 8, 23],
        ],
      })
    await takeRows(tenant, 'exam_admin')
    for (const person of [owner, colleague]) {
      const closed = await person.get(`${base}/result`, { query: { id: full } })
      expect([closed.status, closed.body.msg]).toEqual([403, '您的权限或数据范围在这次运行之后有变化，请重新运行'])
    }
    await owner.post(`${base}/remove`, { json: { ids: id } })
    for (const person of [owner, colleague, auditor])
      expect((await person.get(`${base}/result`, { query: { id: strict } })).status).toBe(404)
  })

  test('[S7.61] the run has the rights of its owner: narrowed to a unit, it counts that unit; without them it is not sent', async () => {
    const tenant = await t.tenant()
    await fill(tenant, { A001: [6, 4], A002: [9, 7] })
    const owner = await tenant.staff(['unit_hr', 'reviewer1'], { userCode: 'H02' })
    const auditor = await tenant.staff('auditor')
    await tenant.db(async db =>
      db.run(sql`
        insert into role_menu (tenant_id, role_id, menu_id)
        select ${tenant.tenantId}, ${await roleId(tenant, 'unit_hr')}, id from menu where code in ('report_add', 'report_send') on conflict do nothing`),
    )
    t.app.modules.auth.cache.dropAll()
    const id = await save(owner, '本院', design())
    expect(
      (await owner.post(`${base}/schedule`, { json: { id, cron: '0 0 20 * * ?', people: [auditor.userId], linkDays: 7 } })).body.code,
    ).toBe(200)
    const send = t.app.modules.processors.find(one => one.name === 'report.send')
    const call = {
      tenantId: tenant.tenantId,
      params: id,
      item: undefined,
      attempt: 1,
      now: t.clock.now(),
      signal: new AbortController().signal,
      log: () => {},
    }
    expect(await send?.run(call)).toBe('本院: 1')
    await t.runTasks()
    const [sent] = await tenant.rows(sql<{ link: string }>`select link from notify where user_id = ${auditor.userId}`)
    const result = await auditor.get(`${base}/result`, { query: { id: sent?.link.split('=')[1] ?? '' } })
    expect(read(result.body.data.grid)).toEqual([
      ['社区卫生服务中心', 9, 7, 16],
      ['合计', 9, 7, 16],
    ])
    await expect(send?.run({ ...call, params: '__proto__' })).rejects.toThrow('no report __proto__')
    await tenant.db(db => db.run(sql`update account set status = 2 where id = ${owner.userId}`))
    await expect(send?.run(call)).rejects.toThrow('its owner may not log in')
  })
})

test('[S7.61] a preview that takes too long is refused and named for the queue; the next one comes', async () => {
  const tenant = await t.tenant()
  await fill(tenant, { A001: [4, 5] })
  const office = await tenant.staff('exam_admin')
  const owner = await t.owner()
  // Rows that cannot be read now take longer than any number of them.
  await owner.query('begin')
  await owner.query('lock table signup in access exclusive mode')
  const late = await preview(office, design())
  await owner.query('rollback')
  expect(late.body).toMatchObject({ reason: 'report/too-slow', data: null })
  expect((await preview(office, design())).body).toMatchObject({ code: 200 })
})
