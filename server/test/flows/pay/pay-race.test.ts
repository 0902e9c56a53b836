import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { deliver, emulatorOf, exam, noticesAbout, openCode, payScene } from '../../support/pay.ts'

let a: TestApp
let b: TestApp
beforeAll(async () => {
  a = await startTestApp()
  b = await a.beside()
})
afterAll(() => a.close())

/** Two processes of the operating system are raced in e2e/processes.test.ts. */
const rounds = process.env['KAOPU_LONG'] === '1' ? 1_000 : 100

test(`scenario 4: the same notice three times in parallel at two applications is posted once, ${rounds} races`, async () => {
  const scene = await payScene(a)
  const { person, signupId } = await scene.payer()
  const { emulator } = await emulatorOf(a)
  const statuses = new Map<number, number>()
  for (let round = 0; round < rounds; round += 1) {
    const [due] = await scene.tenant.rows(sql<{ id: string }>`
      insert into exam_pay (tenant_id, exam_id, signup_id, user_id, pay_kind, pay_name, amount_fen, deadline, source)
      values (${scene.tenant.tenantId}, ${scene.built.examId}, ${signupId}, ${person.userId}, 3, ${`race ${round}`}, 10000, '2026-03-22 17:00:00+08', 3)
      returning id::text as id`)
    const { orderNo, codeUrl } = await openCode(person, due?.id ?? '')
    await emulator.payAsPerson(codeUrl)
    const [notice] = await noticesAbout(a, orderNo)
    if (!notice) throw new Error('the provider has no notice')
    const answers = await Promise.all([
      deliver(a, notice),
      deliver(b, notice),
      deliver(a, notice),
      // The candidate's browser asks at the same moment.
      person.post('/pay/wxpay/queryOrder', { json: { orderNo } }),
    ])
    for (const { status } of answers) statuses.set(status, (statuses.get(status) ?? 0) + 1)
  }
  const [counts] = await scene.tenant.rows(sql<Record<string, number>>`
    select (select count(*)::int from exam_pay where pay_kind = 3 and state = 'paid' and paid_fen = 10000) as paid,
      (select count(*)::int from pay_order where state = 'paid' and notify_count = 3) as orders,
      (select count(*)::int from pay_ledger) as ledger, (select coalesce(sum(amount_fen), 0)::int from pay_ledger) as fen,
      (select count(*)::int from pay_notice where received_count = 3) as notices,
      (select count(*)::int from pay_refund) as refunds, (select count(*)::int from pay_alarm) as alarms,
      (select count(*)::int from notify where event_key like 'payReceived:%') as told`)
  console.log(`payment notices: ${rounds} races of 3 notices and 1 query at 2 applications, ${counts?.['ledger']} ledger rows`)
  expect(Object.fromEntries(statuses)).toEqual({ 204: rounds * 3, 200: rounds })
  expect(counts).toEqual({
    paid: rounds,
    orders: rounds,
    ledger: rounds,
    fen: rounds * 10_000,
    notices: rounds,
    refunds: 0,
    alarms: 0,
    told: rounds,
  })
}, 600_000)

test('a hand posting and the payment of the open code at the same moment end with one payment posted', async () => {
  const scene = await payScene(a)
  const { emulator } = await emulatorOf(a)
  for (let round = 0; round < 20; round += 1) {
    const { person, payId } = await scene.payer()
    const { orderNo, codeUrl } = await openCode(person, payId)
    const posting = { payId, payWay: 2, amount: 10_000, paidTime: '2026-03-17 09:30:00', voucherNo: `V-${round}` }
    const [posted] = await Promise.all([scene.finance.post(`${exam}/handleUp`, { json: posting }), emulator.payAsPerson(codeUrl)])
    for (const notice of await noticesAbout(a, orderNo)) await deliver(b, notice)
    const [row] = await scene.tenant.rows(sql<{ paid: number; way: string; suspense: number }>`
      select paid_fen as paid, pay_way as way, (select coalesce(sum(amount_fen), 0)::int from pay_ledger where pay_id = ${payId} and kind = 'suspense') as suspense
      from exam_pay where id = ${payId}`)
    const isByHand = posted.status === 200
    const wasPaid = emulator.orderByCodeUrl(codeUrl)?.state === 'paid'
    expect(isByHand ? 200 : posted.body.code).toBe(isByHand ? 200 : 2604)
    expect(row).toEqual({ paid: 10_000, way: isByHand ? 'bankTransfer' : 'wechat', suspense: isByHand && wasPaid ? 10_000 : 0 })
  }
})
