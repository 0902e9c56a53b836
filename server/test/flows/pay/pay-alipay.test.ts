import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { alarmsOf, beginPayments, deliver, emulatorOf, exam, moneyOf, type Payer, payScene, runTask } from '../../support/pay.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp()
})
afterAll(() => t.close())
beforeEach(() => beginPayments(t))

const alipay = async () => (await emulatorOf(t)).payments.alipay()
const openCode = async ({ person, payId }: Payer): Promise<{ orderNo: string; codeUrl: string }> => {
  const { status, body } = await person.get(`${exam}/getPayQrcode`, { query: { payId, channel: 'alipay' } })
  expect(status).toBe(200)
  return body.data
}
const answerOf = async (notice: Parameters<typeof deliver>[1]) => {
  const { status, raw } = await deliver(t, notice)
  return [status, raw.toString()]
}
const orderFacts = (orderNo: string) =>
  sql`select way, channel, trade_type as type, close_reason as reason from pay_order where order_no = ${orderNo}`

describe('[29.1] paying by a code of Alipay', () => {
  test('one order, one line, paid the way of Alipay; the same notice again changes nothing', async () => {
    const scene = await payScene(t)
    const payer = await scene.payer()
    const { orderNo, codeUrl } = await openCode(payer)
    expect(codeUrl).toMatch(/^https:\/\/qr\.alipay\.com\/bax\w{20}$/)
    expect((await openCode(payer)).orderNo).toBe(orderNo)
    const emulator = await alipay()
    expect(await emulator.payAsPerson(codeUrl)).toMatchObject({ ok: true })
    const notice = emulator.noticeAbout(orderNo)
    expect(await emulator.runDue()).toBe(1)
    expect(await emulator.runDue()).toBe(0)
    expect(await answerOf(notice)).toEqual([200, 'success'])
    expect(await moneyOf(scene.tenant, payer.payId)).toEqual({
      due: { state: 'paid', paid: 10_000, refunded: 0, payState: 'paid' },
      orders: [{ orderNo, state: 'paid', exception: null, notices: 2 }],
      ledger: [{ kind: 'pay', fen: 10_000 }],
      refunds: [],
    })
    expect(await scene.tenant.rows(orderFacts(orderNo))).toEqual([{ way: 'precreate', channel: 'alipay', type: 'PRECREATE', reason: null }])
    const { body } = await scene.finance.get('/blade-examPay/exampay/list')
    expect(body.data.records).toMatchObject([{ payWay: 5, paidAmount: 10_000 }])
    expect(await alarmsOf(scene.tenant)).toEqual([])
  })

  test('[29.9] a stranger’s signature, a changed field, another application and another amount post nothing', async () => {
    const scene = await payScene(t)
    const emulator = await alipay()
    const payers = [await scene.payer(), await scene.payer()] as const
    const orders = [await openCode(payers[0]), await openCode(payers[1])] as const
    for (const { codeUrl } of orders) await emulator.payAsPerson(codeUrl)
    const [first, second] = orders
    expect(await answerOf(emulator.noticeAbout(first.orderNo, {}, 'forged'))).toEqual([401, 'fail'])
    const changed = emulator.noticeAbout(first.orderNo)
    expect(await answerOf({ ...changed, body: changed.body.replace('total_amount=100.00', 'total_amount=1.00') })).toEqual([401, 'fail'])
    expect(await answerOf({ ...changed, body: `${changed.body}&total_amount=100.00` })).toEqual([401, 'fail'])
    expect((await moneyOf(scene.tenant, payers[0].payId)).due.state).toBe('due')

    expect(await answerOf(emulator.noticeAbout(first.orderNo, { app_id: '2021999999999999' }))).toEqual([200, 'success'])
    expect(await answerOf(emulator.noticeAbout(second.orderNo, { total_amount: '99.00' }))).toEqual([200, 'success'])
    const [one, two] = [await moneyOf(scene.tenant, payers[0].payId), await moneyOf(scene.tenant, payers[1].payId)]
    expect([one.due.state, one.orders[0]?.exception, one.ledger]).toEqual(['due', 'merchantMismatch', []])
    expect([two.due.state, two.orders[0]?.exception, two.ledger]).toEqual(['due', 'amountMismatch', [{ kind: 'suspense', fen: 9_900 }]])
    expect((await alarmsOf(scene.tenant)).toSorted()).toEqual(['amountMismatch', 'merchantMismatch', 'noticeRefused'])
  })

  test('a lost notice is found by asking; a code nobody scanned is cancelled there before another provider’s is made', async () => {
    const scene = await payScene(t)
    const emulator = await alipay()
    const [lost, changing] = [await scene.payer(), await scene.payer()]
    const paid = await openCode(lost)
    await emulator.payAsPerson(paid.codeUrl)
    t.clock.advance(61_000)
    const asked = await lost.person.get(`${exam}/checkOrder`, { query: { orderNo: paid.orderNo } })
    expect(asked.body.data).toMatchObject({ state: 2 })
    expect((await moneyOf(scene.tenant, lost.payId)).due).toMatchObject({ state: 'paid', paid: 10_000 })

    const { orderNo, codeUrl } = await openCode(changing)
    const other = await changing.person.get(`${exam}/getPayQrcode`, { query: { payId: changing.payId } })
    expect(other.body.data.codeUrl).toMatch(/^weixin:/)
    expect(await emulator.payAsPerson(codeUrl)).toEqual({ ok: false, problem: 'closed' })
    expect(await scene.tenant.rows(orderFacts(orderNo))).toEqual([{ way: 'precreate', channel: 'alipay', type: null, reason: 'replaced' }])
  })

  test('[29.5] a refund goes back by Alipay under its number, once, however often it is asked for', async () => {
    const scene = await payScene(t, { exam: { refund_policy: 1 } })
    const emulator = await alipay()
    const payer = await scene.payer()
    const { orderNo, codeUrl } = await openCode(payer)
    await emulator.payAsPerson(codeUrl)
    await emulator.runDue()
    expect((await payer.person.post(`${exam}/backPay`, { json: { payId: payer.payId, reason: 'ownWish' } })).body).toMatchObject({
      code: 200,
    })
    const approved = await scene.finance.post(`${exam}/backPay`, { json: { payId: payer.payId, approve: 1 } })
    expect(approved.body).toMatchObject({ code: 200 })
    const [{ id: refundId } = { id: '' }] = await scene.tenant.rows(sql<{ id: string }>`select id::text as id from pay_refund`)
    await runTask(t, 'pay.refund', { tenantId: scene.tenant.tenantId, refundId })
    await runTask(t, 'pay.refund', { tenantId: scene.tenant.tenantId, refundId })
    await emulator.runDue()
    expect(emulator.refundsOf(orderNo)).toMatchObject([{ requestNo: `R${orderNo}01`, fen: 10_000 }])
    expect(await moneyOf(scene.tenant, payer.payId)).toMatchObject({
      due: { state: 'refunded', paid: 10_000, refunded: 10_000 },
      orders: [{ orderNo, state: 'refunded', exception: null }],
      ledger: [
        { kind: 'pay', fen: 10_000 },
        { kind: 'refund', fen: -10_000 },
      ],
      refunds: [{ state: 'succeeded', fen: 10_000 }],
    })
    expect(await alarmsOf(scene.tenant)).toEqual([])
  })
})
