import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { type Person, startTestApp, type TestApp } from '../../support/app.ts'
import { makeDept } from '../../support/factories.ts'
import { decide, openReview, reviewWorld } from '../../support/reviewing.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp()
})
afterAll(() => t.close())

const texts = async (person: Person): Promise<string[]> =>
  (await person.get('/blade-sendMessage/sendmessage/list')).body.data.records.map((row: { content: string }) => row.content)

test('[S7.45] a message of an event is read by who reaches its examination; one of an account by nobody who is narrowed', async () => {
  const w = await reviewWorld(t)
  const [theirs, other] = [await makeDept(w.tenant, '招考科'), await makeDept(w.tenant, '疾控中心')]
  await w.tenant.db(db => db.run(sql`update examination set dept_id = ${theirs}`))
  const inside = await w.tenant.staff('exam_admin', { deptId: theirs })
  const outside = await w.tenant.staff('exam_admin', { deptId: other })
  const whole = await w.tenant.staff('admin')

  await openReview(w.r1, w.id)
  const refusal = { examineResult: 3, examineResultRemark: '学历证书与填报内容不一致' }
  expect((await decide(w.r1, w.id, refusal)).body.code).toBe(200)
  await w.tenant.db(async db => {
    await db.run(sql`
      insert into sms_message (tenant_id, id, user_id, template, phone_mask, phone_sealed, content, segments)
      select tenant_id, next_id(), user_id, 'account-approved', phone_mask, phone_sealed, '您的账号已通过审核', 1 from sms_message limit 1`)
  })

  const refused = expect.stringContaining('资格审核未通过')
  expect(await texts(whole)).toEqual(['您的账号已通过审核', refused])
  expect(await texts(inside)).toEqual([refused])
  expect(await texts(outside)).toEqual([])
  expect(await w.tenant.rows(sql`select template, exam_id::text as exam from sms_message order by id`)).toEqual([
    { template: 'signup-refused', exam: w.exam.examId },
    { template: 'account-approved', exam: null },
  ])
})
