import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { doWork } from '../../support/own-work.ts'
import { alarmsOf, beginPayments, deliver, emulatorOf, exam, moneyOf, noticesOf, type Payer, payScene, runTask } from '../../support/pay.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp()
})
afterAll(() => t.close())
const nontax = async () => (await emulatorOf(t)).payments.nontax()
beforeEach(async () => {
  await beginPayments(t)
  Object.assign((await nontax()).faults, { refund: 'paid', checkBill: undefined, losesNotices: false })
})
const minute = 60_000
type Scene = Awaited<ReturnType<typeof payScene>>

const openNumber = async ({ person, payId }: Payer): Promise<{ orderNo: string; codeUrl: string; payCode: string; expireTime: string }> => {
  const { status, body } = await person.get(`${exam}/getPayQrcode`, { query: { payId, channel: 'nontax' } })
  expect(status).toBe(200)
  return body.data
}
const answerOf = async (notice: Parameters<typeof deliver>[1]) => {
  const { status, raw } = await deliver(t, notice)
  return [status, JSON.parse(raw.toString()).code]
}
const paid = async (scene: Scene) => {
  const payer = await scene.payer()
  const order = await openNumber(payer)
  const emulator = await nontax()
  await emulator.payAsPerson(order.codeUrl)
  await emulator.runDue()
  return { ...payer, ...order }
}
const receiptOf = async ({ person, payId }: Payer) => {
  const { body } = await person.get(`${exam}/getMyPayList`)
  const { isInvoice, invoiceNo, invoiceUrl } = body.data.find((due: { id: string }) => due.id === payId)
  return { isInvoice, invoiceNo, invoiceUrl }
}
const giveBack = async (scene: Scene, payer: Payer, amount?: number) => {
  const asked = await scene.finance.post(`${exam}/backPay`, {
    json: { payId: payer.payId, reason: '误缴', ...(amount === undefined ? {} : { amount }) },
  })
  expect(asked.body).toMatchObject({ code: 200 })
  const second = await scene.tenant.staff('finance')
  expect((await second.post(`${exam}/backPay`, { json: { payId: payer.payId, approve: 1 } })).body).toMatchObject({ code: 200 })
  const refunds = await scene.tenant.rows(
    sql<{ id: string }>`select id::text as id from pay_refund where pay_id = ${payer.payId} order by id`,
  )
  const refundId = refunds.at(-1)?.id
  await runTask(t, 'pay.refund', { tenantId: scene.tenant.tenantId, refundId })
}

describe('[29.1] paying by a number of the non-tax platform', () => {
  test('[29.6] twenty digits, good until the end of payment; paid once; the fiscal receipt comes by itself', async () => {
    const scene = await payScene(t)
    const payer = await scene.payer()
    const { orderNo, codeUrl, payCode, expireTime } = await openNumber(payer)
    expect([payCode, expireTime]).toEqual([expect.stringMatching(/^\d{20}$/), '2026-03-22 17:00:00'])
    t.clock.advance(60 * minute)
    expect(await openNumber(payer)).toMatchObject({ orderNo, payCode })
    // The own dues say whose code is good, so that the page shows this one again and asks for no other.
    const [mine] = (await payer.person.get(`${exam}/getMyPayList`)).body.data
    expect([mine.orderNo, mine.openChannel]).toEqual([orderNo, 'nontax'])
    const emulator = await nontax()
    expect(emulator.billOf(orderNo)).toMatchObject({ payer: '王测', fen: 10_000 })
    expect(await emulator.payAsPerson(codeUrl)).toMatchObject({ ok: true })
    expect(await emulator.runDue()).toBe(1)
    expect(await answerOf(emulator.repeat(orderNo, 'payment'))).toEqual([200, 'S0000'])
    expect(await moneyOf(scene.tenant, payer.payId)).toEqual({
      due: { state: 'paid', paid: 10_000, refunded: 0, payState: 'paid' },
      orders: [{ orderNo, state: 'paid', exception: null, notices: 2 }],
      ledger: [{ kind: 'pay', fen: 10_000 }],
      refunds: [],
    })
    expect(await receiptOf(payer)).toEqual({ isInvoice: 0, invoiceNo: null, invoiceUrl: null })
    t.clock.advance(minute)
    expect(await emulator.runDue()).toBe(1)
    const [receipt] = emulator.billOf(orderNo)?.receipts ?? []
    const shown = {
      isInvoice: 1,
      invoiceNo: `${receipt?.ebillCode}-${receipt?.ebillNo}`,
      invoiceUrl: `https://ebill.example.gov.cn/view/${receipt?.ebillCode}/${receipt?.ebillNo}`,
    }
    expect(await receiptOf(payer)).toEqual(shown)
    expect(await answerOf(emulator.repeat(orderNo, 'receipt'))).toEqual([200, 'S0000'])
    expect((await noticesOf(scene.tenant, payer.person.userId)).filter(title => title === '财政电子票据已开具')).toHaveLength(1)
    const dues = await scene.finance.get('/blade-examPay/exampay/list')
    expect(dues.body.data.records).toMatchObject([{ payWay: 6, paidAmount: 10_000, isInvoice: 1, invoiceNo: shown.invoiceNo }])
    const orders = await scene.finance.get('/blade-payOrder/payorder/list', { query: { payCode } })
    expect(orders.body.data.records).toMatchObject([{ orderNo, payCode, tradeType: 'NONTAX' }])
    expect(await alarmsOf(scene.tenant)).toEqual([])
  })

  test('[29.9] a stranger’s signature, an old message, a changed field, another office and another amount post nothing', async () => {
    const scene = await payScene(t)
    const emulator = await nontax()
    const payers = [await scene.payer(), await scene.payer()] as const
    const [first, second] = [await openNumber(payers[0]), await openNumber(payers[1])]
    emulator.faults.losesNotices = true
    for (const { codeUrl } of [first, second]) await emulator.payAsPerson(codeUrl)
    expect(await answerOf(emulator.noticeAbout(first.orderNo, {}, 'forged'))).toEqual([401, 'FAIL'])
    expect(await answerOf(emulator.noticeAbout(first.orderNo, {}, 'old'))).toEqual([401, 'FAIL'])
    const notice = emulator.noticeAbout(first.orderNo)
    const message = JSON.parse(notice.body)
    const data = Buffer.from(Buffer.from(message.data, 'base64').toString().replace('"100.00"', '"1.00"')).toString('base64')
    expect(await answerOf({ ...notice, body: JSON.stringify({ ...message, data }) })).toEqual([401, 'FAIL'])
    expect(await answerOf({ ...notice, body: 'no message' })).toEqual([401, 'FAIL'])
    expect((await moneyOf(scene.tenant, payers[0].payId)).due.state).toBe('due')

    expect(await answerOf(emulator.noticeAbout(first.orderNo, { unitCode: '330106099999' }))).toEqual([200, 'S0000'])
    expect(await answerOf(emulator.noticeAbout(second.orderNo, { amount: '99.00' }))).toEqual([200, 'S0000'])
    const [one, two] = [await moneyOf(scene.tenant, payers[0].payId), await moneyOf(scene.tenant, payers[1].payId)]
    expect([one.due.state, one.orders[0]?.exception, one.ledger]).toEqual(['due', 'merchantMismatch', []])
    expect([two.due.state, two.orders[0]?.exception, two.ledger]).toEqual(['due', 'amountMismatch', [{ kind: 'suspense', fen: 9_900 }]])
    expect((await alarmsOf(scene.tenant)).toSorted()).toEqual(['amountMismatch', 'merchantMismatch', 'noticeRefused'])
  })

  test('notices that are lost are made up for: the payment by asking, the receipt an hour later; another way voids the number first', async () => {
    const scene = await payScene(t)
    const emulator = await nontax()
    emulator.faults.losesNotices = true
    const lost = await scene.payer()
    const { orderNo, codeUrl } = await openNumber(lost)
    await emulator.payAsPerson(codeUrl)
    t.clock.advance(minute)
    expect((await lost.person.get(`${exam}/checkOrder`, { query: { orderNo } })).body.data).toMatchObject({ state: 2 })
    await emulator.runDue()
    t.clock.advance(60 * minute)
    await doWork(t, 'pay.sweep', scene.tenant.tenantId)
    const [ordered] = await scene.tenant.rows(sql<{ name: string; orderNo: string }>`
      select task as name, payload->>'orderNo' as "orderNo" from outbox where task = 'pay.ask-receipt'`)
    expect(ordered).toEqual({ name: 'pay.ask-receipt', orderNo })
    await runTask(t, 'pay.ask-receipt', { tenantId: scene.tenant.tenantId, orderNo })
    expect(await receiptOf(lost)).toMatchObject({ isInvoice: 1 })

    const changing = await scene.payer()
    const number = await openNumber(changing)
    expect((await changing.person.get(`${exam}/getPayQrcode`, { query: { payId: changing.payId } })).body.data.payCode).toBeNull()
    expect(await emulator.payAsPerson(number.codeUrl)).toEqual({ ok: false, problem: 'closed' })
    expect(await alarmsOf(scene.tenant)).toEqual([])
  })
})

describe('[29.5] refunds that the finance department decides on', () => {
  test('[29.6] a part and then the rest: the platform reverses the receipt and makes out one for what is left', async () => {
    const scene = await payScene(t)
    const emulator = await nontax()
    const payer = await paid(scene)
    t.clock.advance(minute)
    await emulator.runDue()
    const before = await receiptOf(payer)
    await giveBack(scene, payer, 4_000)
    expect((await moneyOf(scene.tenant, payer.payId)).refunds).toMatchObject([{ state: 'submitted', fen: 4_000 }])
    t.clock.advance(2 * minute)
    await emulator.runDue()
    await emulator.runDue()
    const [old, rest] = emulator.billOf(payer.orderNo)?.receipts ?? []
    expect([old?.isReversed, rest?.fen]).toEqual([true, 6_000])
    const after = await receiptOf(payer)
    expect([after.isInvoice, after.invoiceNo]).toEqual([1, `${rest?.ebillCode}-${rest?.ebillNo}`])
    expect(after.invoiceNo).not.toBe(before.invoiceNo)

    await giveBack(scene, payer)
    t.clock.advance(2 * minute)
    await emulator.runDue()
    await emulator.runDue()
    expect(await moneyOf(scene.tenant, payer.payId)).toMatchObject({
      due: { state: 'refunded', paid: 10_000, refunded: 10_000, payState: 'refunded' },
      orders: [{ state: 'refunded', exception: null }],
      ledger: [
        { kind: 'pay', fen: 10_000 },
        { kind: 'refund', fen: -4_000 },
        { kind: 'refund', fen: -6_000 },
      ],
    })
    expect(await receiptOf(payer)).toEqual({ isInvoice: 0, invoiceNo: null, invoiceUrl: null })
    expect(await alarmsOf(scene.tenant)).toEqual([])
  })

  test('[11.20] one that the department declines goes to finance, who pay by transfer', async () => {
    const scene = await payScene(t)
    const emulator = await nontax()
    const payer = await paid(scene)
    emulator.faults.refund = 'failed'
    await giveBack(scene, payer)
    t.clock.advance(2 * minute)
    await emulator.runDue()
    expect((await moneyOf(scene.tenant, payer.payId)).refunds).toMatchObject([{ state: 'abnormal' }])
    expect(await alarmsOf(scene.tenant)).toEqual(['refundAbnormal'])
  })
})

describe('[29.4] the bills of the non-tax platform', () => {
  const base = '/blade-reconciliation/reconciliation'
  test('[29.9] a normal day is flat; a line that is missing is asked about; another office or other totals are refused and told', async () => {
    const scene = await payScene(t)
    const emulator = await nontax()
    await paid(scene)
    const missing = await paid(scene)
    t.clock.set('2026-03-18T08:00:00+08:00')
    const again = async () => (await scene.finance.post(`${base}/submit`, { json: { billDate: '2026-03-17', channel: 'nontax' } })).body
    expect(await again()).toMatchObject({ code: 2603, reason: 'pay/bill-not-ready' })
    t.clock.set('2026-03-18T10:30:00+08:00')
    for (const [change, told] of [
      [(said: Record<string, unknown>) => ({ ...said, amount: '100.00' }), 'the totals of the bill differ'],
      [
        (said: Record<string, unknown>) => ({
          ...said,
          rows: (said['rows'] as object[]).map(row => ({ ...row, unitCode: '330106099999' })),
        }),
        'another office',
      ],
      [(said: Record<string, unknown>) => ({ ...said, date: '2026-03-16' }), 'of another day'],
    ] as const) {
      emulator.faults.checkBill = change
      const body = await again()
      expect([body.code, body.reason]).toEqual([2603, 'pay/bill-unread'])
      expect(body.msg).toContain(told)
    }
    emulator.faults.checkBill = said => ({
      ...said,
      rows: (said['rows'] as { busNo: string }[]).filter(row => row.busNo !== missing.orderNo),
      count: '1',
      amount: '100.00',
    })
    expect(await again()).toMatchObject({ code: 200, data: { state: 3, diffCount: 1, openCount: 0 } })
    emulator.faults.checkBill = undefined
    await doWork(t, 'pay.bills', scene.tenant.tenantId)
    expect(await again()).toMatchObject({ code: 200, data: { openCount: 0 } })
    const { body } = await scene.finance.get(`${base}/list`)
    expect(body.data.records).toMatchObject([
      { channel: 'nontax', mchid: emulator.billOf(missing.orderNo)?.unitCode, ourCount: 2, billCount: 2, billAmount: 20_000, fundIn: null },
    ])
  })
})
