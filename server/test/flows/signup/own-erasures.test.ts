import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { buildExam } from '../../support/factories.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp()
})
afterAll(() => t.close())

test('[12.2.8] candidates see what of their own will be erased and when, by the rules of the erasure, and nothing of others', async () => {
  const tenant = await t.tenant()
  const exam = await buildExam(tenant)
  const [candidate, other] = [
    await tenant.candidate({ idCard: '330106199806301023', phone: '16000000001' }),
    await tenant.candidate({ idCard: '33010619900307401X', phone: '16000000002' }),
  ]
  await candidate.post('/blade-signup/signup/submit', { json: { examId: exam.examId, submitType: 0, content: {} } })
  const seen = async () => (await candidate.get('/me/erasures')).body.data
  const row = { examName: '2026年区卫生健康系统事业单位公开招聘', what: '没有提交的报名：填写的全部内容和材料', days: 90 }
  expect(await seen()).toMatchObject([{ ...row, on: null }])
  await tenant.db(db => db.run(sql`update examination set state = 'closed', close_at = '2026-04-01 10:00:00+08' where id = ${exam.examId}`))
  expect(await seen()).toMatchObject([{ ...row, on: '2026-06-30' }])
  expect((await other.get('/me/erasures')).body.data).toEqual([])
})
