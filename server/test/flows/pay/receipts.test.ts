import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { exam, type PayScene, payScene } from '../../support/pay.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp()
})
afterAll(() => t.close())

const paid = async (scene: PayScene) => {
  const payer = await scene.payer()
  await scene.tenant.rows(sql`update exam_pay set state = 'paid', paid_fen = amount_fen where id = ${payer.payId}`)
  return payer
}
const numbers = (scene: PayScene) =>
  scene.tenant.rows(sql`select id::text as id, is_invoice as issued, invoice_no as no from exam_pay order by id`)
const sure = (scene: PayScene, json: object) => scene.finance.post(`${exam}/sureInvoice`, { json })

test('[S7.41] one receipt number is of one payment: several ids in a call are decided one by one, and the others are named', async () => {
  const scene = await payScene(t)
  const [a, b] = [await paid(scene), await paid(scene)]
  const answer = await sure(scene, { ids: `${a.payId},${b.payId}`, isInvoice: 1, invoiceNo: 'PJ001' })
  const used = { id: b.payId, code: 400, reason: 'pay/receipt-used', msg: '票据号已登记在另一笔缴费上' }
  expect(answer.body.data).toEqual({ changed: 1, failed: [used] })
  expect(await numbers(scene)).toEqual([
    { id: a.payId, issued: 1, no: 'PJ001' },
    { id: b.payId, issued: 0, no: null },
  ])
  const none = await sure(scene, { ids: `${b.payId},999000111222333444`, isInvoice: 1, invoiceNo: 'PJ001' })
  expect([none.status, none.body.reason]).toEqual([400, 'pay/receipt-used'])
  expect(none.body.data.failed.map((row: { id: string; reason: string }) => [row.id, row.reason])).toEqual([
    [b.payId, 'pay/receipt-used'],
    ['999000111222333444', 'kernel/not-found'],
  ])
})

test('[S7.41] an issued number is not overwritten: it is undone first, and both lines of the trail have it', async () => {
  const scene = await payScene(t)
  const a = await paid(scene)
  expect((await sure(scene, { ids: a.payId, isInvoice: 1, invoiceNo: 'PJ001' })).body.data).toEqual({ changed: 1 })
  const again = await sure(scene, { ids: a.payId, isInvoice: 1, invoiceNo: 'PJ002' })
  expect([again.status, again.body.reason, again.body.data.fields]).toEqual([
    409,
    'pay/receipt-issued',
    [{ field: 'invoiceNo', msg: '此缴费已开具票据 PJ001，须先撤销再登记新的票据号' }],
  ])
  const link = await sure(scene, { ids: a.payId, isInvoice: 1, invoiceNo: 'PJ001', invoiceUrl: 'https://czpj.example/1' })
  expect(link.body.data).toEqual({ changed: 1 })
  expect((await sure(scene, { ids: a.payId, isInvoice: 0 })).body.data).toEqual({ changed: 1 })
  expect((await sure(scene, { ids: a.payId, isInvoice: 1, invoiceNo: 'PJ002' })).body.data).toEqual({ changed: 1 })
  const trail = await scene.tenant.rows(
    sql`select before_value->>'invoiceNo' as before, after_value->>'invoiceNo' as after from audit_log where action = 'exampay.invoice-changed' order by id`,
  )
  expect(trail).toEqual([
    { before: null, after: 'PJ001' },
    { before: 'PJ001', after: 'PJ001' },
    { before: 'PJ001', after: null },
    { before: null, after: 'PJ002' },
  ])
})

test('[S7.41] numbers are compared in one form, whatever width, case and spaces: of receipts, and of vouchers by hand', async () => {
  const scene = await payScene(t)
  const [a, b] = [await paid(scene), await paid(scene)]
  expect((await sure(scene, { ids: a.payId, isInvoice: 1, invoiceNo: 'pj 001' })).body.code).toBe(200)
  for (const invoiceNo of ['PJ001', 'ＰＪ００１', 'pj-001', ' p j 0 0 1 '])
    expect((await sure(scene, { ids: b.payId, isInvoice: 1, invoiceNo })).body.reason).toBe('pay/receipt-used')
  const [c, d] = [await scene.payer(), await scene.payer()]
  const posted = (payId: string, voucherNo: string) =>
    scene.finance.post(`${exam}/handleUp`, {
      json: { payId, payWay: 2, amount: 10_000, paidTime: '2026-03-17 09:00:00', voucherNo },
    })
  expect((await posted(c.payId, 'v1')).body.code).toBe(200)
  for (const voucherNo of ['V 1', 'ｖ１', 'V-1']) expect((await posted(d.payId, voucherNo)).body.reason).toBe('pay/voucher-used')
})

test('[S7.41] title and taxpayer number stay with a receipt whoever says them; a number whose check character is wrong is refused', async () => {
  const scene = await payScene(t)
  const a = await paid(scene)
  for (const invoiceTaxNo of ['1234567', '91350100M000100Y44', '12345678901234567890'])
    expect((await sure(scene, { ids: a.payId, isInvoice: 1, invoiceNo: 'PJ1', invoiceTaxNo })).body.data.fields).toEqual([
      { field: 'invoiceTaxNo', msg: '纳税人识别号应为 15、18 或 20 位，且校验位正确' },
    ])
  const json = { ids: a.payId, isInvoice: 1, invoiceNo: 'PJ1', invoiceTitle: ' 某医院 ', invoiceTaxNo: '９1350100m000100y43' }
  expect((await sure(scene, json)).body.data).toEqual({ changed: 1 })
  expect(await scene.tenant.rows(sql`select invoice_title as title, invoice_tax_no as tax from exam_pay where id = ${a.payId}`)).toEqual([
    { title: '某医院', tax: '91350100M000100Y43' },
  ])
})
