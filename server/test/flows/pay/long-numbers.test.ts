import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { testIdCard } from '../../support/id-card.ts'
import { exam, payScene } from '../../support/pay.ts'
import { rawBook, rawNumber, rawText } from '../../support/raw-book.ts'
import { sheetCells } from '../../support/sheet-text.ts'

// Numbers of bank vouchers have up to 19 digits and more; a number in JSON and in a spreadsheet holds fifteen.

let t: TestApp
beforeAll(async () => {
  t = await startTestApp()
})
afterAll(() => t.close())

const long = '6222021001234567890'
const header = ['证件号码*', '姓名*', '费用名称', '实缴金额(元)*', '缴费时间*', '缴费方式(转账/现金/POS/单位代缴)*', '凭证号*', '备注']

const scene = async () => {
  const made = await payScene(t)
  const payer = await made.payer()
  const idCard = testIdCard(811)
  const index = t.app.services.cipher.blindIndex(made.tenant.tenantId, 'id-card', idCard)
  await made.tenant.rows(sql`update signup set id_card_index = ${index} where id = ${payer.signupId}`)
  const send = async (voucher: string, mode: 'check' | 'commit') => {
    const row = [idCard, '王测', '', '100', '2026-03-16 09:30:00', '转账'].map(text => rawText(text))
    const bytes = await rawBook({
      formats: ['0'],
      sheets: [{ name: '数据', rows: [header.map(text => rawText(text)), [...row, voucher]] }],
    })
    return made.finance.post(`${exam}/importPay`, {
      multipart: { fields: { examId: made.built.examId, mode }, files: [{ part: 'file', name: '流水.xlsx', bytes }] },
    })
  }
  const stored = async () =>
    (await made.tenant.rows(sql<{ no: string | null }>`select voucher_no as no from exam_pay where id = ${payer.payId}`))[0]?.no
  return { ...made, ...payer, send, stored }
}

test('[S7.41] a voucher of 19 digits comes in as text, and a number is refused with what and how to mend it', async () => {
  const w = await scene()
  for (const [cell, said] of [
    [rawNumber(long), '凭证号已变成科学计数，请设为文本格式后重新填写'],
    [rawNumber('6.22202100123456E+18'), '凭证号已变成科学计数，请设为文本格式后重新填写'],
    // Without decimals a spreadsheet shows nineteen digits, of which it made up the last four.
    [rawNumber(long, 1), '凭证号'],
  ] as const) {
    const answer = await w.send(cell, 'check')
    expect([answer.body.data.ok, answer.body.data.errors]).toEqual([
      0,
      [expect.objectContaining({ row: 2, column: 'G', header: '凭证号', reason: expect.stringContaining(said) })],
    ])
  }
  expect((await w.send(rawText(long), 'commit')).body.data).toMatchObject({ ok: 1, errors: [] })
  expect(await w.stored()).toBe(long)
  const list = await w.finance.get(`${exam}/getPayExcel`, { query: { examId: w.built.examId, kind: 'paid' } })
  const [, titles = [], ...rows] = await sheetCells(list.raw)
  expect(rows.map(row => row[titles.indexOf('微信订单号/凭证号')])).toEqual([long])
})

test('[S7.41] a call that sends a voucher as a number is refused, as text all digits are there, in its answers too', async () => {
  const w = await scene()
  const posting = { payId: w.payId, payWay: 2, amount: 10_000, paidTime: '2026-03-17 09:00:00' }
  const rounded = await w.finance.post(`${exam}/handleUp`, { json: { ...posting, voucherNo: Number(long) } })
  expect([rounded.status, rounded.body.data.fields]).toEqual([
    400,
    [{ field: 'voucherNo', msg: expect.stringMatching(/凭证号.*(加引号以文本发送|文本)/) }],
  ])
  expect(await w.stored()).toBeNull()
  expect((await w.finance.post(`${exam}/handleUp`, { json: { ...posting, voucherNo: long } })).body.code).toBe(200)
  expect(await w.stored()).toBe(long)
  const { records } = (await w.finance.get('/blade-examPay/exampay/list')).body.data
  expect(records.map((row: { voucherNo: string }) => row.voucherNo)).toEqual([long])
})

test('[S7.41] numbers that others gave are texts in the database', async () => {
  const columns = await t.platform().rows(sql<{ name: string; type: string }>`
    select table_name || '.' || column_name as name, data_type as type from information_schema.columns
    where table_schema = 'public' and column_name ~ '(voucher|transaction|trade|receipt|invoice|serial|refund|order|ticket|card|mch)_(no|id|number|tax_no)$'
      and column_name !~ '(^|_)(ticket_id|order_id|refund_id|receipt_id)$'`)
  expect(columns.filter(one => !['character varying', 'text', 'character'].includes(one.type))).toEqual([])
  expect(columns.map(one => one.name)).toEqual(
    expect.arrayContaining(['exam_pay.voucher_no', 'exam_pay.invoice_no', 'pay_refund.voucher_no']),
  )
})
