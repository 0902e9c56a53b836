import { afterAll, beforeAll, expect, test } from 'vitest'
import { fromWireTime } from '#contract/kernel/when.ts'
import { sql } from '#kernel/db/sql.ts'
import { startTestApp, type TestApp, type TestTenant } from '../../support/app.ts'
import { buildExam } from '../../support/factories.ts'
import { insertSignups, type SignupRef, type SignupSpec } from '../../support/sign-up-rows.ts'
import { answersOf, submit, uploadAll } from '../../support/signing.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp()
})
afterAll(() => t.close())

const post = { code: 'B001', type: 'B', unit: 'H01' } as const
const waitingSince = (firstSubmitTime: string): SignupSpec => ({ ...post, examine: 'waiting', firstSubmitTime })
const wang = { idCard: '330106199806301023', phone: '16000000001', realName: '王·测' }

/** Decisions of the first review: who took how long, and when. */
const decide = (
  tenant: TestTenant,
  examId: string,
  of: SignupRef | undefined,
  records: readonly { reviewer: number; at: string; seconds: number; level?: number; undone?: boolean }[],
) =>
  tenant.db(async db => {
    for (const { reviewer, at, seconds, level = 1, undone = false } of records)
      await db.run(sql`
        insert into examine_record (tenant_id, signup_id, exam_id, user_id, sign_version, level, result, before_state, after_state, examiner_id,
          examiner_name, duration_ms, undone, created_at)
        values (${db.actor.tenantId}, ${of?.id}, ${examId}, ${of?.userId}, 1, ${level}, 1, 'waiting', 'passed', ${reviewer}, ${`审核员${reviewer}`},
          ${seconds * 1_000}, ${undone}, ${fromWireTime(at)})`)
  })

const at = (time: string): void => t.clock.set(`${time.replace(' ', 'T')}+08:00`)

test('[S7.46][S4.10] who waits for the review is told how many come before, and how long it takes at the real pace; others’ rows stay theirs', async () => {
  at('2026-03-18 10:00:00')
  const tenant = await t.tenant()
  const exam = await buildExam(tenant)
  const other = await buildExam(tenant, { exam: { exam_name: '另一场', exam_no: 9, exam_code: 'HZ2026Z' } })
  const stranger = await t.tenant()
  const strange = await buildExam(stranger)
  const person = await tenant.candidate(wang)
  const specs = [
    ...Array.from({ length: 340 }, () => waitingSince('2026-03-17 09:00:00')),
    { ...waitingSince('2026-03-17 10:00:00'), userId: person.userId },
    waitingSince('2026-03-17 11:00:00'),
    ...['passed', 'second', 'returned', 'refused', 'withdrawn', 'draft'].map(examine => ({
      ...waitingSince('2026-03-17 08:00:00'),
      examine,
    })),
  ]
  const made = await insertSignups(tenant, exam.examId, specs)
  const [passed] = made.filter(row => row.userId !== person.userId)
  const [elsewhere] = await insertSignups(tenant, other.examId, [waitingSince('2026-03-17 08:00:00')])
  const [foreign] = await insertSignups(stranger, strange.examId, [waitingSince('2026-03-17 08:00:00')])

  const hintsOf = async (language: 'zh' | 'en' = 'zh') => {
    const mine = await person.get('/blade-signup/signup/myExamList', { language })
    const list = await person.get('/blade-signup/signup/examList', { language })
    const info = await person.get('/blade-signup/signup/getExamInfoOrSignUpInfo', { query: { examId: exam.examId }, language })
    return [
      mine.body.data.records[0].nextAction.hint,
      list.body.data.records.find((card: { id: string }) => card.id === exam.examId).my.nextAction.hint,
      info.body.data.exam.my.nextAction.hint,
    ]
  }
  expect(await hintsOf()).toEqual(Array(3).fill('前面还有 340 人'))

  // Five people at 45 seconds each; who decided yesterday, elsewhere, at the second level, or took it back does not hurry this queue.
  await decide(tenant, exam.examId, passed, [
    ...[1, 2, 3, 4, 5].flatMap(reviewer => [
      { reviewer, at: '2026-03-18 09:30:00', seconds: 45 },
      { reviewer, at: '2026-03-18 09:40:00', seconds: 45 },
    ]),
    { reviewer: 6, at: '2026-03-18 09:50:00', seconds: 1, level: 2 },
    { reviewer: 7, at: '2026-03-18 09:50:00', seconds: 1, undone: true },
    { reviewer: 8, at: '2026-03-17 09:50:00', seconds: 1 },
  ])
  await decide(tenant, other.examId, elsewhere, [{ reviewer: 9, at: '2026-03-18 09:50:00', seconds: 1 }])
  await decide(stranger, strange.examId, foreign, [{ reviewer: 10, at: '2026-03-18 09:50:00', seconds: 1 }])
  // What was read is kept for a minute.
  at('2026-03-18 10:00:59')
  expect(await hintsOf()).toEqual(Array(3).fill('前面还有 340 人'))
  at('2026-03-18 10:01:00')
  expect(await hintsOf()).toEqual(Array(3).fill('前面还有 340 人，照现在的审核速度约 1 小时'))
  expect(await hintsOf('en')).toEqual(Array(3).fill('340 people ahead of you, about 1 hour at the present pace'))

  // In the evening nobody reviews: eleven decisions in a little over a day.
  at('2026-03-18 20:00:00')
  expect(await hintsOf()).toEqual(Array(3).fill('前面还有 340 人，预计约 45 天'))
  await tenant.db(db =>
    db.run(sql`update signup set examine = 'passed' where exam_id = ${exam.examId} and submit_time < '2026-03-17 09:30:00+08'`),
  )
  at('2026-03-18 20:01:00')
  expect(await hintsOf()).toEqual(Array(3).fill('您排在最前面，预计约 1 天'))

  const listed = await person.get('/blade-signup/signup/myExamList')
  expect(listed.body.data).toMatchObject({ total: 1, records: [{ examId: exam.examId }] })
  await tenant.db(db => db.run(sql`update signup set examine = 'passed' where user_id = ${person.userId}`))
  expect(await hintsOf()).toEqual([null, null, null])
})

test('[S7.47] a sign-up that is mended while it waits keeps its place; one that was returned or withdrawn joins the end', async () => {
  at('2026-03-18 10:00:00')
  const tenant = await t.tenant()
  const exam = await buildExam(tenant)
  const person = await tenant.candidate(wang)
  const hand = async (signVersion: number) => {
    const fileIds = await uploadAll(person)
    const answer = await submit(person, exam.examId, { content: answersOf(wang.idCard, wang.phone), fileIds, signVersion })
    expect(answer.body).toMatchObject({ code: 200, data: { examine: 1, signVersion: signVersion + 1 } })
  }
  const since = async () =>
    (await tenant.rows(sql<{ since: Date }>`select submit_time as since from signup where user_id = ${person.userId}`))[0]?.since
  await hand(0)
  at('2026-03-18 11:00:00')
  await hand(1)
  expect(await since()).toEqual(fromWireTime('2026-03-18 10:00:00'))
  await tenant.db(db => db.run(sql`update signup set examine = 'withdrawn' where user_id = ${person.userId}`))
  await hand(2)
  expect(await since()).toEqual(fromWireTime('2026-03-18 11:00:00'))
})
