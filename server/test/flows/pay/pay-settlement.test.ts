import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { startTestApp, type TestApp } from '../../support/app.ts'
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

const at = (time: string): Date => new Date(`2026-03-${time.replace(' ', 'T')}+08:00`)

/** A due with an open code. */
const opened = async (scene: PayScene): Promise<Payer & { orderNo: string; codeUrl: string }> => {
  const payer = await scene.payer()
  return { ...payer, ...(await openCode(payer.person, payer.payId)) }
}
/** Closes the order at the provider and here, as the watch does after the end. */
const expire = async (scene: PayScene, orderNo: string): Promise<void> => {
  await runTask(t, 'pay.watch-order', { tenantId: scene.tenant.tenantId, orderNo, step: 5 })
}
const force = async (scene: PayScene, orderNo: string, successAt?: Date): Promise<void> => {
  const { emulator, payments } = await emulatorOf(t)
  const { mchid } = await payments.merchantOf(scene.tenant.tenantId)
  await emulator.forcePayment(mchid, orderNo, successAt)
}
const deliverAll = async (subject: string): Promise<number[]> => {
  const statuses: number[] = []
  for (const notice of await noticesAbout(t, subject)) statuses.push((await deliver(t, notice)).status)
  return statuses
}

// The table of domain 8.4, its rows counted from 1; row 1 is also walked from the code to the receipt in pay.test.ts.
describe('what becomes of a payment (domain 8.4)', () => {
  test('8.4-1 normal: order 1 and due 1 become 2, with pay state, ledger, notice and audit', async () => {
    const scene = await payScene(t)
    const { person, payId, orderNo, codeUrl } = await opened(scene)
    const { emulator } = await emulatorOf(t)
    await emulator.payAsPerson(codeUrl)
    expect(await deliverAll(orderNo)).toEqual([204])
    expect(await moneyOf(scene.tenant, payId)).toEqual({
      due: { state: 'paid', paid: 10_000, refunded: 0, payState: 'paid' },
      orders: [{ orderNo, state: 'paid', exception: null, notices: 1 }],
      ledger: [{ kind: 'pay', fen: 10_000 }],
      refunds: [],
    })
    expect(await noticesOf(scene.tenant, person.userId)).toEqual(['缴费成功'])
    expect(await alarmsOf(scene.tenant)).toEqual([])
    expect(
      await scene.tenant.rows(sql`select before_value as before, after_value as after from audit_log where action = 'payorder.posted'`),
    ).toEqual([{ before: { state: 'pending', dueState: 'due' }, after: { state: 'paid', dueState: 'paid', amountFen: 10_000 } }])
  })

  test('[S7.44] 8.4-2 twice the same notice: the same notice again changes nothing and is counted; a query afterwards changes nothing either', async () => {
    const scene = await payScene(t)
    const { person, payId, orderNo, codeUrl } = await opened(scene)
    const { emulator } = await emulatorOf(t)
    await emulator.payAsPerson(codeUrl)
    expect(await deliverAll(orderNo)).toEqual([204])
    const after = await moneyOf(scene.tenant, payId)
    expect(await deliverAll(orderNo)).toEqual([204])
    expect(await moneyOf(scene.tenant, payId)).toEqual({ ...after, orders: [{ ...after.orders[0], notices: 2 }] })
    const { body } = await person.post('/pay/wxpay/queryOrder', { json: { orderNo } })
    expect(body.data).toEqual({
      tradeState: 'SUCCESS',
      state: 2,
      transactionId: expect.stringMatching(/^4200\d{24}$/),
      successTime: '2026-03-17 10:00:00',
    })
    expect((await moneyOf(scene.tenant, payId)).ledger).toEqual([{ kind: 'pay', fen: 10_000 }])
    expect(await scene.tenant.rows(sql`select received_count as n, outcome from pay_notice`)).toEqual([{ n: 2, outcome: 'posted' }])
    expect(await scene.tenant.rows(sql`select action from audit_log where entity = 'payorder' order by id`)).toEqual([
      { action: 'payorder.created' },
      { action: 'payorder.posted' },
    ])
  })

  test('8.4-3 closed order, due 1, paid in time (scenario 4): over and closed at 16:30, paid at 16:29:50, told at 16:45 → kept, marked as paid after close', async () => {
    t.clock.set(at('22 16:00:00'))
    const scene = await payScene(t)
    const { payId, orderNo } = await opened(scene)
    t.clock.set(at('22 16:31:00'))
    await expire(scene, orderNo)
    expect((await moneyOf(scene.tenant, payId)).orders).toEqual([{ orderNo, state: 'closed', exception: null, notices: 0 }])
    await force(scene, orderNo, at('22 16:29:50'))
    t.clock.set(at('22 16:45:00'))
    expect(await deliverAll(orderNo)).toEqual([204])
    expect(await moneyOf(scene.tenant, payId)).toEqual({
      due: { state: 'paid', paid: 10_000, refunded: 0, payState: 'paid' },
      orders: [{ orderNo, state: 'paid', exception: 'paidAfterClose', notices: 1 }],
      ledger: [{ kind: 'pay', fen: 10_000 }],
      refunds: [],
    })
  })

  test('8.4-3 closed order, due 5, paid in time: the same on a due that has lapsed meanwhile', async () => {
    t.clock.set(at('22 16:50:00'))
    const scene = await payScene(t)
    const { payId, orderNo } = await opened(scene)
    t.clock.set(at('22 17:01:00'))
    await expire(scene, orderNo)
    await runTask(t, 'pay.lapse', { tenantId: scene.tenant.tenantId, payId })
    expect((await moneyOf(scene.tenant, payId)).due).toEqual({ state: 'overdue', paid: 0, refunded: 0, payState: 'overdue' })
    await force(scene, orderNo, at('22 16:59:59'))
    expect(await deliverAll(orderNo)).toEqual([204])
    expect((await moneyOf(scene.tenant, payId)).due).toEqual({ state: 'paid', paid: 10_000, refunded: 0, payState: 'paid' })
  })

  test('8.4-4 closed order, paid after payEnd (scenario 4): paid after the end → order 7, the due stays, the refund of 10000 arises by itself and is carried to its end', async () => {
    t.clock.set(at('22 16:50:00'))
    const scene = await payScene(t)
    const { person, payId, orderNo } = await opened(scene)
    t.clock.set(at('22 17:05:00'))
    await expire(scene, orderNo)
    await runTask(t, 'pay.lapse', { tenantId: scene.tenant.tenantId, payId })
    await force(scene, orderNo, at('22 17:00:01'))
    expect(await deliverAll(orderNo)).toEqual([204])
    expect(await moneyOf(scene.tenant, payId)).toEqual({
      due: { state: 'overdue', paid: 0, refunded: 0, payState: 'overdue' },
      orders: [{ orderNo, state: 'abnormal', exception: 'paidAfterClose', notices: 1 }],
      ledger: [{ kind: 'suspense', fen: 10_000 }],
      refunds: [{ state: 'requested', reason: 'late', fen: 10_000 }],
    })
    await t.runTasks()
    expect((await moneyOf(scene.tenant, payId)).refunds).toEqual([{ state: 'submitted', reason: 'late', fen: 10_000 }])

    t.clock.advance(3_000)
    const { emulator } = await emulatorOf(t)
    await emulator.runDue()
    expect(await noticesAbout(t, `R${orderNo}01`)).toHaveLength(1)
    expect(await moneyOf(scene.tenant, payId)).toEqual({
      due: { state: 'overdue', paid: 0, refunded: 0, payState: 'overdue' },
      orders: [{ orderNo, state: 'refunded', exception: 'paidAfterClose', notices: expect.any(Number) }],
      ledger: [
        { kind: 'suspense', fen: 10_000 },
        { kind: 'suspenseRefund', fen: -10_000 },
      ],
      refunds: [{ state: 'succeeded', reason: 'late', fen: 10_000 }],
    })
    expect(await noticesOf(scene.tenant, person.userId)).toEqual(['逾期支付，将自动退费', '退费完成'])
    expect(await scene.tenant.rows(sql`select content from sms_message order by id desc limit 1`)).toEqual([
      { content: '【考谱】已退费 100.00 元，原路退回。' },
    ])
  })

  test('8.4-4 late, with the automatic refund switched off: suspense, an alarm, and finance may refund it', async () => {
    t.clock.set(at('22 16:50:00'))
    const scene = await payScene(t)
    await scene.tenant.rows(sql`update param set param_value = '0' where param_key = 'pay.autoRefundLate'`)
    const { payId, orderNo } = await opened(scene)
    t.clock.set(at('22 17:05:00'))
    await expire(scene, orderNo)
    await force(scene, orderNo, at('22 17:00:01'))
    await deliverAll(orderNo)
    expect((await moneyOf(scene.tenant, payId)).refunds).toEqual([])
    expect(await alarmsOf(scene.tenant)).toEqual(['late'])
    const asked = await scene.finance.post(`${exam}/backPay`, { json: { payId, orderNo, reason: '迟到支付' } })
    expect(asked.body.data).toEqual({ refundNo: `R${orderNo}01`, state: 0, amount: 10_000 })
  })

  test('8.4-4 late, with the automatic refund off and the window extended: finance accepts it within 24 hours, once', async () => {
    t.clock.set(at('22 16:50:00'))
    const scene = await payScene(t)
    await scene.tenant.rows(sql`update param set param_value = '0' where param_key = 'pay.autoRefundLate'`)
    const { payId, orderNo } = await opened(scene)
    t.clock.set(at('22 17:05:00'))
    await expire(scene, orderNo)
    await force(scene, orderNo, at('22 17:00:01'))
    await deliverAll(orderNo)
    const accept = () =>
      scene.finance.post(`${exam}/handleUp`, {
        json: { payId, payWay: 1, amount: 10_000, paidTime: '2026-03-22 17:00:01', voucherNo: orderNo },
      })
    expect((await accept()).body.code).toBe(2602)
    await scene.tenant.rows(sql`update examination set pay_end = pay_end + interval '1 day' where id = ${scene.built.examId}`)
    expect((await accept()).body.data).toEqual({ payId, state: 2, waitsForSecondPerson: false })
    expect(await moneyOf(scene.tenant, payId)).toEqual({
      due: { state: 'paid', paid: 10_000, refunded: 0, payState: 'paid' },
      orders: [{ orderNo, state: 'paid', exception: 'paidAfterClose', notices: 1 }],
      ledger: [
        { kind: 'suspense', fen: 10_000 },
        { kind: 'suspenseRelease', fen: -10_000 },
        { kind: 'pay', fen: 10_000 },
      ],
      refunds: [],
    })
    expect((await accept()).body.code).toBe(2601)
  })

  test('8.4-5 due paid by another order: the first code, closed since, is paid after all → order 7/3, the later payment goes back', async () => {
    const scene = await payScene(t)
    const { person, payId, orderNo: first } = await opened(scene)
    const { emulator } = await emulatorOf(t)
    t.clock.advance(31 * 60_000)
    await expire(scene, first)
    const { orderNo: second, codeUrl } = await openCode(person, payId)
    await emulator.payAsPerson(codeUrl)
    expect(await deliverAll(second)).toEqual([204])
    await force(scene, first)
    expect(await deliverAll(first)).toEqual([204])
    const both = [
      { orderNo: first, state: 'abnormal', exception: 'duplicate', notices: 1 },
      { orderNo: second, state: 'paid', exception: null, notices: 1 },
    ]
    expect(await moneyOf(scene.tenant, payId)).toEqual({
      due: { state: 'paid', paid: 10_000, refunded: 0, payState: 'paid' },
      orders: both,
      ledger: [
        { kind: 'pay', fen: 10_000 },
        { kind: 'suspense', fen: 10_000 },
      ],
      refunds: [{ state: 'requested', reason: 'duplicate', fen: 10_000 }],
    })
    await t.runTasks()
    t.clock.advance(3_000)
    await emulator.runDue()
    const money = await moneyOf(scene.tenant, payId)
    expect(money.due).toEqual({ state: 'paid', paid: 10_000, refunded: 0, payState: 'paid' })
    expect(money.orders.map(order => order.state)).toEqual(['refunded', 'paid'])
    expect(money.refunds).toEqual([{ state: 'succeeded', reason: 'duplicate', fen: 10_000 }])
    expect(await noticesOf(scene.tenant, person.userId)).toEqual(['缴费成功', '重复支付，将自动退费', '退费完成'])
  })

  test.each([
    ['a void due', sql`update exam_pay set state = 'void'`],
    ['a withdrawn sign-up', sql`update signup set examine = 'withdrawn'`],
    ['a disqualified sign-up', sql`update signup set examine = 'disqualified'`],
  ])('8.4-6 %s: the money goes back by itself', async (_name, change) => {
    const scene = await payScene(t)
    const { person, payId, orderNo, codeUrl } = await opened(scene)
    await scene.tenant.rows(change)
    const { emulator } = await emulatorOf(t)
    await emulator.payAsPerson(codeUrl)
    expect(await deliverAll(orderNo)).toEqual([204])
    const money = await moneyOf(scene.tenant, payId)
    expect(money.due.paid).toBe(0)
    expect(money.orders).toEqual([{ orderNo, state: 'abnormal', exception: 'paidAfterClose', notices: 1 }])
    expect(money.refunds).toEqual([{ state: 'requested', reason: 'other', fen: 10_000 }])
    await t.runTasks()
    t.clock.advance(3_000)
    await emulator.runDue()
    expect((await moneyOf(scene.tenant, payId)).refunds).toEqual([{ state: 'succeeded', reason: 'other', fen: 10_000 }])
    expect(await noticesOf(scene.tenant, person.userId)).toEqual(['无需缴费，将自动退费', '退费完成'])
  })

  test('8.4-7 amount mismatch (scenario 6): 1000 for an order of 10000 → order 7, due stays 1, alarm to finance, no refund', async () => {
    const scene = await payScene(t)
    const { emulator } = await emulatorOf(t)
    const { payId, orderNo, codeUrl } = await opened(scene)
    emulator.faults.notice = { totalFen: 1_000 }
    await emulator.payAsPerson(codeUrl)
    expect(await deliverAll(orderNo)).toEqual([204])
    expect(await moneyOf(scene.tenant, payId)).toEqual({
      due: { state: 'due', paid: 0, refunded: 0, payState: 'due' },
      orders: [{ orderNo, state: 'abnormal', exception: 'amountMismatch', notices: 1 }],
      ledger: [{ kind: 'suspense', fen: 1_000 }],
      refunds: [],
    })
    expect(await alarmsOf(scene.tenant)).toEqual(['amountMismatch'])
    expect(await noticesOf(scene.tenant, scene.finance.userId)).toEqual(['支付异常待处理'])
  })

  test("8.4-7 merchant mismatch: another merchant's payment → order 7/4, nothing posted, no ledger line, alarm", async () => {
    const scene = await payScene(t)
    const { emulator } = await emulatorOf(t)
    const { payId, orderNo, codeUrl } = await opened(scene)
    emulator.faults.notice = { mchid: '1600000000' }
    await emulator.payAsPerson(codeUrl)
    expect(await deliverAll(orderNo)).toEqual([204])
    const money = await moneyOf(scene.tenant, payId)
    expect(money).toMatchObject({
      due: { state: 'due', paid: 0 },
      orders: [{ state: 'abnormal', exception: 'merchantMismatch' }],
      ledger: [],
      refunds: [],
    })
    expect(await alarmsOf(scene.tenant)).toEqual(['merchantMismatch'])
    expect(await noticesOf(scene.tenant, scene.finance.userId)).toEqual(['支付异常待处理'])
  })

  test('8.4-8 unknown orderNo: an order number that nobody knows is stored, alarmed and answered', async () => {
    const scene = await payScene(t)
    const { orderNo, codeUrl, payId } = await opened(scene)
    const { emulator } = await emulatorOf(t)
    await emulator.payAsPerson(codeUrl)
    await scene.tenant.rows(sql`update pay_order set order_no = 'E26031710000003ZZZZZZZZZZ' where pay_id = ${payId}`)
    expect(await deliverAll(orderNo)).toEqual([204])
    expect(await alarmsOf(scene.tenant)).toEqual(['unknownOrder'])
    expect(await scene.tenant.rows(sql`select subject_no as subject, outcome from pay_notice`)).toEqual([
      { subject: orderNo, outcome: 'unknownOrder' },
    ])
  })

  test('[21.6] a probe of the signature check is answered 401 FAIL, alarms nobody and leaves nothing', async () => {
    const scene = await payScene(t)
    const { emulator } = await emulatorOf(t)
    const { payId, orderNo, codeUrl } = await opened(scene)
    await emulator.payAsPerson(codeUrl)
    emulator.faults.notice = { signature: 'probe' }
    const trail = () => scene.tenant.rows(sql`select id from audit_log`)
    const before = (await trail()).length
    const [notice] = await noticesAbout(t, orderNo)
    const answer = notice && (await deliver(t, notice))
    expect([answer?.status, JSON.parse(String(answer?.raw))]).toEqual([401, { code: 'FAIL', message: 'probe' }])
    expect((await moneyOf(scene.tenant, payId)).orders).toEqual([{ orderNo, state: 'pending', exception: null, notices: 0 }])
    expect([await alarmsOf(scene.tenant), await noticesOf(scene.tenant, scene.finance.userId)]).toEqual([[], []])
    expect(await scene.tenant.rows(sql`select 1 from pay_notice`)).toEqual([])
    expect((await trail()).length).toBe(before)
    emulator.resetFaults()
    expect(await deliverAll(orderNo)).toEqual([204])
    expect((await moneyOf(scene.tenant, payId)).due.state).toBe('paid')
  })

  test.each(['wrong', 'unknownSerial', 'stale'] as const)(
    'a notice with a %s signature is answered 401 FAIL, alarmed and changes nothing',
    async fault => {
      const scene = await payScene(t)
      const { emulator } = await emulatorOf(t)
      const { payId, orderNo, codeUrl } = await opened(scene)
      await emulator.payAsPerson(codeUrl)
      emulator.faults.notice = { signature: fault }
      const [notice] = await noticesAbout(t, orderNo)
      const answer = notice && (await deliver(t, notice))
      expect(answer?.status).toBe(401)
      expect(JSON.parse(String(answer?.raw))).toMatchObject({ code: 'FAIL' })
      expect((await moneyOf(scene.tenant, payId)).orders).toEqual([{ orderNo, state: 'pending', exception: null, notices: 0 }])
      expect(await alarmsOf(scene.tenant)).toEqual(['noticeRefused'])
      expect(await scene.tenant.rows(sql`select 1 from pay_notice`)).toEqual([])
    },
  )

  test('one changed byte under a right signature and a notice for another tenant are refused', async () => {
    const scene = await payScene(t)
    const other = await payScene(t)
    const { emulator } = await emulatorOf(t)
    const { orderNo, codeUrl, payId } = await opened(scene)
    await opened(other)
    await emulator.payAsPerson(codeUrl)
    const [notice] = await noticesAbout(t, orderNo)
    if (!notice) throw new Error('no notice')
    expect((await deliver(t, { ...notice, body: notice.body.replace('支付成功', '支付成巧') })).status).toBe(401)
    expect((await deliver(t, { ...notice, url: notice.url.replace(scene.tenant.tenantId, other.tenant.tenantId) })).status).toBe(401)
    expect((await deliver(t, { ...notice, url: notice.url.replace(scene.tenant.tenantId, 'nobody') })).status).toBe(401)
    emulator.faults.notice = { tamper: true }
    expect(await deliverAll(orderNo)).toEqual([401])
    expect((await moneyOf(scene.tenant, payId)).due.state).toBe('due')
    emulator.resetFaults()
    expect(await deliverAll(orderNo)).toEqual([204])
    expect((await moneyOf(scene.tenant, payId)).due.state).toBe('paid')
  })

  test('without any notice the watch finds the payment after a minute', async () => {
    const scene = await payScene(t)
    const { emulator } = await emulatorOf(t)
    const { orderNo, codeUrl, payId } = await opened(scene)
    emulator.faults.notice = { drop: true }
    await emulator.payAsPerson(codeUrl)
    t.clock.advance(60_000)
    expect(await t.runTasks()).toContain('pay.watch-order')
    expect((await moneyOf(scene.tenant, payId)).orders).toEqual([{ orderNo, state: 'paid', exception: null, notices: 0 }])
  })
})
