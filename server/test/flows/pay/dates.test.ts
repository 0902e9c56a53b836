import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { startTestApp, type TestApp, testStart } from '../../support/app.ts'
import { exam, payScene } from '../../support/pay.ts'
import { workbook } from '../../support/workbook.ts'

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

test('a payment from before the sign-up asks, by hand and in a list; it is taken once that is confirmed, and one from before the examination never', async () => {
  const scene = await payScene(t)
  // An examination that was made long before its sign-up.
  await scene.tenant.rows(sql`update examination set created_at = '2025-01-10T10:00:00+08:00' where id = ${scene.built.examId}`)
  const [hand, listed, right] = [await scene.payer(), await scene.payer(), await scene.payer()]
  const post = (paidTime: string, sure?: string) =>
    scene.finance.post(`${exam}/handleUp`, {
      json: { payId: hand.payId, payWay: 2, amount: 10_000, paidTime, voucherNo: 'YH1', ...(sure === undefined ? {} : { sure }) },
    })
  const asked = await post('2026-01-05 09:00:00')
  expect([asked.status, asked.body.reason, asked.body.data.asks]).toEqual([
    409,
    'kernel/asks',
    [{ id: 'paidTime.early.signBegin', field: 'paidTime', msg: '缴费时间早于报名开始' }],
  ])
  expect((await post('2024-12-31 09:00:00', 'paidTime.early.signBegin')).body.data.fields).toEqual([
    { field: 'paidTime', msg: '缴费时间不能早于报名开始' },
  ])
  expect((await post('2026-01-05 09:00:00', 'paidTime.early.signBegin')).body.code).toBe(200)
  const noOf = async (signupId: string) =>
    (await scene.tenant.rows(sql<{ no: string }>`select sign_no as no from signup where id = ${signupId}`))[0]?.no ?? ''
  const row = async (one: { readonly signupId: string }, paidTime: string, voucher: string) => [
    ...[await noOf(one.signupId), '王测', '报名费', '100', paidTime, '转账', voucher],
  ]
  const rows = [await row(listed, '2026-01-06 09:00', 'YH2'), await row(right, '2026-03-17 09:00', 'YH3')]
  const send = async (fields: Record<string, string>) =>
    scene.finance.post(`${exam}/importPay`, {
      multipart: {
        fields: { examId: scene.built.examId, ...fields },
        files: [
          {
            part: 'file',
            name: '实缴.xlsx',
            bytes: await workbook([['证件号码*', '姓名*', '费用名称', '实缴金额(元)*', '缴费时间*', '缴费方式*', '凭证号*'], ...rows]),
          },
        ],
      },
    })
  const checked = await send({ mode: 'check' })
  expect(checked.body.data).toMatchObject({
    ...{ ok: 2, failed: 0, asked: 1 },
    warnings: [{ row: 2, reason: '缴费时间早于报名开始', asks: 'paidTime.early.signBegin' }],
  })
  const paid = () => scene.tenant.rows(sql`select voucher_no as no from exam_pay where state = 'paid' order by voucher_no`)
  expect((await send({ mode: 'commit' })).body.data).toMatchObject({ state: 4, inserted: 1, skipped: 1, asked: 1 })
  expect(await paid()).toEqual([{ no: 'YH1' }, { no: 'YH3' }])
  rows.pop()
  const alone = await send({ mode: 'commit' })
  expect([alone.status, alone.body.reason]).toEqual([409, 'import/asks'])
  expect((await send({ mode: 'commit', sure: '2' })).body.data).toMatchObject({ state: 4, inserted: 1, asked: 0 })
  expect(await paid()).toEqual([{ no: 'YH1' }, { no: 'YH2' }, { no: 'YH3' }])
})
