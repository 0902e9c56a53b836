import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { doWork } from '../../support/own-work.ts'
import { alarmsOf, beginPayments, deliver, emulatorOf, exam, moneyOf, type Payer, payScene, runTask } from '../../support/pay.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp()
})
afterAll(() => t.close())
const alipay = async () => (await emulatorOf(t)).payments.alipay()
beforeEach(async () => {
  await beginPayments(t)
  ;(await alipay()).faults.bill = undefined
})

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

describe('[29.4] the bills of Alipay', () => {
  const base = '/blade-reconciliation/reconciliation'
  const paid = async (scene: Awaited<ReturnType<typeof payScene>>, isTold = true) => {
    const payer = await scene.payer()
    const { orderNo, codeUrl } = await openCode(payer)
    const emulator = await alipay()
    await emulator.payAsPerson(codeUrl)
    if (isTold) await deliver(t, emulator.noticeAbout(orderNo))
    return { ...payer, orderNo }
  }
  const days = async (scene: Awaited<ReturnType<typeof payScene>>) => (await scene.finance.get(`${base}/list`)).body.data.records
  const detail = async (scene: Awaited<ReturnType<typeof payScene>>, id: string) =>
    (await scene.finance.get(`${base}/detail`, { query: { id } })).body.data.differences

  test('a normal day is flat by trade and by account, beside a day of WeChat; who never used Alipay has no bill of it', async () => {
    const scene = await payScene(t, { exam: { refund_policy: 1 } })
    const other = await payScene(t)
    await paid(scene)
    const back = await paid(scene)
    expect((await back.person.post(`${exam}/backPay`, { json: { payId: back.payId, reason: 'ownWish' } })).status).toBe(200)
    await scene.finance.post(`${exam}/backPay`, { json: { payId: back.payId, approve: 1 } })
    const [refund] = await scene.tenant.rows(sql<{ id: string }>`select id::text as id from pay_refund`)
    await runTask(t, 'pay.refund', { tenantId: scene.tenant.tenantId, refundId: refund?.id })
    t.clock.set('2026-03-18T10:30:00+08:00')
    for (const tenantId of [scene.tenant.tenantId, other.tenant.tenantId]) await doWork(t, 'pay.bills', tenantId)
    expect(await days(scene)).toMatchObject([
      {
        ...{ billDate: '2026-03-17', channel: 'alipay', mchid: (await alipay()).accountOf(scene.tenant.tenantId).sellerId, state: 1 },
        ...{ ourCount: 2, ourAmount: 20_000, billCount: 2, billAmount: 20_000, ourRefund: 10_000, billRefund: 10_000 },
        ...{ fundIn: 20_000, fundOut: 10_000, fundFee: 120, diffCount: 0, openCount: 0, problem: null },
      },
    ])
    expect(await scene.tenant.rows(sql`select fee::text as fee from pay_order order by id`)).toEqual([
      { fee: '0.60000' },
      { fee: '0.60000' },
    ])
    expect(await days(other)).toEqual([])
    expect(await other.tenant.rows(sql`select app_id from pay_alipay`)).toEqual([])
  })

  test('a payment nobody told of is posted, a refund of the console is entered, a line that is missing is asked about', async () => {
    const scene = await payScene(t)
    const emulator = await alipay()
    const untold = await paid(scene, false)
    const outside = await paid(scene)
    emulator.refundInConsole(outside.orderNo)
    const missing = await paid(scene)
    emulator.faults.bill = ({ text }) => {
      const lines = (text ?? '').split('\r\n').filter(line => !line.includes(missing.orderNo))
      return lines
        .join('\r\n')
        .replace('交易合计：3笔，商家实收共300.00', '交易合计：2笔，商家实收共200.00')
        .replace('收入合计：3笔，共300.00', '收入合计：2笔，共200.00')
        .replace('支出合计：4笔，共-101.80', '支出合计：3笔，共-101.20')
    }
    t.clock.set('2026-03-18T10:30:00+08:00')
    await doWork(t, 'pay.bills', scene.tenant.tenantId)
    const [day] = await days(scene)
    expect(day).toMatchObject({ state: 3, ourCount: 3, billCount: 2, diffCount: 3, openCount: 0 })
    const found = (await detail(scene, day.id)).map((one: Record<string, unknown>) => [
      one['orderNo'],
      one['subject'],
      one['kind'],
      one['handleWay'],
    ])
    expect(found).toEqual(
      expect.arrayContaining([
        [untold.orderNo, 'pay', 2, 'posted'],
        [outside.orderNo, 'refund', 2, 'refunded'],
        [missing.orderNo, 'pay', 1, 'confirmed'],
      ]),
    )
    expect((await moneyOf(scene.tenant, untold.payId)).due).toMatchObject({ state: 'paid', paid: 10_000 })
    expect((await moneyOf(scene.tenant, outside.payId)).due).toMatchObject({ state: 'refunded', refunded: 10_000 })
  })

  test('[29.9] cut short, of another account, or without its sheet: refused and told; late it is asked for again', async () => {
    const scene = await payScene(t)
    const emulator = await alipay()
    await paid(scene)
    t.clock.set('2026-03-18T08:00:00+08:00')
    const again = async () => (await scene.finance.post(`${base}/submit`, { json: { billDate: '2026-03-17', channel: 'alipay' } })).body
    expect(await again()).toMatchObject({ code: 2603, reason: 'pay/bill-not-ready' })
    t.clock.set('2026-03-18T10:30:00+08:00')
    for (const [edit, told] of [
      [(text: string) => text.slice(0, text.indexOf('#交易合计')), 'the total 交易合计 is missing'],
      [(text: string) => text.replace(/2088\d{12}0156/, '20889999999999990156'), 'mchid 2088999999999999'],
      [(text: string) => text.replace('#支付宝业务明细查询', '#支付宝'), 'without its sheet'],
    ] as const) {
      emulator.faults.bill = ({ kind, text }) => (kind === 'trade' ? edit(text ?? '') : text)
      const body = await again()
      expect([body.code, body.reason]).toEqual([2603, 'pay/bill-unread'])
      expect(body.msg).toContain(told)
    }
    expect(await alarmsOf(scene.tenant)).toEqual(['billUnread'])
    emulator.faults.bill = undefined
    expect(await again()).toMatchObject({ code: 200, data: { state: 1 } })
    // Nothing was paid on the 18th: on the morning after the bill may be late, a day later there is none.
    t.clock.set('2026-03-19T10:30:00+08:00')
    await doWork(t, 'pay.bills', scene.tenant.tenantId)
    expect((await days(scene)).map((day: { billDate: string }) => day.billDate)).toEqual(['2026-03-17'])
    t.clock.set('2026-03-20T10:30:00+08:00')
    await doWork(t, 'pay.bills', scene.tenant.tenantId)
    expect((await days(scene)).map((day: { billDate: string; state: number }) => [day.billDate, day.state])).toEqual([
      ['2026-03-18', 1],
      ['2026-03-17', 1],
    ])
  })
})
