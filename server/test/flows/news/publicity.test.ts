import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { type Person, startTestApp, type TestApp, type TestTenant } from '../../support/app.ts'
import { type BuiltExam, buildExam } from '../../support/factories.ts'
import { insertSignups, type SignupRef } from '../../support/sign-up-rows.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp()
})
afterAll(() => t.close())

const sat = [{ itemCode: '01', itemName: '综合基础知识', startTime: '2026-03-16 09:00:00', endTime: '2026-03-16 10:30:00' }]
const importResults = (tenant: TestTenant, exam: BuiltExam, by: Person, scores: readonly (readonly [SignupRef, string])[]) =>
  tenant.db(async db => {
    for (const [at, [signup, score]] of scores.entries())
      await db.run(sql`
        insert into result (tenant_id, exam_id, item_id, signup_id, user_id, ticket_no, name, score, result_state, bonus, final_score, created_by, updated_by)
        values (${tenant.tenantId}, ${exam.examId}, ${exam.papers['01']}, ${signup.id}, ${signup.userId}, ${`2603010010${String(at).padStart(2, '0')}`}, ${signup.name},
          ${score}, 1, 0, ${score}, ${by.userId}, ${by.userId})`)
    await db.run(sql`
      update exam_item set score_state = 'imported', score_import_by = ${by.userId}, score_import_at = app_now() where id = ${exam.papers['01']}`)
  })

test('[S7.40] a publicity list is made from released results alone, masked, as a draft that an officer publishes', async () => {
  const tenant = await t.tenant()
  const exam = await buildExam(tenant, { papers: sat })
  const [importer, releaser] = [await tenant.staff('exam_admin'), await tenant.staff('exam_admin')]
  const [high, low] = await insertSignups(tenant, exam.examId, [
    { name: '王高分', code: 'B001', type: 'B', unit: 'H01' },
    { name: '李低分', code: 'B001', type: 'B', unit: 'H01' },
  ])
  if (!high || !low) throw new Error('two sign-ups')
  await importResults(tenant, exam, importer, [
    [high, '88.00'],
    [low, '40.00'],
  ])
  const make = (list: number, by = releaser) => by.post('/blade-desk/notice/makePublicity', { json: { examId: exam.examId, list } })
  expect((await make(1)).body).toMatchObject({ code: 2403, msg: '成绩尚未发布，不能生成公示名单：综合基础知识' })
  const released = await releaser.post('/blade-exam/examination/releaseResults', {
    json: { examId: exam.examId, itemIds: exam.papers['01'], state: 1, confirmCode: 'HZ2026A' },
  })
  expect(released.body.code).toBe(200)
  // The post has one vacancy.
  await tenant.db(db => db.run(sql`update type_code set cur_num = 1 where exam_id = ${exam.examId} and code = 'B001'`))
  const made = (await make(2)).body.data
  expect(made).toEqual({ id: made.id, title: '2026年区卫生健康系统事业单位公开招聘拟聘用人员名单公示', people: 1 })
  const row = (await releaser.get('/blade-desk/notice/detail', { query: { id: made.id } })).body.data
  expect(row).toMatchObject({ noticeType: 3, scope: 1, state: 0, examId: exam.examId, releaseTime: null, endTime: '2026-03-24 00:00:00' })
  expect(row.content).toContain('公示期：2026年3月17日至2026年3月23日（5 个工作日）')
  expect(row.content).toContain('<p data-align="right">2026年3月17日</p>')
  expect(row.content).not.toContain('面试成绩')
  expect(row.content).toContain('<td>B001</td><td>护士</td><td>王高分</td><td>2603****1000</td><td>88.00</td>')
  expect([row.content.includes('李低分'), row.content.includes('260301001000'), /\d{17}[\dX]|1[3-9]\d{9}/.test(row.content)]).toEqual([
    false,
    false,
    false,
  ])
  expect((await t.anonymous(tenant.tenantId).get('/blade-exam/examination/getNoticeInfo', { query: { id: made.id } })).status).toBe(404)
  const move = await releaser.post('/blade-desk/notice/changeState', { json: { id: made.id, event: 'publish', dryRun: 1 } })
  expect(move.body.data.warnings).toEqual([])
  expect(await tenant.rows(sql`select action, after_value as after from audit_log where action like 'notice%'`)).toEqual([
    { action: 'notice.made-from-results', after: { title: made.title, examId: exam.examId, list: 2, people: 1 } },
  ])
  const stranger = await (await t.tenant()).staff('exam_admin')
  expect((await make(1, stranger)).status).toBe(404)
})
