import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { type Person, startTestApp, type TestApp } from '../../support/app.ts'
import { doWork } from '../../support/own-work.ts'
import {
  beginPayments,
  emulatorOf,
  exam,
  moneyOf,
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

const proof = {
  part: 'proof',
  name: '残疾人证.jpg',
  bytes: readFileSync(new URL('../../../seed/data/portraits/p01-white.jpg', import.meta.url)),
}
interface Stage {
  readonly scene: PayScene
  readonly payer: Payer
  readonly second: Person
  readonly orderNo: string
}
const stage = async (scene: PayScene, second: Person): Promise<Stage> => {
  const { emulator } = await emulatorOf(t)
  const payer = await scene.payer()
  const { orderNo, codeUrl } = await openCode(payer.person, payer.payId)
  await emulator.payAsPerson(codeUrl)
  await emulator.runDue()
  t.clock.advance(61_000)
  return { scene, payer, second, orderNo }
}
const backPay = (person: Person, json: object) => person.post(`${exam}/backPay`, { json })
/** Lets the provider do all that is asked of it. */
const settle = async ({ scene, payer }: Stage): Promise<void> => {
  const { emulator } = await emulatorOf(t)
  for (let round = 0; round < 3; round += 1) {
    t.clock.advance(61_000)
    const open = await scene.tenant.rows(
      sql<{
        id: string
      }>`select id::text as id from pay_refund where pay_id = ${payer.payId} and (state = 'submitted' or (state = 'requested' and approved_by_rule)) order by id`,
    )
    for (const { id } of open) await runTask(t, 'pay.refund', { tenantId: scene.tenant.tenantId, refundId: id })
    t.clock.advance(3_000)
    await emulator.runDue()
  }
}
const steps = {
  grant50: async (of: Stage) => grant(of, 50),
  grant100: async (of: Stage) => grant(of, 100),
  ask: ({ scene, payer }: Stage) => backPay(scene.finance, { payId: payer.payId, amount: 8_000, reason: '误缴' }),
  askLess: ({ scene, payer }: Stage) => backPay(scene.finance, { payId: payer.payId, amount: 5_000, reason: '误缴' }),
  takeBack: ({ scene, payer }: Stage) => backPay(scene.finance, { payId: payer.payId, takeBack: 1 }),
  reject: ({ second, payer }: Stage) => backPay(second, { payId: payer.payId, approve: 2, reason: '不符合条件' }),
  approve: ({ second, payer }: Stage) => backPay(second, { payId: payer.payId, approve: 1 }),
  succeed: (of: Stage) => settle(of),
  fail: async ({ scene, payer }: Stage) => {
    const { emulator } = await emulatorOf(t)
    emulator.faults.refund = 'CLOSED'
    const [asked] = await scene.tenant.rows(
      sql<{ id: string }>`select id::text as id from pay_refund where pay_id = ${payer.payId} and reason = 'mistake'`,
    )
    t.clock.advance(61_000)
    await runTask(t, 'pay.refund', { tenantId: scene.tenant.tenantId, refundId: asked?.id })
    t.clock.advance(3_000)
    await emulator.runDue()
    emulator.faults.refund = 'SUCCESS'
  },
}
/** By the word of two, because money goes back. */
const grant = async ({ scene, payer, second }: Stage, percent: number): Promise<void> => {
  const asked = await payer.person.post('/blade-feeWaiver/feewaiver/ask', {
    multipart: { fields: { examId: scene.built.examId, kind: 'disability', reason: '肢体残疾二级，无收入' }, files: [proof] },
  })
  const json = { id: asked.body.data.id, outcome: 1, percent }
  const states: unknown[] = []
  for (const who of [scene.finance, second]) states.push((await who.post('/blade-feeWaiver/feewaiver/decide', { json })).body.data?.state)
  expect(states).toEqual([0, 1])
}
type Step = keyof typeof steps

/** Steps in every order that is possible, and what has gone back and what the sign-up shows at their end. */
const orders: readonly (readonly [readonly Step[], number, string])[] = [
  [['ask', 'grant50', 'reject'], 5_000, 'paid'],
  [['ask', 'reject', 'grant50'], 5_000, 'paid'],
  [['grant50', 'askLess', 'reject'], 5_000, 'paid'],
  [['ask', 'grant50', 'takeBack'], 5_000, 'paid'],
  [['ask', 'takeBack', 'grant50'], 5_000, 'paid'],
  [['ask', 'approve', 'grant50', 'succeed'], 10_000, 'refunded'],
  [['ask', 'grant50', 'approve', 'succeed'], 10_000, 'refunded'],
  [['ask', 'approve', 'succeed', 'grant50'], 10_000, 'refunded'],
  [['grant50', 'askLess', 'approve', 'succeed'], 10_000, 'refunded'],
  [['ask', 'grant100', 'reject'], 10_000, 'none'],
  [['ask', 'grant100', 'approve'], 10_000, 'none'],
  [['ask', 'approve', 'grant100', 'succeed'], 10_000, 'none'],
  [['ask', 'reject', 'grant100'], 10_000, 'none'],
]

describe('what is let off and what is asked back come to one sum, in every order', () => {
  let scene: PayScene
  let second: Person
  beforeAll(async () => {
    await beginPayments(t)
    scene = await payScene(t, { exam: { fee_waiver: 1, pay_end: '2026-03-30T00:00:00+08:00' } })
    second = await scene.tenant.staff('finance')
  })
  test.each(orders)('[A11] %j', async (names, backFen, payState) => {
    const of = await stage(scene, second)
    for (const name of names) await steps[name](of)
    await settle(of)
    const money = await moneyOf(scene.tenant, of.payer.payId)
    expect([money.due.paid, money.due.refunded, money.due.payState]).toEqual([10_000, backFen, payState])
    const given = money.refunds.filter(one => one.state === 'succeeded').reduce((sum, one) => sum + one.fen, 0)
    expect(given).toBe(backFen)
    expect(money.refunds.filter(one => one.state === 'requested')).toEqual([])
    expect(await scene.tenant.rows(sql`select 1 from refund_waiting where signup_id = ${of.payer.signupId}`)).toEqual([])
  })

  test('[A11] a refund that fails at the provider leaves what is let off, which goes back then; whoever paid is told of each change', async () => {
    const of = await stage(scene, second)
    for (const name of ['ask', 'approve', 'grant50', 'fail'] as const) await steps[name](of)
    await settle(of)
    const money = await moneyOf(scene.tenant, of.payer.payId)
    expect([money.due.state, money.due.refunded]).toEqual(['paid', 5_000])
    const fitted = await stage(scene, second)
    for (const name of ['ask', 'grant50'] as const) await steps[name](fitted)
    expect(await noticesOf(scene.tenant, fitted.payer.person.userId)).toContain('退费金额已调整')
    const closed = await stage(scene, second)
    for (const name of ['ask', 'grant100'] as const) await steps[name](closed)
    expect(await noticesOf(scene.tenant, closed.payer.person.userId)).toContain('退费申请已结束')
  })
})

describe('what is left to refund is one figure', () => {
  const left = async ({ scene, payer }: Stage): Promise<number> =>
    (await scene.finance.get('/blade-examPay/exampay/detail', { query: { id: payer.payId } })).body.data.leftAmount
  const reopen = async () => {
    const scene = await payScene(t)
    return stage(scene, await scene.tenant.staff('finance'))
  }

  test('part of it refunded in the console: nothing is offered until it is known how much, then the rest, and ours does not stay under way', async () => {
    const of = await reopen()
    const { emulator } = await emulatorOf(t)
    await steps.ask(of)
    await backPay(of.second, { payId: of.payer.payId, approve: 2, reason: '金额不对' })
    await backPay(of.scene.finance, { payId: of.payer.payId, reason: '误缴' })
    await steps.approve(of)
    const [order] = await of.scene.tenant.rows(sql<{ mchid: string }>`select mchid from pay_order where order_no = ${of.orderNo}`)
    t.clock.advance(61_000)
    await emulator.refundInConsole(order?.mchid ?? '', of.orderNo, 4_000)
    await settle(of)
    const declined = await moneyOf(of.scene.tenant, of.payer.payId)
    expect(declined.due.state).toBe('paid')
    expect(declined.refunds.map(({ state, fen }) => [state, fen])).toEqual([
      ['rejected', 8_000],
      ['closed', 10_000],
    ])
    expect(await left(of)).toBe(0)
    expect((await backPay(of.scene.finance, { payId: of.payer.payId, reason: '误缴' })).body).toMatchObject({
      code: 2607,
      reason: 'pay/refund-unknown',
    })
    t.clock.set('2026-03-18T11:00:00+08:00')
    await doWork(t, 'pay.bills', of.scene.tenant.tenantId)
    expect(await left(of)).toBe(6_000)
    expect((await backPay(of.scene.finance, { payId: of.payer.payId, amount: 10_000, reason: '误缴' })).body.code).toBe(2607)
    expect((await backPay(of.scene.finance, { payId: of.payer.payId, reason: '误缴' })).body.data).toMatchObject({ amount: 6_000 })
    expect(await left(of)).toBe(0)
    await steps.approve(of)
    await settle(of)
    expect((await moneyOf(of.scene.tenant, of.payer.payId)).due).toMatchObject({ state: 'refunded', refunded: 10_000 })
  })

  test('what nobody had decided asks for what is left once the bill tells of a refund in the console', async () => {
    const of = await reopen()
    const { emulator } = await emulatorOf(t)
    await backPay(of.scene.finance, { payId: of.payer.payId, reason: '误缴' })
    const [order] = await of.scene.tenant.rows(sql<{ mchid: string }>`select mchid from pay_order where order_no = ${of.orderNo}`)
    await emulator.refundInConsole(order?.mchid ?? '', of.orderNo, 4_000)
    t.clock.advance(3_000)
    await emulator.runDue()
    t.clock.set('2026-03-18T11:00:00+08:00')
    await doWork(t, 'pay.bills', of.scene.tenant.tenantId)
    expect((await moneyOf(of.scene.tenant, of.payer.payId)).refunds).toEqual([
      { state: 'requested', reason: 'mistake', fen: 6_000 },
      { state: 'succeeded', reason: 'outside', fen: 4_000 },
    ])
  })
})
