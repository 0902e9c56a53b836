import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { doWork } from '../../support/own-work.ts'
import {
  alarmsOf,
  beginPayments,
  deliver,
  emulatorOf,
  exam,
  moneyOf,
  noticesAbout,
  noticesOf,
  openCode,
  type Payer,
  type PayScene,
  payScene,
  runTask,
} from '../../support/pay.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp()
})
afterAll(() => t.close())
beforeEach(() => beginPayments(t))

interface Opened extends Payer {
  readonly orderNo: string
  readonly codeUrl: string
  readonly mchid: string
}
const opened = async (scene: PayScene): Promise<Opened> => {
  const payer = await scene.payer()
  const code = await openCode(payer.person, payer.payId)
  const { payments } = await emulatorOf(t)
  return { ...payer, ...code, mchid: (await payments.merchantOf(scene.tenant.tenantId)).mchid }
}
const paid = async (scene: PayScene): Promise<Opened> => {
  const order = await opened(scene)
  const { emulator } = await emulatorOf(t)
  await emulator.payAsPerson(order.codeUrl)
  await emulator.runDue()
  return order
}
/** The office gives money back in the provider's own console, and the provider is done with it. */
const backInConsole = async (order: Opened, fen?: number, notifyUrl?: string): Promise<string> => {
  const { emulator } = await emulatorOf(t)
  const { refundNo } = await emulator.refundInConsole(order.mchid, order.orderNo, fen, notifyUrl)
  t.clock.advance(3_000)
  await emulator.runDue()
  return refundNo
}
const queried = async (scene: PayScene, orderNo: string) =>
  (await scene.finance.post('/pay/wxpay/queryOrder', { json: { orderNo } })).body.data
const listed = async (scene: PayScene, orderNo: string) => {
  const { body } = await scene.finance.get('/blade-payOrder/payorder/list', { query: { orderNo } })
  const { state, exceptionType, tradeState } = body.data.records[0]
  return { state, exceptionType, tradeState }
}
/** The next day at 11:00, when yesterday's bill is there. */
const readBill = (scene: PayScene) => {
  t.clock.set('2026-03-18T11:00:00+08:00')
  return doWork(t, 'pay.bills', scene.tenant.tenantId)
}
const billOf = (scene: PayScene) =>
  scene.tenant.rows(
    sql`select bill_date::text as day, row_count as rows, amount_fen::int as paid, refund_fen::int as back, found_count as found, problem from pay_bill`,
  )
const whole = { state: 'refunded', paid: 10_000, refunded: 10_000, payState: 'refunded' }
const lines = [
  { kind: 'pay', fen: 10_000 },
  { kind: 'refund', fen: -10_000 },
]

describe('[21.6] money that the office gives back in the merchant console', () => {
  test('is seen by the next query, told to finance, and entered from the bill once it says how much', async () => {
    const scene = await payScene(t)
    const order = await paid(scene)
    const refundNo = await backInConsole(order)
    expect(await queried(scene, order.orderNo)).toMatchObject({ tradeState: 'REFUND', state: 2 })
    expect(await listed(scene, order.orderNo)).toEqual({ state: 2, exceptionType: 5, tradeState: 'REFUND' })
    expect(await alarmsOf(scene.tenant)).toEqual(['refundedOutside'])
    expect(await noticesOf(scene.tenant, scene.finance.userId)).toEqual(['支付异常待处理'])
    expect(
      await scene.tenant.rows(sql`select content_zh as zh, content_en as en from notify where user_id = ${scene.finance.userId}`),
    ).toEqual([{ zh: `在商户平台上的退费：${order.orderNo}`, en: `A refund made in the merchant console: ${order.orderNo}` }])
    // How much it was is not known yet: nobody loses a place by a guess.
    expect((await moneyOf(scene.tenant, order.payId)).ledger).toEqual(lines.slice(0, 1))
    t.clock.advance(3_000)
    await queried(scene, order.orderNo)

    await readBill(scene)
    expect(await moneyOf(scene.tenant, order.payId)).toEqual({
      due: whole,
      orders: [{ orderNo: order.orderNo, state: 'refunded', exception: 'refundedOutside', notices: 1 }],
      ledger: lines,
      refunds: [{ state: 'succeeded', reason: 'outside', fen: 10_000 }],
    })
    expect(await billOf(scene)).toEqual([{ day: '2026-03-17', rows: 2, paid: 10_000, back: 10_000, found: 1, problem: null }])
    expect(await alarmsOf(scene.tenant)).toEqual(['refundedOutside'])
    expect((await noticesOf(scene.tenant, order.person.userId)).slice(-1)).toEqual(['退费完成'])
    expect((await order.person.get(`${exam}/getMyPayList`)).body.data[0].refund).toMatchObject({ state: 2, reason: '商户平台退费' })
    expect(
      await scene.tenant.rows(
        sql`select action, after_value as after from audit_log where action in ('refund.outside', 'payorder.refundedOutside') order by id`,
      ),
    ).toEqual([
      { action: 'payorder.refundedOutside', after: { state: 'paid', exception: 'refundedOutside' } },
      { action: 'refund.outside', after: { refundNo, orderNo: order.orderNo, amountFen: 10_000 } },
    ])
    // A second reading finds nothing new.
    await readBill(scene)
    expect(await billOf(scene)).toMatchObject([{ found: 1 }])
    expect((await moneyOf(scene.tenant, order.payId)).ledger).toEqual(lines)
  })

  test('is entered at once where the console tells of it, a part as a part', async () => {
    const scene = await payScene(t)
    const order = await paid(scene)
    const [told] = await noticesAbout(t, order.orderNo)
    const url = told?.url.replace('/notify/', '/refundNotify/')
    await backInConsole(order, 4_000, url)
    const part = await moneyOf(scene.tenant, order.payId)
    expect(part.due).toEqual({ state: 'paid', paid: 10_000, refunded: 4_000, payState: 'paid' })
    expect(part.orders).toMatchObject([{ state: 'partlyRefunded', exception: 'refundedOutside' }])
    expect(await alarmsOf(scene.tenant)).toEqual(['refundedOutside'])
    t.clock.advance(60_000)
    await backInConsole(order, 6_000, url)
    expect(await moneyOf(scene.tenant, order.payId)).toMatchObject({
      due: whole,
      ledger: [lines[0], { kind: 'refund', fen: -4_000 }, { kind: 'refund', fen: -6_000 }],
    })
    await readBill(scene)
    expect(await billOf(scene)).toMatchObject([{ rows: 3, found: 0 }])
    expect((await moneyOf(scene.tenant, order.payId)).refunds).toHaveLength(2)
  })

  test('before its payment was known is never posted: not by a late notice, a query, the watch or the bill', async () => {
    const scene = await payScene(t)
    const { emulator } = await emulatorOf(t)
    emulator.faults.notice = { drop: true }
    const ways: readonly ((order: Opened) => Promise<unknown>)[] = [
      async order => {
        const [notice] = await noticesAbout(t, order.orderNo)
        expect(notice && (await deliver(t, notice)).status).toBe(204)
      },
      order => queried(scene, order.orderNo),
      order => runTask(t, 'pay.watch-order', { tenantId: scene.tenant.tenantId, orderNo: order.orderNo, step: 0 }),
      () => readBill(scene),
    ]
    const orders: Opened[] = []
    for (const way of ways) {
      const order = await opened(scene)
      orders.push(order)
      await emulator.payAsPerson(order.codeUrl)
      await backInConsole(order)
      await way(order)
      expect(await listed(scene, order.orderNo)).toMatchObject({
        state: way === ways.at(-1) ? 5 : 7,
        exceptionType: 5,
        tradeState: 'REFUND',
      })
    }
    for (const order of orders) {
      expect(await moneyOf(scene.tenant, order.payId)).toMatchObject({
        due: { paid: 0, refunded: 0 },
        orders: [{ state: 'refunded', exception: 'refundedOutside' }],
        ledger: [
          { kind: 'suspense', fen: 10_000 },
          { kind: 'suspenseRefund', fen: -10_000 },
        ],
      })
      expect((await noticesOf(scene.tenant, order.person.userId)).includes('缴费成功')).toBe(false)
      expect((await noticesOf(scene.tenant, order.person.userId)).includes('支付已被退回，未计入缴费')).toBe(true)
    }
    expect(await alarmsOf(scene.tenant)).toEqual(orders.map(() => 'refundedOutside'))
  })

  test('a late notice that cannot be checked comes again; finance cannot accept what went back', async () => {
    const scene = await payScene(t)
    const { emulator } = await emulatorOf(t)
    const order = await opened(scene)
    await emulator.payAsPerson(order.codeUrl)
    t.clock.advance(6 * 60_000)
    const [notice] = await noticesAbout(t, order.orderNo)
    if (!notice) throw new Error('no notice')
    emulator.faults.calls = ['busy']
    expect((await deliver(t, notice)).status).toBe(503)
    expect((await moneyOf(scene.tenant, order.payId)).due.state).toBe('due')
    await backInConsole(order)
    expect((await deliver(t, notice)).status).toBe(204)
    const late = { payId: order.payId, payWay: 1, amount: 10_000, paidTime: '2026-03-17 10:00:00', voucherNo: order.orderNo }
    expect((await scene.finance.post(`${exam}/handleUp`, { json: late })).status).not.toBe(200)
    expect((await moneyOf(scene.tenant, order.payId)).due).toMatchObject({ state: 'due', paid: 0 })
  })

  test('a request that waits is closed when nothing is left to give back', async () => {
    const scene = await payScene(t)
    const order = await paid(scene)
    await scene.finance.post(`${exam}/backPay`, { json: { payId: order.payId, reason: '误缴' } })
    await backInConsole(order)
    await readBill(scene)
    expect(await moneyOf(scene.tenant, order.payId)).toMatchObject({
      due: whole,
      refunds: [
        { state: 'closed', reason: 'mistake' },
        { state: 'succeeded', reason: 'outside' },
      ],
    })
  })

  test('each day’s bill is read once it is there, and a refund of nobody’s order is told', async () => {
    const scene = await payScene(t)
    const order = await paid(scene)
    await backInConsole(order)
    await scene.tenant.rows(sql`update pay_order set order_no = 'E26031710000003ZZZZZZZZZZ' where pay_id = ${order.payId}`)
    const reconcile = () => doWork(t, 'pay.bills', scene.tenant.tenantId)
    t.clock.set('2026-03-18T10:29:59+08:00')
    await reconcile()
    expect(await billOf(scene)).toEqual([])
    t.clock.set('2026-03-18T10:30:00+08:00')
    expect((await reconcile()).log).toEqual([
      {
        zh: `机构 ${scene.tenant.tenantId} 微信支付 2026-03-17：核对 2 笔，收款 100.00 元，退费 100.00 元，差异 3 笔`,
        en: `Tenant ${scene.tenant.tenantId}, WeChat Pay 2026-03-17: 2 lines, 100.00 yuan received, 100.00 given back, 3 differ`,
      },
    ])
    expect(await billOf(scene)).toMatchObject([{ day: '2026-03-17', rows: 2, found: 3, problem: null }])
    expect(await alarmsOf(scene.tenant)).toEqual(['unknownOrder', 'unknownRefund'])
  })
})

test('[21.6] what the provider refuses in a description never reaches it', async () => {
  const scene = await payScene(t, { exam: { exam_name: '2026年𬭎县🎉\t招聘' } })
  const order = await opened(scene)
  const { emulator } = await emulatorOf(t)
  expect(emulator.orderByCodeUrl(order.codeUrl)?.description).toBe('2026年〓县 招聘-报名费')
})
