import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { startTestApp, type TestApp, testStart } from '../../support/app.ts'
import { doWork } from '../../support/own-work.ts'
import {
  beginPayments,
  deliver,
  emulatorOf,
  exam,
  moneyOf,
  noticesAbout,
  openCode,
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

class Killed extends Error {}
/**
 * Lets the program do so many more transactions and no further one, as `kill -9` leaves it: what a transaction has not committed has not happened, and between two of
 * them stand only calls to the provider.
 */
const dieAfter = (transactions: number): (() => void) => {
  const { scopes } = t.app.services
  const tx = scopes.tx
  let left = transactions
  Object.assign(scopes, {
    tx: (...of: Parameters<typeof tx>) => {
      left -= 1
      return left < 0 ? Promise.reject(new Killed('killed')) : tx.apply(scopes, of)
    },
  })
  return () => void Object.assign(scopes, { tx })
}
const tried = async (work: () => Promise<unknown>, transactions: number): Promise<void> => {
  const live = dieAfter(transactions)
  await work().catch(() => undefined)
  live()
}

/** Everything that happens of one payment, from its code to its refund and the bills of its days; each part dies once after `at` transactions and is done again. */
const live = async (scene: PayScene, at: number) => {
  t.clock.set(testStart)
  const { emulator, payments } = await emulatorOf(t)
  const { tenantId } = scene.tenant
  const payer = await scene.payer()
  await tried(() => payer.person.get(`${exam}/getPayQrcode`, { query: { payId: payer.payId } }), at)
  t.clock.advance(4_000)
  const { codeUrl, orderNo } = await openCode(payer.person, payer.payId)
  await emulator.payAsPerson(codeUrl)
  const [notice] = await noticesAbout(t, orderNo)
  if (!notice) throw new Error('no notice')
  await tried(() => deliver(t, notice), at)
  await tried(() => runTask(t, 'pay.watch-order', { tenantId, orderNo, step: 0 }), at)
  await deliver(t, notice)
  await deliver(t, notice)
  const second = scene.finance
  const first = await scene.tenant.staff('finance')
  const asks = () => first.post(`${exam}/backPay`, { json: { payId: payer.payId, reason: '误缴' } })
  await tried(asks, at)
  await asks()
  const approves = () => second.post(`${exam}/backPay`, { json: { payId: payer.payId, approve: 1 } })
  await tried(approves, at)
  await approves()
  const refunds = await scene.tenant.rows(sql<{ id: string }>`select id::text as id from pay_refund where pay_id = ${payer.payId}`)
  for (const { id: refundId } of refunds) {
    await tried(() => runTask(t, 'pay.refund', { tenantId, refundId }), at)
    await runTask(t, 'pay.refund', { tenantId, refundId })
  }
  t.clock.advance(3_000)
  await emulator.runDue()
  t.clock.set('2026-03-18T11:00:00+08:00')
  await tried(() => doWork(t, 'pay.bills', tenantId), at)
  await doWork(t, 'pay.bills', tenantId)
  return { ...payer, orderNo, mchid: (await payments.merchantOf(tenantId)).mchid }
}

const isLong = process.env['KAOPU_LONG'] === '1'
const rounds = isLong ? 500 : 12
test(
  `[29.8] kill -9 between each two steps of paying, refunding and reconciling, ${rounds} rounds: one line each way, no money lost or doubled`,
  async () => {
    for (let round = 0; round < rounds; round += 1) {
      const scene = await payScene(t)
      const done = await live(scene, round % 24)
      expect(await moneyOf(scene.tenant, done.payId), `killed after ${round % 24} transactions`).toMatchObject({
        due: { state: 'refunded', paid: 10_000, refunded: 10_000 },
        ledger: [
          { kind: 'pay', fen: 10_000 },
          { kind: 'refund', fen: -10_000 },
        ],
        refunds: [{ state: 'succeeded', fen: 10_000 }],
      })
      expect(
        await scene.tenant.rows(
          sql`select state, found_count as found, our_fen::int as ours, amount_fen::int as bill, refund_fen::int as back from pay_bill`,
        ),
      ).toEqual([{ state: 1, found: 0, ours: 10_000, bill: 10_000, back: 10_000 }])
      expect((await doWork(t, 'pay.check-ledger', scene.tenant.tenantId)).result).toMatchObject({ zh: '核对应缴 1 笔，全部一致' })
    }
  },
  isLong ? 1_800_000 : 60_000,
)

test(
  '[29.8] notices of many payments with repeats, in any order, over two processes: each counts once',
  async () => {
    const orders = isLong ? 2_000 : 8
    const copies = isLong ? 50 : 6
    const scene = await payScene(t)
    const other = await t.beside()
    other.clock.set(t.clock.now())
    const { emulator } = await emulatorOf(t)
    const payers = []
    for (let n = 0; n < orders; n += 1) {
      const payer = await scene.payer()
      const { codeUrl, orderNo } = await openCode(payer.person, payer.payId)
      await emulator.payAsPerson(codeUrl)
      payers.push({ ...payer, orderNo })
    }
    const notices: Awaited<ReturnType<typeof noticesAbout>> = []
    for (const { orderNo } of payers) notices.push(...(await noticesAbout(t, orderNo)))
    const all = Array.from({ length: copies }, (_, copy) =>
      notices.map((notice, index) => ({ notice, at: (index * 7919 + copy * 104_729) % 65_537 })),
    )
      .flat()
      .sort((a, b) => a.at - b.at)
    const parallel = 16
    const queue = all.map(
      ({ notice }, index) =>
        () =>
          deliver(index % 2 === 0 ? t : other, notice),
    )
    const codes: number[] = []
    await Promise.all(
      Array.from({ length: parallel }, async () => {
        for (let next = queue.shift(); next; next = queue.shift()) codes.push((await next()).status)
      }),
    )
    expect(codes.filter(code => code !== 204)).toEqual([])
    for (const one of payers)
      expect(await moneyOf(scene.tenant, one.payId)).toMatchObject({
        due: { state: 'paid', paid: 10_000 },
        orders: [{ state: 'paid', notices: copies }],
        ledger: [{ kind: 'pay', fen: 10_000 }],
        refunds: [],
      })
  },
  isLong ? 1_800_000 : 60_000,
)
