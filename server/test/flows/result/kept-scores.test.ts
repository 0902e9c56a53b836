import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { type Person, startTestApp, type TestApp } from '../../support/app.ts'
import { buildExam } from '../../support/factories.ts'
import { insertSignups } from '../../support/sign-up-rows.ts'

let t: TestApp
let second: TestApp
beforeAll(async () => {
  t = await startTestApp()
  second = await t.beside()
})
afterAll(() => t.close())

const sat = [{ itemCode: '01', itemName: '综合基础知识', startTime: '2026-03-16 09:00:00', endTime: '2026-03-16 10:30:00' }]
const path = '/blade-signup/score/getExamScore'

/** An examination with so many people who can log in, with scores from 60 upwards, imported. */
const setUp = async (count: number) => {
  const tenant = await t.tenant()
  const { examId, papers } = await buildExam(tenant, { papers: sat })
  const [importer, releaser, admin] = [await tenant.staff('exam_admin'), await tenant.staff('exam_admin'), await tenant.staff('admin')]
  const people: Person[] = []
  for (let i = 0; i < count; i++) people.push(await tenant.candidate({ realName: `考生${i}` }))
  const signups = await insertSignups(
    tenant,
    examId,
    people.map(({ userId }, i) => ({ name: `考生${i}`, code: 'B001', type: 'B', unit: 'H01', userId })),
  )
  const itemId = papers['01'] ?? ''
  await tenant.db(async db => {
    for (const [i, { id, userId, name }] of signups.entries())
      await db.run(sql`
        insert into result (tenant_id, exam_id, item_id, signup_id, user_id, ticket_no, name, score, result_state, bonus, final_score, created_by, updated_by)
        values (${tenant.tenantId}, ${examId}, ${itemId}, ${id}, ${userId}, ${`2603010010${String(i).padStart(2, '0')}`}, ${name}, ${60 + i}, 1, 0, ${60 + i},
          ${importer.userId}, ${importer.userId})`)
    await db.run(
      sql`update exam_item set score_state = 'imported', score_import_by = ${importer.userId}, score_import_at = app_now() where id = ${itemId}`,
    )
  })
  const order = (by: Person, json: object) =>
    by.post('/blade-exam/examination/releaseResults', { json: { examId, itemIds: itemId, confirmCode: 'HZ2026A', ...json } })
  /** What both processes answer once they have heard. */
  const seen = async (who: Person, language = 'zh-CN') => {
    await Promise.all([t.app.catchUp(), second.app.catchUp()])
    const headers = { 'blade-auth': `bearer ${who.token}`, 'accept-language': language }
    const answers = [t, second].map(async app => (await app.anonymous().get(path, { query: { examId }, headers })).body)
    const [here, there] = await Promise.all(answers)
    // A refusal names its own call.
    expect({ ...there, traceId: '' }).toEqual({ ...here, traceId: '' })
    return here
  }
  return { tenant, examId, itemId, people, signups, importer, releaser, admin, order, seen }
}
const page = (body: { data: { items: { score: string }[]; rank?: number; postCount?: number } }) => [
  body.data.items.map(item => item.score),
  body.data.rank,
  body.data.postCount,
]

test('[28.8] a kept score page is no older than the last release, correction or withdrawal, in every process', async () => {
  const s = await setUp(3)
  const [low, middle, high] = s.people as [Person, Person, Person]
  for (const who of s.people) expect((await s.seen(who)).code).toBe(2403)
  await s.order(s.releaser, { state: 1 })
  expect(page(await s.seen(high))).toEqual([['62.00'], 1, 3])
  expect(page(await s.seen(low))).toEqual([['60.00'], 3, 3])

  const [row] = await s.tenant.rows(sql<{ id: string }>`select id::text as id from result where signup_id = ${s.signups[0]?.id}`)
  const submit = (by: Person, json: object) => by.post('/blade-result/result/submit', { json: { id: row?.id, ...json } })
  const { correctionId } = (await submit(s.importer, { score: '70', reason: '登分有误' })).body.data
  expect(page(await s.seen(low))).toEqual([['60.00'], 3, 3])
  expect((await submit(s.releaser, { correctionId, confirm: 1 })).body.data.state).toBe('applied')
  expect(page(await s.seen(low))).toEqual([['70.00'], 1, 3])
  expect(page(await s.seen(high))).toEqual([['62.00'], 2, 3])

  expect((await s.order(s.admin, { state: 0, reason: '成绩有误' })).body.code).toBe(200)
  expect((await s.seen(middle)).reason).toBe('result/in-check')
  // Whoever confirmed the correction releases nothing of it.
  await s.order(await s.tenant.staff('exam_admin'), { state: 1 })
  expect(page(await s.seen(middle))).toEqual([['61.00'], 3, 3])
})

test('[28.8] a kept score page follows what is changed beside the scores: a name, a place that is lost, a line, whatever changes the row', async () => {
  const s = await setUp(2)
  const [low, high] = s.people as [Person, Person]
  await s.order(s.releaser, { state: 1, showLine: 1 })
  expect((await s.seen(low)).data).toMatchObject({ items: [{ itemName: '综合基础知识' }], out: null, rank: 2 })
  await s.tenant.rows(sql`update exam_item set item_name = '综合知识' where id = ${s.itemId}`)
  expect((await s.seen(low)).data.items[0].itemName).toBe('综合知识')
  await s.tenant.rows(sql`update examination set pass_score = 55 where id = ${s.examId}`)
  expect((await s.seen(low)).data.passLine).toBe('55.00')
  await s.tenant.rows(sql`update signup set pay_state = 'refunded' where id = ${s.signups[0]?.id}`)
  expect((await s.seen(low)).data).toMatchObject({ shortlist: 0, out: expect.stringContaining('退费') })
  expect((await s.seen(low, 'en')).data.out).toMatch(/refund|fee/i)
  expect((await s.seen(high)).data.out).toBeNull()
  await s.tenant.rows(sql`update score_total set rank_in_post = 7 where signup_id = ${s.signups[1]?.id}`)
  expect((await s.seen(high)).data.rank).toBe(7)
  await s.tenant.rows(sql`update result set score = 12 where signup_id = ${s.signups[1]?.id}`)
  expect((await s.seen(high)).data.items[0].score).toBe('12.00')
  await s.tenant.rows(sql`update type_code set item_codes = '["99"]' where exam_id = ${s.examId}`)
  expect((await s.seen(high)).code).toBe(200)
})

test('[28.8] people who ask at the same moment each get their own page, and strangers none', async () => {
  const s = await setUp(30)
  const stranger = await s.tenant.candidate({ realName: '旁人' })
  const foreign = await (await t.tenant()).candidate({ realName: '外人' })
  await s.order(s.releaser, { state: 1 })
  await t.app.catchUp()
  const answers = await Promise.all([...s.people, stranger, foreign].map(who => who.get(path, { query: { examId: s.examId } })))
  expect(answers.slice(0, 30).map(({ body }) => [body.data.items[0].score, body.data.rank])).toEqual(
    s.people.map((_, i) => [`${60 + i}.00`, 30 - i]),
  )
  expect(answers.slice(30).map(({ status }) => status)).toEqual([404, 404])
})
