import { afterAll, beforeAll, expect, test } from 'vitest'
import { dueFigures } from '#contract/pay/figures.ts'
import { signupFigures } from '#contract/signup/figures.ts'
import { signupMachine } from '#contract/signup/signup.state.ts'
import { sql } from '#kernel/db/sql.ts'
import { type Person, startTestApp, type TestApp, type TestTenant } from '../../support/app.ts'
import { type BuiltExam, buildExam } from '../../support/factories.ts'
import { sheetCells } from '../../support/sheet-text.ts'
import { insertSignups } from '../../support/sign-up-rows.ts'

let t: TestApp
let tenant: TestTenant
let exam: BuiltExam
let office: Person
/** People of one post in every state, a different number in each. */
const byState: Readonly<Record<string, number>> = {
  draft: 1,
  waiting: 2,
  second: 3,
  returned: 4,
  refused: 5,
  passed: 6,
  withdrawn: 7,
  disqualified: 8,
}
const count = (states: readonly string[]): number => states.reduce((sum, state) => sum + (byState[state] ?? 0), 0)

/** What these people owe, in yuan: state of the due, amount, paid, given back. Whoever has several has several lines. */
const dues: readonly (readonly [who: string, state: string, amount: number, paid: number, refunded: number])[] = [
  ['passed0', 'paid', 100, 100, 0],
  ['passed1', 'refunding', 100, 100, 10],
  ['passed2', 'refunded', 100, 100, 100],
  ['passed3', 'paid', 100, 100, 0],
  ['passed3', 'due', 100, 0, 0],
  ['passed4', 'due', 100, 0, 0],
  ['passed5', 'overdue', 100, 0, 0],
  ['waiting0', 'exempt', 100, 0, 0],
  // A waiver that came after the payment: the due stays paid and a part went back.
  ['refused0', 'paid', 100, 100, 30],
  ['withdrawn0', 'paid', 100, 100, 0],
  ['disqualified0', 'void', 100, 0, 0],
]
const payStates: Readonly<Record<string, string>> = {
  ...{ passed0: 'paid', passed1: 'refunding', passed2: 'refunded', passed3: 'due', passed4: 'due', passed5: 'overdue' },
  ...{ refused0: 'paid', withdrawn0: 'paid' },
}
/** By hand: of the lines above, those that are neither exempt nor void; not paid; paid less given back; given back. */
const byHand = { owed: 900, open: 300, cameIn: 460, paid: 600, refunded: 140, owing: 8, paidInFull: 2 }
const fen = (yuan: number): number => yuan * 100

beforeAll(async () => {
  t = await startTestApp()
  tenant = await t.tenant()
  exam = await buildExam(tenant)
  const signups = await insertSignups(
    tenant,
    exam.examId,
    Object.entries(byState).flatMap(([examine, people]) =>
      Array.from({ length: people }, (_, i) => {
        const payState = payStates[`${examine}${i}`]
        return { name: `${examine}${i}`, code: 'A001', type: 'A', unit: 'H01', examine, ...(payState === undefined ? {} : { payState }) }
      }),
    ),
  )
  for (const [at, [who, state, amount, paid, refunded]] of dues.entries()) {
    const of = signups.find(one => one.name === who)
    await tenant.db(db =>
      db.run(sql`
        insert into exam_pay (tenant_id, exam_id, signup_id, user_id, pay_kind, pay_name, amount_fen, paid_fen, refunded_fen, state, paid_time, deadline)
        values (${tenant.tenantId}, ${exam.examId}, ${of?.id}, ${of?.userId}, 1, ${`费用${at}`}, ${fen(amount)}, ${fen(paid)}, ${fen(refunded)}, ${state},
          ${paid > 0 ? sql`app_now()` : null}, app_now())`),
    )
  }
  office = await tenant.staff(['admin', 'exam_admin', 'finance'])
})
afterAll(() => t.close())

type Row = Readonly<Record<string, unknown>>
const sum = (rows: readonly Row[], key: string): number => rows.reduce((total, one) => total + Number(one[key] ?? 0), 0)
const of = (query: Readonly<Record<string, string | number>> = {}) => ({ query: { examId: exam.examId, ...query } })
const statistics = async (name: string): Promise<Row[]> => (await office.get(`/blade-signup/statistics/${name}`, of())).body.data
const report = async (dataSet: string, measure: string, filters: readonly object[]): Promise<number> => {
  const design = {
    ...{
      dataSet,
      rows: ['exam'],
      columns: [],
      measures: [measure],
      order: { by: 'labels', descending: false },
      totals: 'both',
      chart: 'none',
    },
    filters: [{ dimension: 'exam', values: [exam.examId] }, ...filters],
  }
  const { rows } = (await office.post('/blade-report/report/preview', { json: { design } })).body.data
  return Number(rows[0].cells[0].value)
}

test('every state is counted by some figure, and a draft by none', () => {
  expect(Object.keys(byState).sort()).toEqual(Object.keys(signupMachine.wire).sort())
  expect([...signupFigures.everSignedUp.states, 'draft'].sort()).toEqual(Object.keys(byState).sort())
  // 2 + 3 + 4 + 5 + 6 + 8, and with those who have withdrawn 7 more.
  expect([count(signupFigures.signedUp.states), count(signupFigures.everSignedUp.states)]).toEqual([28, 35])
})

test('[S7.52] the number signed up is the same in lists, posts, dashboard, statistics, reports, workbooks, overview and public pages', async () => {
  const { examId } = exam
  const [line] = (await office.get('/blade-exam/examination/page', { query: { examName: '' } })).body.data.records
  const posts = (await office.get('/blade-exam/examination/getTypeCodeList', of({ size: 200 }))).body.data.records
  const candidate = await tenant.candidate()
  const announced = (await candidate.get('/blade-exam/examination/getTypeCodeList', of({ size: 200 }))).body.data.records
  const publicPage = (await t.app.server.inject({ method: 'GET', url: `/open/${examId}/posts?tenantId=${tenant.tenantId}` })).body
  const units = (await office.get('/blade-signup/examine/getExamUnits', of())).body.data
  const ranking = (await office.get('/blade-signup/statistics/getPostRanking', of())).body.data
  const stages = (await office.post('/blade-signup/statistics/getStatisticsInfo', { json: { examId, dims: 'stage' } })).body.data
  const cross = (await office.post('/blade-signup/statistics/getStatisticsInfo', { json: { examId, dims: ['unit'] } })).body.data.rows.at(
    -1,
  )
  const overview = (await office.get('/blade-exam/examination/overview', of())).body.data
  const listed = (await office.get('/blade-signup/examine/getExamineList', of({ size: 1 }))).body.data
  const [, header = [], row = []] = await sheetCells((await office.get('/blade-exam/examination/exportExam')).raw)
  const book = await sheetCells(
    (await office.post('/blade-signup/statistics/statisticsInfoExcel', { json: { examId, dims: ['unit'] } })).raw,
  )
  const handedIn: readonly string[] = signupFigures.signedUp.states
  expect({
    list: line.signCount,
    posts: sum(posts, 'signCount'),
    announced: sum(announced, 'signCount'),
    publicPage: Number(/已报 (\d+)（不含撤回）/.exec(publicPage)?.[1]),
    units: sum(units, 'total'),
    dashboard: sum(await statistics('getBmrsForType'), 'num'),
    ranking: sum(ranking.posts, 'num'),
    funnel: stages.find((one: Row) => one['stage'] === 'submitted').num,
    cross: cross.signedUp,
    overview: sum(
      overview.steps.filter((one: { key: string }) => handedIn.includes(one.key)),
      'count',
    ),
    workbook: Number(row[header.indexOf(signupFigures.signedUp.label.zh)]),
    crossBook: Number(book.at(-1)?.[(book[1] ?? []).indexOf(signupFigures.signedUp.label.zh)]),
    report: await report('signups', 'rows', [{ dimension: 'state', values: handedIn }]),
  }).toEqual({
    ...{ list: 28, posts: 28, announced: 28, publicPage: 28, units: 28, dashboard: 28, ranking: 28 },
    ...{ funnel: 28, cross: 28, overview: 28, workbook: 28, crossBook: 28, report: 28 },
  })
  // Where those who have withdrawn count too, the name says so.
  expect([cross.submitted, listed.total, await report('signups', 'rows', [])]).toEqual([35, 35, 35])
  expect([cross.left, cross.waiting, cross.passed, cross.returned, cross.refused]).toEqual([15, 5, 6, 4, 5])
})

test('[S7.52] what waits and what has passed is the same in lists, units, dashboard, statistics and workbooks', async () => {
  const { examId } = exam
  const [line] = (await office.get('/blade-exam/examination/page', { query: { examName: '' } })).body.data.records
  const posts = (await office.get('/blade-exam/examination/getTypeCodeList', of({ size: 200 }))).body.data.records
  const units = (await office.get('/blade-signup/examine/getExamUnits', of())).body.data
  const stages = (await office.post('/blade-signup/statistics/getStatisticsInfo', { json: { examId, dims: 'stage' } })).body.data
  const stage = (name: string): number => stages.find((one: Row) => one['stage'] === name).num
  expect([sum(await statistics('getWshrsByType'), 'num'), stage('waiting'), sum(units, 'waiting')]).toEqual([5, 5, 5])
  expect([
    line.passCount,
    sum(posts, 'passCount'),
    sum(await statistics('getShtgrsByType'), 'num'),
    stage('passed'),
    sum(units, 'passed'),
  ]).toEqual([6, 6, 6, 6, 6])
  expect([sum(units, 'returned'), sum(units, 'rejected')]).toEqual([4, 5])
})

test('[S7.52] people who have paid, and what came in, are the same by state, by post, in lists, statistics, reports and the overview', async () => {
  const { examId } = exam
  const byDues = await statistics('getPayByState')
  const byPost = await statistics('getPayByGW')
  const pages = (await office.get('/blade-signup/statistics/getPayByGWPage', of())).body.data.records
  const overview = (await office.get('/blade-exam/examination/overview', of())).body.data
  const list = (await office.get('/blade-examPay/exampay/list', of())).body.data.sums
  const [line] = (await office.get('/blade-exam/examination/page', { query: { examName: '' } })).body.data.records
  const stages = (await office.post('/blade-signup/statistics/getStatisticsInfo', { json: { examId, dims: 'stage' } })).body.data
  const cross = (await office.post('/blade-signup/statistics/getStatisticsInfo', { json: { examId, dims: ['unit'] } })).body.data.rows.at(
    -1,
  )
  expect({
    byState: sum(byDues, 'paidFen'),
    byPost: sum(byPost, 'amount'),
    pages: sum(pages, 'amount'),
    overview: overview.money.paidFen,
    list: list.paid - list.refunded,
    reports: (await report('dues', 'paid', [])) - (await report('dues', 'refunded', [])),
  }).toEqual({
    ...{ byState: fen(byHand.cameIn), byPost: fen(byHand.cameIn), pages: fen(byHand.cameIn), overview: fen(byHand.cameIn) },
    ...{ list: fen(byHand.cameIn), reports: fen(byHand.cameIn) },
  })
  expect([list.paid, list.refunded, list.amount, await report('dues', 'amount', [])]).toEqual([
    ...[fen(byHand.paid), fen(byHand.refunded), fen(byHand.owed), fen(byHand.owed)],
  ])
  const openStates = ['待缴', '逾期未缴']
  expect([
    overview.money.dueFen,
    sum(
      byDues.filter(row => openStates.includes(String(row['stateName']))),
      'amount',
    ),
    overview.money.refundedFen,
  ]).toEqual([fen(byHand.open), fen(byHand.open), fen(byHand.refunded)])
  expect([sum(byPost, 'should'), sum(pages, 'should')]).toEqual([byHand.owing, byHand.owing])
  expect({
    list: line.paidCount,
    funnel: stages.find((one: Row) => one['stage'] === 'paid').num,
    cross: cross.paid,
    byPost: sum(byPost, 'paid'),
    report: await report('signups', 'rows', [{ dimension: 'payState', values: ['paid'] }]),
  }).toEqual({ ...{ list: 2, funnel: 2, cross: 2, byPost: 2, report: 2 } })
  expect(byHand.paidInFull).toBe(2)
  expect(dueFigures.cameIn.label.zh).toBe('已收金额')
})
