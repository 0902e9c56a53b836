import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { type Person, startTestApp, type TestApp, type TestTenant } from '../../support/app.ts'
import { type BuiltExam, buildExam } from '../../support/factories.ts'
import { insertSignups, type SignupSpec } from '../../support/sign-up-rows.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp()
})
afterAll(() => t.close())

const at = (code: 'A001' | 'B001' | 'A002', examine: string, extra: Partial<SignupSpec> = {}): SignupSpec => ({
  code,
  type: code[0] ?? '',
  unit: code === 'A002' ? 'H02' : 'H01',
  examine,
  ...extra,
})

/** Ten people of every state; two of them have paid, one was refunded. */
const people: readonly SignupSpec[] = [
  at('A001', 'draft'),
  at('A001', 'withdrawn', { firstSubmitTime: '2026-03-16 09:30:00' }),
  at('A001', 'waiting', { firstSubmitTime: '2026-03-16 09:59:59' }),
  at('A001', 'second', { firstSubmitTime: '2026-03-16 10:00:00' }),
  at('A001', 'passed', { firstSubmitTime: '2026-03-16 23:59:59', examineTime: '2026-03-17 08:00:00', payState: 'paid' }),
  at('A001', 'passed', { firstSubmitTime: '2026-03-17 00:00:00', examineTime: '2026-03-17 09:10:00', payState: 'due' }),
  at('A002', 'waiting', { firstSubmitTime: '2026-03-17 00:30:00' }),
  at('A002', 'passed', { firstSubmitTime: '2026-03-16 12:00:00', examineTime: '2026-03-16 18:00:00', payState: 'refunded' }),
  at('A002', 'returned', { firstSubmitTime: '2026-03-16 12:30:00', examineTime: '2026-03-16 19:00:00' }),
  at('A002', 'passed', { firstSubmitTime: '2026-03-16 13:00:00', examineTime: '2026-03-16 20:00:00', payState: 'paid' }),
]

const setUp = async () => {
  const tenant = await t.tenant()
  const exam = await buildExam(tenant)
  const signups = await insertSignups(tenant, exam.examId, people)
  const due = async (at: number, state: string, paidTime: string | null) => {
    const signup = signups[at]
    await tenant.db(db =>
      db.run(sql`
        insert into exam_pay (tenant_id, exam_id, signup_id, user_id, pay_name, amount_fen, paid_fen, refunded_fen, state, deadline, paid_time)
        values (${tenant.tenantId}, ${exam.examId}, ${signup?.id}, ${signup?.userId}, '报名费', 10000, ${paidTime === null ? 0 : 10_000}, ${state === 'refunded' ? 10_000 : 0}, ${state},
          '2026-03-22T17:00:00+08:00', ${paidTime})`),
    )
  }
  // Rows come back in the order of their numbers, the draft without one last: the third person stands at index 1.
  await due(3, 'paid', '2026-03-17T09:00:00+08:00')
  await due(4, 'due', null)
  await due(6, 'refunded', '2026-03-16T21:00:00+08:00')
  await due(8, 'paid', '2026-03-16T22:00:00+08:00')
  return { tenant, exam, signups }
}

const get = async (person: Person, name: string, exam: BuiltExam, query: Record<string, string> = {}) => {
  const answer = await person.get(`/blade-signup/statistics/${name}`, { query: { examId: exam.examId, ...query } })
  expect(answer.body).toMatchObject({ code: 200, success: true })
  return answer.body.data
}

describe('statistics', () => {
  let tenant: TestTenant
  let exam: BuiltExam
  let other: Awaited<ReturnType<typeof setUp>>
  let office: Person
  let hospital: Person
  let finance: Person
  beforeAll(async () => {
    ;({ tenant, exam } = await setUp())
    other = await setUp()
    office = await tenant.staff('exam_admin')
    hospital = await tenant.staff('unit_hr', { userCode: 'H02' })
    finance = await tenant.staff('finance')
  })

  test('[S7.51] figures by category are the rows counted by hand, those of another tenant are not among them', async () => {
    expect(await get(office, 'getZpjhForType', exam)).toEqual([
      { type: 'A', typeName: '医疗', planNum: 3, curNum: 3 },
      { type: 'B', typeName: '护理', planNum: 4, curNum: 4 },
    ])
    expect(await get(office, 'getBmrsForType', exam)).toEqual([
      { type: 'A', typeName: '医疗', num: 8 },
      { type: 'B', typeName: '护理', num: 0 },
    ])
    expect(await get(office, 'getWshrsByType', exam)).toEqual([
      { type: 'A', typeName: '医疗', num: 3 },
      { type: 'B', typeName: '护理', num: 0 },
    ])
    expect(await get(office, 'getShtgrsByType', exam)).toEqual([
      { type: 'A', typeName: '医疗', num: 4 },
      { type: 'B', typeName: '护理', num: 0 },
    ])
    expect(await get(office, 'getBmrsForType', exam, { unit: 'H01' })).toEqual([
      { type: 'A', typeName: '医疗', num: 4 },
      { type: 'B', typeName: '护理', num: 0 },
    ])
  })

  test('[S7.51] the line has one point a day or hour and counts each event where it happened', async () => {
    expect(await get(office, 'getNumToLine', exam)).toEqual({
      x: ['2026-03-16', '2026-03-17'],
      submitted: [6, 2],
      passed: [2, 2],
      paid: [1, 1],
      outside: 0,
    })
    const query = { grain: 'hour', begin: '2026-03-16 09:00:00', end: '2026-03-16 14:00:00' }
    expect(await get(office, 'getNumToLine', exam, query)).toEqual({
      x: ['2026-03-16 09:00', '2026-03-16 10:00', '2026-03-16 11:00', '2026-03-16 12:00', '2026-03-16 13:00'],
      submitted: [1, 1, 0, 2, 1],
      passed: [0, 0, 0, 0, 0],
      paid: [0, 0, 0, 0, 0],
      outside: 0,
    })
    const long = await office.get('/blade-signup/statistics/getNumToLine', {
      query: { examId: exam.examId, grain: 'hour', begin: '2025-01-01 00:00:00', end: '2026-03-16 14:00:00' },
    })
    expect([long.status, long.body.data]).toEqual([400, { fields: [{ field: 'begin', msg: '时间范围过大，请缩短范围或按天统计' }] }])
  })

  test('[S4.14][S7.51] dues by state with what was due', async () => {
    const rows = await get(finance, 'getPayByState', exam)
    expect(rows).toEqual([
      { state: 0, stateName: '免缴', num: 0, amount: 0, paidFen: 0 },
      { state: 1, stateName: '待缴', num: 1, amount: 10_000, paidFen: 0 },
      { state: 2, stateName: '已缴', num: 2, amount: 20_000, paidFen: 20_000 },
      { state: 3, stateName: '退费中', num: 0, amount: 0, paidFen: 0 },
      { state: 4, stateName: '已退费', num: 1, amount: 10_000, paidFen: 0 },
      { state: 5, stateName: '逾期未缴', num: 0, amount: 0, paidFen: 0 },
      { state: 6, stateName: '作废', num: 0, amount: 0, paidFen: 0 },
    ])
    const english = await finance.get('/blade-signup/statistics/getPayByState', { query: { examId: exam.examId }, language: 'en' })
    expect(english.body.data[2]).toEqual({ state: 2, stateName: 'Paid', num: 2, amount: 20_000, paidFen: 20_000 })
  })

  test('[S7.51] filters: units with their posts, papers', async () => {
    expect(await get(office, 'getExamUnitAndCode', exam)).toEqual([
      {
        value: 'H01',
        label: '区人民医院',
        children: [
          { value: 'A001', label: '内科医师', type: 'A' },
          { value: 'B001', label: '护士', type: 'B' },
        ],
      },
      { value: 'H02', label: '社区卫生服务中心', children: [{ value: 'A002', label: '全科医师', type: 'A' }] },
    ])
    expect(await get(office, 'getExamItemByExamId', exam)).toEqual([
      { id: exam.papers['01'], itemCode: '01', itemName: '综合基础知识', itemType: 1 },
    ])
  })

  test('posts by their applicants, and those without any; a hiring unit sees its own', async () => {
    expect(await get(office, 'getPostRanking', exam)).toMatchObject({
      posts: [
        { code: 'A001', num: 4 },
        { code: 'A002', num: 4 },
      ],
      empty: [{ code: 'B001' }],
      emptyCount: 1,
      postCount: 3,
    })
    const own = await get(hospital, 'getPostRanking', exam)
    expect([own.posts.map((post: { code: string }) => post.code), own.empty, own.postCount]).toEqual([['A002'], [], 1])
    expect((await finance.get('/blade-signup/statistics/getPostRanking', { query: { examId: exam.examId } })).status).toBe(403)
  })

  test('[S7.52] the funnel and what came since midnight', async () => {
    const answer = await office.post('/blade-signup/statistics/getStatisticsInfo', { json: { examId: exam.examId, dims: 'stage' } })
    expect(answer.body.data).toEqual([
      { stage: 'submitted', stageName: '报名人数', num: 8, today: 2 },
      { stage: 'waiting', stageName: '待审核', num: 3, today: 1 },
      { stage: 'passed', stageName: '审核通过', num: 4, today: 2 },
      { stage: 'paid', stageName: '已缴清人数', num: 2, today: 1 },
      { stage: 'downloaded', stageName: '下载准考证', num: 0, today: 0 },
      { stage: 'attended', stageName: '到考', num: 0, today: 0 },
      { stage: 'shortlisted', stageName: '入围', num: 0, today: 0 },
    ])
  })

  test('a hiring unit sees its own sign-ups only, and nothing without a code', async () => {
    expect(await get(hospital, 'getBmrsForType', exam)).toEqual([{ type: 'A', typeName: '医疗', num: 4 }])
    expect(await get(hospital, 'getZpjhForType', exam)).toEqual([{ type: 'A', typeName: '医疗', planNum: 1, curNum: 1 }])
    expect(await get(hospital, 'getNumToLine', exam)).toMatchObject({ submitted: [3, 1], passed: [2, 0], paid: [1, 0] })
    expect((await get(hospital, 'getPayByState', exam)).map((row: { num: number }) => row.num)).toEqual([0, 0, 1, 0, 1, 0, 0])
    expect((await get(hospital, 'getExamUnitAndCode', exam)).map((unit: { value: string }) => unit.value)).toEqual(['H02'])
    expect(await get(hospital, 'getBmrsForType', exam, { unit: 'H01' })).toEqual([])
    expect(await get(await tenant.staff('unit_hr'), 'getBmrsForType', exam)).toEqual([])
  })

  test('finance sees money only; reviewers and candidates see nothing; another tenant’s examination is not there', async () => {
    for (const name of ['getNumToLine', 'getZpjhForType', 'getBmrsForType', 'getWshrsByType', 'getShtgrsByType'])
      expect((await finance.get(`/blade-signup/statistics/${name}`, { query: { examId: exam.examId } })).status).toBe(403)
    for (const person of [await tenant.staff('reviewer1'), await tenant.candidate()])
      expect((await person.get('/blade-signup/statistics/getPayByState', { query: { examId: exam.examId } })).status).toBe(403)
    for (const name of ['getNumToLine', 'getPayByState', 'getBmrsForType', 'getExamUnitAndCode', 'getExamItemByExamId'])
      expect((await office.get(`/blade-signup/statistics/${name}`, { query: { examId: other.exam.examId } })).status).toBe(404)
  })

  test('a figure is read again after 30 seconds, under either path', async () => {
    const fresh = await setUp()
    const reader = await fresh.tenant.staff('admin')
    const count = async () => {
      const answer = await reader.get('/blade-signup/signup/getBmrsForType', { query: { examId: fresh.exam.examId } })
      return answer.body.data[1].num
    }
    expect(await count()).toBe(0)
    await insertSignups(fresh.tenant, fresh.exam.examId, [at('B001', 'waiting')])
    expect(await count()).toBe(0)
    t.clock.advance(30_000)
    expect(await count()).toBe(1)
  })

  test('stat.cacheSeconds keeps a figure for as long as the tenant says, for each scope by itself', async () => {
    const fresh = await setUp()
    const { tenant: own, exam: ownExam } = fresh
    await own.rows(sql`update param set param_value = '5' where param_key = 'stat.cacheSeconds'`)
    const all = await own.staff('admin')
    const h01 = await own.staff('unit_hr', { userCode: 'H01' })
    const h02 = await own.staff('unit_hr', { userCode: 'H02' })
    const count = async (person: Person, language: 'zh' | 'en' = 'zh'): Promise<number> => {
      const query = { examId: ownExam.examId }
      const answer = await person.get('/blade-signup/statistics/getBmrsForType', { query, language })
      return answer.body.data.reduce((sum: number, row: { num: number }) => sum + row.num, 0)
    }
    // Right after each other: nobody is shown what was counted for somebody else.
    expect([await count(all), await count(h01), await count(h02), await count(all, 'en'), await count(h01)]).toEqual([8, 4, 4, 8, 4])
    await insertSignups(own, ownExam.examId, [at('B001', 'waiting')])
    t.clock.advance(4_999)
    expect([await count(all), await count(h01), await count(h02)]).toEqual([8, 4, 4])
    t.clock.advance(1)
    expect([await count(all), await count(h01), await count(h02)]).toEqual([9, 5, 4])
    // 0 keeps nothing.
    await own.rows(sql`update param set param_value = '0' where param_key = 'stat.cacheSeconds'`)
    t.clock.advance(5_000)
    expect(await count(all)).toBe(9)
    await insertSignups(own, ownExam.examId, [at('B001', 'waiting')])
    expect(await count(all)).toBe(10)
    const stranger = await (await setUp()).tenant.staff('admin')
    expect((await stranger.get('/blade-signup/statistics/getBmrsForType', { query: { examId: ownExam.examId } })).status).toBe(404)
  })
})
