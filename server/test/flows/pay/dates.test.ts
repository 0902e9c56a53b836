import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { startTestApp, type TestApp, testStart } from '../../support/app.ts'
import { exam, payScene } from '../../support/pay.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp()
})
afterAll(() => t.close())
beforeEach(() => t.clock.set(testStart))

test('a payment cannot have come before the sign-up began, and one that stands so stretches no chart: it is counted as lying outside', async () => {
  const scene = await payScene(t)
  const [early, kept] = [await scene.payer(), await scene.payer()]
  const posted = (payId: string, paidTime: string) =>
    scene.finance.post(`${exam}/handleUp`, { json: { payId, payWay: 2, amount: 10_000, paidTime, voucherNo: `YH${payId}` } })
  const refused = await posted(early.payId, '2020-01-01 00:00:00')
  expect([refused.status, refused.body.data.fields]).toEqual([400, [{ field: 'paidTime', msg: '缴费时间不能早于报名开始' }]])
  expect((await posted(early.payId, '2026-03-17 09:00:00')).body.code).toBe(200)
  await scene.tenant.rows(
    sql`update exam_pay set state = 'paid', paid_fen = amount_fen, paid_time = '2015-01-01T00:00:00+08:00' where id = ${kept.payId}`,
  )
  const chart = await scene.finance.get('/blade-signup/statistics/getNumToLine', { query: { examId: scene.built.examId, grain: 'hour' } })
  const officer = chart.status === 403 ? await scene.tenant.staff('exam_admin') : scene.finance
  const { body, status } = await officer.get('/blade-signup/statistics/getNumToLine', {
    query: { examId: scene.built.examId, grain: 'hour' },
  })
  expect(status).toBe(200)
  expect(body.data.outside).toBe(1)
  expect(body.data.paid.reduce((sum: number, count: number) => sum + count, 0)).toBe(1)
})
