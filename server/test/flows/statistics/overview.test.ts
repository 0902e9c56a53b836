import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { buildExam } from '../../support/factories.ts'
import { insertSignups } from '../../support/sign-up-rows.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp({ start: '2026-03-18T09:00:00+08:00' })
})
afterAll(() => t.close())

const post = { code: 'A001', type: 'A', unit: 'H01' }
const setUp = async () => {
  const tenant = await t.tenant()
  const exam = await buildExam(tenant)
  const signups = await insertSignups(tenant, exam.examId, [
    { ...post, examine: 'waiting', firstSubmitTime: '2026-03-16 10:00:00' },
    { ...post, examine: 'waiting', firstSubmitTime: '2026-03-16 09:30:00' },
    { code: 'A002', type: 'A', unit: 'H02', examine: 'waiting', firstSubmitTime: '2026-03-17 08:00:00' },
    { ...post, examine: 'passed' },
    { ...post, examine: 'draft' },
    { ...post, examine: 'withdrawn' },
  ])
  return { tenant, exam, signups }
}

test('an overview counts each step with its oldest, says the money and the next action of who asks', async () => {
  const { tenant, exam, signups } = await setUp()
  const [one, two, , passed] = signups
  await tenant.db(db => db.run(sql`update signup set review_state = 1 where id = ${passed?.id}`))
  await tenant.db(db =>
    db.run(sql`
      insert into exam_pay (tenant_id, exam_id, signup_id, user_id, pay_name, amount_fen, paid_fen, refunded_fen, state, deadline)
      values (${tenant.tenantId}, ${exam.examId}, ${one?.id}, ${one?.userId}, '报名费', 10000, 10000, 2000, 'paid', '2026-03-22T17:00:00+08:00'),
        (${tenant.tenantId}, ${exam.examId}, ${two?.id}, ${two?.userId}, '报名费', 4500, 0, 0, 'due', '2026-03-22T17:00:00+08:00')`),
  )
  const [office, reviewer, unit, finance] = [
    await tenant.staff('exam_admin'),
    await tenant.staff('reviewer1'),
    await tenant.staff('unit_hr', { userCode: 'H02' }),
    await tenant.staff('finance'),
  ]
  const of = async (person: typeof office) => {
    const { body } = await person.get('/blade-exam/examination/overview', { query: { examId: exam.examId } })
    expect(body).toMatchObject({ code: 200 })
    return body.data
  }
  const stepOf = (data: Awaited<ReturnType<typeof of>>, key: string) => data.steps.find((step: { key: string }) => step.key === key)
  const seen = await of(office)
  expect(seen).toMatchObject({
    examId: exam.examId,
    phase: 'signing',
    problems: [],
    money: { dueFen: 4500, paidFen: 8_000, refundedFen: 2_000 },
    next: { key: 'reviewFirst', count: 3 },
  })
  expect(stepOf(seen, 'waiting')).toEqual({ key: 'waiting', count: 3, oldestTime: '2026-03-16 09:30:00' })
  expect([stepOf(seen, 'passed')?.count, stepOf(seen, 'rereview')?.count]).toEqual([1, 1])
  expect(seen.timeline[0]).toEqual({ key: 'sign', paper: '', begin: '2026-03-16 09:00:00', end: '2026-03-20 17:00:00' })
  // The states add up to the sign-ups that the list of examinations counts; who withdrew stands beside them.
  const states = ['waiting', 'second', 'returned', 'refused', 'passed', 'disqualified', 'withdrawn']
  expect(states.map(key => stepOf(seen, key)?.count)).toEqual([3, 0, 0, 0, 1, 0, 1])
  const listed = await office.get('/blade-exam/examination/page', { query: { examCode: seen.examCode } })
  const all = await office.get('/blade-signup/examine/getExamineList', { query: { examId: exam.examId } })
  expect([listed.body.data.records[0].signCount, all.body.data.total]).toEqual([4, 5])
  // A hiring unit counts its own people, a reviewer sees no money, finance no sign-ups.
  expect(stepOf(await of(unit), 'waiting')).toEqual({ key: 'waiting', count: 1, oldestTime: '2026-03-17 08:00:00' })
  const ofReviewer = await of(reviewer)
  expect([ofReviewer.money, stepOf(ofReviewer, 'due'), ofReviewer.next]).toEqual([null, undefined, { key: 'reviewFirst', count: 3 }])
  const ofFinance = await of(finance)
  expect([ofFinance.money?.paidFen, stepOf(ofFinance, 'waiting'), ofFinance.next.key]).toEqual([8_000, undefined, 'none'])
  // Whoever was not reviewed before the papers were sat is still counted, and not the next thing to do.
  const now = t.clock.now()
  t.clock.set('2026-06-30T09:00:00+08:00')
  const afterwards = await of(office)
  t.clock.set(now.toISOString())
  expect([stepOf(afterwards, 'waiting')?.count, afterwards.next]).toEqual([3, { key: 'rereview', count: 1 }])
})

test('reviews are late after 72 hours to the minute, whichever hour they were sent in', async () => {
  const tenant = await t.tenant()
  const exam = await buildExam(tenant)
  t.clock.set('2026-03-18T09:30:00+08:00')
  await insertSignups(tenant, exam.examId, [
    { ...post, examine: 'waiting', firstSubmitTime: '2026-03-15 08:10:00' },
    { ...post, examine: 'second', firstSubmitTime: '2026-03-15 09:29:59' },
    { ...post, examine: 'waiting', firstSubmitTime: '2026-03-15 09:30:00' },
    { ...post, examine: 'passed', firstSubmitTime: '2026-03-14 09:30:00' },
  ])
  const { data } = (await (await tenant.staff('exam_admin')).get('/blade-exam/examination/overview', { query: { examId: exam.examId } }))
    .body
  t.clock.set('2026-03-18T09:00:00+08:00')
  expect(data.warnings.find((warning: { key: string }) => warning.key === 'lateReviews')).toEqual({ key: 'lateReviews', count: 2 })
})

test('a draft names what is missing, and is nobody’s but the office’s', async () => {
  const tenant = await t.tenant()
  const exam = await buildExam(tenant, { exam: { state: 'draft', organizer: '' } })
  const [office, reviewer] = [await tenant.staff('exam_admin'), await tenant.staff('reviewer1')]
  const query = { examId: exam.examId }
  const { body } = await office.get('/blade-exam/examination/overview', { query })
  expect(body.data.next.key).toBe('mend')
  expect(body.data.problems.map((problem: { path: string }) => problem.path)).toContain('organizer')
  expect(body.data.next.count).toBe(body.data.problems.length)
  const refused = await reviewer.get('/blade-exam/examination/overview', { query })
  expect(refused.body).toMatchObject({ success: false, data: null })
  expect((await reviewer.get('/blade-exam/examination/history', { query })).body).toMatchObject({ success: false })
})

test('the history tells who did what to the examination and its parts, and nothing of others', async () => {
  const tenant = await t.tenant()
  const [exam, other] = [
    await buildExam(tenant),
    await buildExam(tenant, { exam: { exam_code: 'HZ2026B', exam_no: 4, exam_name: '另一场考试' } }),
  ]
  const office = await tenant.staff('exam_admin', { realName: '张考务' })
  const close = (examId: string, confirmCode: string) =>
    office.post('/blade-exam/examination/closeExam', { json: { id: examId, reason: '测试关闭', confirmCode } })
  expect((await close(exam.examId, exam.examCode)).body).toMatchObject({ code: 200 })
  expect((await close(other.examId, other.examCode)).body).toMatchObject({ code: 200 })
  const { body } = await office.get('/blade-exam/examination/history', { query: { examId: exam.examId, current: '1', size: '10' } })
  expect(body.data.records).toMatchObject([{ who: '张考务', what: '考试 · 关闭', about: '' }])
  expect(body.data.total).toBe(1)
  // A line can be written after one that is newer: the history and the overview go by the time they show.
  await tenant.db(db =>
    db.run(sql`
      insert into audit_log (tenant_id, actor_kind, action, entity, entity_id, created_at)
      values (${tenant.tenantId}, 'system', 'examination.released', 'examination', ${exam.examId}, '2026-03-01T09:00:00+08:00')`),
  )
  const timesOf = (rows: readonly { time: string }[]) => rows.map(row => row.time)
  const { data } = (await office.get('/blade-exam/examination/history', { query: { examId: exam.examId, current: '1', size: '10' } })).body
  const overview = await office.get('/blade-exam/examination/overview', { query: { examId: exam.examId } })
  expect(timesOf(data.records)).toEqual(['2026-03-18 09:00:00', '2026-03-01 09:00:00'])
  expect(timesOf(overview.body.data.changes)).toEqual(timesOf(data.records))
})
