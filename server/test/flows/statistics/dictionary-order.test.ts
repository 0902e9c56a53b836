import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { type Person, startTestApp, type TestApp, type TestTenant } from '../../support/app.ts'
import { type BuiltExam, buildExam } from '../../support/factories.ts'
import { insertSignups } from '../../support/sign-up-rows.ts'

let t: TestApp
let tenant: TestTenant
let exam: BuiltExam
let office: Person
beforeAll(async () => {
  t = await startTestApp()
  tenant = await t.tenant()
  exam = await buildExam(tenant)
  await insertSignups(tenant, exam.examId, [
    ...Array.from({ length: 4 }, () => ({ code: 'A001', type: 'A', unit: 'H01', content: { political: '13' } })),
    ...Array.from({ length: 3 }, () => ({ code: 'B001', type: 'B', unit: 'H01', content: { political: '01' } })),
  ])
  office = await tenant.staff(['admin', 'exam_admin'])
})
afterAll(() => t.close())

/** 医疗 and 护理 change places in the dictionary of categories: neither their keys nor their sound nor how many there are say this order. */
const placeLast = (code: string, key: string, sort: number): Promise<unknown> =>
  tenant.db(db => db.run(sql`update dict_biz set sort = ${sort} where code = ${code} and dict_key = ${key}`))

const typesEverywhere = async () => {
  const { examId } = exam
  const of = { query: { examId } }
  const statistics = async (name: string) =>
    (await office.get(`/blade-signup/statistics/${name}`, of)).body.data.map((row: { type: string }) => row.type)
  const cross = (await office.post('/blade-signup/statistics/getStatisticsInfo', { json: { examId, dims: ['type'] } })).body.data.rows
  const design = {
    ...{ dataSet: 'signups', rows: ['postType'], columns: [], measures: ['rows'], filters: [] },
    ...{ order: { by: 'labels', descending: false }, totals: 'none', chart: 'none' },
  }
  const report = (await office.post('/blade-report/report/preview', { json: { design } })).body.data.rows
  const values = (await office.get('/blade-report/report/values', { query: { dataSet: 'signups', dimension: 'postType' } })).body.data
  const tree = (await office.get('/blade-exam/examination/getAllTypeCode', of)).body.data
  const page = (await t.app.server.inject({ method: 'GET', url: `/open/${examId}/posts?tenantId=${tenant.tenantId}` })).body
  const options = /<select id="type".*?<\/select>/s.exec(page)?.[0] ?? ''
  const list = (await office.get('/blade-typeCode/typecode/list', { query: { examId, ascs: 'type', size: 20 } })).body.data.records
  return {
    plan: await statistics('getZpjhForType'),
    signedUp: await statistics('getBmrsForType'),
    waiting: await statistics('getWshrsByType'),
    passed: await statistics('getShtgrsByType'),
    cross: cross.filter((row: { level: number }) => row.level === 0).map((row: { keys: string[] }) => row.keys[0]),
    report: report.map((row: { labels: string[] }) => row.labels[0]),
    values: values.map((one: { value: string }) => one.value),
    tree: tree[0].children.map((one: { value: string }) => one.value),
    finder: [...options.matchAll(/value="(\w+)"/g)].map(found => found[1]),
    list: [...new Set(list.map((row: { type: string }) => row.type))],
  }
}
const inOrder = (keys: readonly string[], words: readonly string[]) => ({
  ...{
    plan: keys,
    signedUp: keys,
    waiting: keys,
    passed: keys,
    cross: keys,
    report: words,
    values: keys,
    tree: keys,
    finder: keys,
    list: keys,
  },
})

test('[S7.52] categories follow the dictionary in statistics, reports, trees, finders and lists, whichever way it sorts them', async () => {
  expect(await typesEverywhere()).toEqual(inOrder(['A', 'B'], ['医疗', '护理']))
  await placeLast('post_type', 'A', 900)
  t.clock.advance(120_000)
  expect(await typesEverywhere()).toEqual(inOrder(['B', 'A'], ['护理', '医疗']))
})
