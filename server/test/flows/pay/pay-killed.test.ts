import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { type Person, startTestApp, type TestApp, testStart } from '../../support/app.ts'
import { bundled } from '../../support/bundled.ts'
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
import type { Work } from './dying.ts'

let t: TestApp
let program: Awaited<ReturnType<typeof bundled>>
let children: ChildProcess[] = []
beforeAll(async () => {
  t = await startTestApp()
  program = await bundled(new URL('dying.ts', import.meta.url))
})
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL')
  await rm(program.folder, { recursive: true, force: true })
  await t.close()
})
beforeEach(() => beginPayments(t))

/** Another process of the program, on the same database and emulator, that kills itself at a moment. */
const startOther = async (diesAt: number) => {
  const { payments } = await emulatorOf(t)
  const child = fork(program.file, [inject('dataDir'), t.databaseUrl, await payments.gateway.origin(), String(diesAt)], { execArgv: [] })
  children.push(child)
  const gone = once(child, 'exit')
  const ready = once(child, 'message')
  let moments = 0
  return {
    ready,
    /** Does a piece of work there; nothing once it is dead. @returns when it is done or the process is gone */
    ask: async (work: Work): Promise<void> => {
      if (child.exitCode !== null || child.signalCode !== null) return
      const answer = once(child, 'message')
      child.send({ at: t.clock.now().getTime(), work })
      const [said] = await Promise.race([answer, gone])
      if (typeof said === 'number' && child.signalCode === null) moments = said
    },
    moments: () => moments,
    end: async (): Promise<NodeJS.Signals | null> => {
      const died = child.signalCode
      child.kill('SIGKILL')
      await gone
      children = children.filter(one => one !== child)
      return died
    },
  }
}
type Other = Awaited<ReturnType<typeof startOther>>
const basic = `Basic ${Buffer.from('kaopu-web:kaopu-web').toString('base64')}`
const callOf = (person: Person, method: 'GET' | 'POST', path: string, payload?: object): Work => ({
  ...{ kind: 'call', method, url: `/api${path}` },
  headers: {
    ...{ authorization: basic, 'user-agent': 'kaopu-test', 'blade-auth': `bearer ${person.token}` },
    ...(payload === undefined ? {} : { 'content-type': 'application/json' }),
  },
  ...(payload === undefined ? {} : { payload: JSON.stringify(payload) }),
})

/** Everything that happens of one payment, from its code to its refund and the bills of its day: by the other process until it dies, and again by this one. */
const live = async (scene: PayScene, other: Other) => {
  t.clock.set(testStart)
  const { emulator } = await emulatorOf(t)
  const { tenantId } = scene.tenant
  const payer = await scene.payer()
  // The other process knows merchants from the database alone.
  await payer.person.get('/pay/wxpay/ways', { query: { payId: payer.payId } })
  await other.ask(callOf(payer.person, 'GET', `${exam}/getPayQrcode?payId=${payer.payId}`))
  t.clock.advance(4_000)
  const { codeUrl, orderNo } = await openCode(payer.person, payer.payId)
  await emulator.payAsPerson(codeUrl)
  const [notice] = await noticesAbout(t, orderNo)
  if (!notice) throw new Error('no notice')
  await other.ask({ kind: 'call', method: 'POST', url: new URL(notice.url).pathname, headers: { ...notice.headers }, payload: notice.body })
  await other.ask({ kind: 'task', name: 'pay.watch-order', payload: { tenantId, orderNo, step: 0 } })
  await deliver(t, notice)
  await deliver(t, notice)
  const first = await scene.tenant.staff('finance')
  const asks = { payId: payer.payId, reason: '误缴' }
  await other.ask(callOf(first, 'POST', `${exam}/backPay`, asks))
  await first.post(`${exam}/backPay`, { json: asks })
  const approves = { payId: payer.payId, approve: 1 }
  await other.ask(callOf(scene.finance, 'POST', `${exam}/backPay`, approves))
  await scene.finance.post(`${exam}/backPay`, { json: approves })
  const [refund] = await scene.tenant.rows(sql<{ id: string }>`select id::text as id from pay_refund where pay_id = ${payer.payId}`)
  const advances = { tenantId, refundId: refund?.id }
  await other.ask({ kind: 'task', name: 'pay.refund', payload: advances })
  await runTask(t, 'pay.refund', advances)
  t.clock.advance(3_000)
  await emulator.runDue()
  t.clock.set('2026-03-18T11:00:00+08:00')
  await other.ask({ kind: 'work', name: 'pay.bills', tenantId })
  await doWork(t, 'pay.bills', tenantId)
  return payer
}

const isLong = process.env['KAOPU_LONG'] === '1'
/** In the short run one moment each of paying, refunding and reconciling; in the long one all of them, several times. */
const momentsOfShortRun = [11, 41, 71]
const rounds = isLong ? 500 : momentsOfShortRun.length
const countMoments = async (): Promise<number> => {
  const whole = await startOther(0)
  await whole.ready
  await live(await payScene(t), whole)
  expect(await whole.end()).toBeNull()
  return whole.moments()
}
test(
  `[29.8] kill -9 between each two steps of paying, refunding and reconciling, ${rounds} rounds: one line each way, no money lost or doubled`,
  async () => {
    const moments = isLong ? await countMoments() : 0
    const momentOf = (round: number): number => (isLong ? 1 + (round % moments) : (momentsOfShortRun[round] ?? 0))
    // A round takes less time than a start, so the processes of the next two rounds start meanwhile.
    const starting: Promise<Other>[] = []
    const startUpTo = (round: number): void => {
      while (starting.length < Math.min(round, rounds)) starting.push(startOther(momentOf(starting.length)))
    }
    for (let round = 0; round < rounds; round += 1) {
      startUpTo(round + 3)
      const other = await starting[round]
      if (!other) throw new Error('no other process')
      await other.ready
      const at = `killed at moment ${momentOf(round)}`
      const scene = await payScene(t)
      const done = await live(scene, other)
      expect(await other.end(), at).toBe('SIGKILL')
      expect(await moneyOf(scene.tenant, done.payId), at).toMatchObject({
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
        at,
      ).toEqual([{ state: 1, found: 0, ours: 10_000, bill: 10_000, back: 10_000 }])
      expect((await doWork(t, 'pay.check-ledger', scene.tenant.tenantId)).result).toMatchObject({ zh: '核对应缴 1 笔，全部一致' })
      if (isLong && round % 25 === 24) console.info(`kill -9: ${round + 1} of ${rounds} rounds, ${moments} moments`)
    }
  },
  isLong ? 5_400_000 : 120_000,
)

test(
  '[29.8] notices of many payments with repeats, in any order, over two processes: each counts once',
  async () => {
    const orders = isLong ? 2_000 : 8
    const copies = isLong ? 50 : 6
    let scene = await payScene(t)
    const other = await t.beside()
    other.clock.set(t.clock.now())
    const { emulator } = await emulatorOf(t)
    const payers = []
    for (let n = 0; n < orders; n += 1) {
      // A few hundred people with different id numbers fit into a tenant of the tests.
      if (n > 0 && n % 400 === 0) scene = await payScene(t)
      const payer = await scene.payer()
      const { codeUrl, orderNo } = await openCode(payer.person, payer.payId)
      await emulator.payAsPerson(codeUrl)
      payers.push({ ...payer, orderNo, tenant: scene.tenant })
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
      expect(await moneyOf(one.tenant, one.payId)).toMatchObject({
        due: { state: 'paid', paid: 10_000 },
        orders: [{ state: 'paid', notices: copies }],
        ledger: [{ kind: 'pay', fen: 10_000 }],
        refunds: [],
      })
  },
  isLong ? 1_800_000 : 60_000,
)
