import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { type Person, startTestApp, type TestApp, testStart } from '../../support/app.ts'
import { bundled } from '../../support/bundled.ts'
import { ownFolder } from '../../support/own-folder.ts'
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
import type { Asked, Done, Work } from './dying.ts'

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

/**
 * Another process of the program, on the same database and emulator, that does the work of as many payments as there are moments and kills itself once each
 * stands still at its moment or has nothing left to do.
 */
const startOther = async (stopAt: readonly number[]) => {
  const { payments } = await emulatorOf(t)
  const child = fork(program.file, [await ownFolder(), t.databaseUrl, await payments.gateway.origin(), stopAt.join()], { execArgv: [] })
  children.push(child)
  // What was said before the end is read before the channel closes.
  const gone = Promise.all([once(child, 'exit'), once(child, 'disconnect')])
  const ready = once(child, 'message')
  const moments = stopAt.map(() => 0)
  let caught: readonly number[] = []
  let isGone = false
  return {
    ready,
    /** Does a piece of work for each payment there; nothing once it is dead. @returns when all are done or the process is gone */
    ask: async (works: readonly Work[]): Promise<void> => {
      if (isGone) return
      const left = new Set(works.keys())
      const allDone = new Promise<void>(resolve => {
        child.on('message', ({ place, moments: count }: Done) => {
          moments[place] = count
          left.delete(place)
          if (left.size === 0) resolve()
        })
      })
      const asked: Asked = { at: t.clock.now().getTime(), works }
      child.send(asked)
      isGone = await Promise.race([allDone.then(() => false), gone.then(() => true)])
      child.removeAllListeners('message')
      if (isGone) caught = [...left]
    },
    moments: () => moments,
    /** The payments that stood still at their moment when it died. */
    caught: () => caught,
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

/**
 * Everything that happens of a payment, from its code to its refund and the bills of its day, for several side by side: by the other process until it dies,
 * and again by this one.
 */
const live = async (scenes: readonly PayScene[], other: Other) => {
  t.clock.set(testStart)
  const { emulator } = await emulatorOf(t)
  const each = <In, Out>(list: readonly In[], work: (one: In) => Promise<Out>): Promise<Out[]> => Promise.all(list.map(work))
  const begun = await each(scenes, async scene => {
    const { tenantId } = scene.tenant
    const payer = await scene.payer()
    // The other process knows merchants from the database alone.
    await payer.person.get('/pay/wxpay/ways', { query: { payId: payer.payId } })
    return { ...payer, scene, tenantId, first: await scene.tenant.staff('finance') }
  })
  await other.ask(begun.map(({ person, payId }) => callOf(person, 'GET', `${exam}/getPayQrcode?payId=${payId}`)))
  t.clock.advance(4_000)
  const ordered = await each(begun, async one => {
    const { codeUrl, orderNo } = await openCode(one.person, one.payId)
    await emulator.payAsPerson(codeUrl)
    const [notice] = await noticesAbout(t, orderNo)
    if (!notice) throw new Error('no notice')
    return { ...one, orderNo, notice }
  })
  await other.ask(
    ordered.map(({ notice: { url, headers, body } }) => ({
      ...{ kind: 'call', method: 'POST', url: new URL(url).pathname, headers: { ...headers }, payload: body },
    })),
  )
  await other.ask(
    ordered.map(({ tenantId, orderNo }) => ({ kind: 'task', name: 'pay.watch-order', payload: { tenantId, orderNo, step: 0 } })),
  )
  await each(ordered, async ({ notice }) => {
    await deliver(t, notice)
    await deliver(t, notice)
  })
  const asks = ({ payId }: { readonly payId: string }) => ({ payId, reason: '误缴' })
  await other.ask(ordered.map(one => callOf(one.first, 'POST', `${exam}/backPay`, asks(one))))
  await each(ordered, one => one.first.post(`${exam}/backPay`, { json: asks(one) }))
  const approves = ({ payId }: { readonly payId: string }) => ({ payId, approve: 1 })
  await other.ask(ordered.map(one => callOf(one.scene.finance, 'POST', `${exam}/backPay`, approves(one))))
  await each(ordered, one => one.scene.finance.post(`${exam}/backPay`, { json: approves(one) }))
  const advances = await each(ordered, async ({ scene, tenantId, payId }) => {
    const [refund] = await scene.tenant.rows(sql<{ id: string }>`select id::text as id from pay_refund where pay_id = ${payId}`)
    return { tenantId, refundId: refund?.id }
  })
  await other.ask(advances.map(payload => ({ kind: 'task', name: 'pay.refund', payload })))
  await each(advances, payload => runTask(t, 'pay.refund', payload))
  t.clock.advance(3_000)
  await emulator.runDue()
  t.clock.set('2026-03-18T11:00:00+08:00')
  await other.ask(ordered.map(({ tenantId }) => ({ kind: 'work', name: 'pay.bills', tenantId })))
  await each(ordered, ({ tenantId }) => doWork(t, 'pay.bills', tenantId))
  return ordered
}

const isLong = process.env['KAOPU_LONG'] === '1'
/** In the short run some moments of paying, refunding and reconciling; in the long one all of them, several times. */
const momentsOfShortRun = [11, 12, 41, 42, 71, 72]
const rounds = isLong ? 500 : momentsOfShortRun.length
/** So many payments are under way at once in a process that dies: more than one each start of a process, which takes longer than all the rest. */
const sideBySide = isLong ? 6 : 2
const countMoments = async (): Promise<number> => {
  const whole = await startOther([0])
  await whole.ready
  await live([await payScene(t)], whole)
  expect(await whole.end()).toBeNull()
  return whole.moments()[0] ?? 0
}
test(
  `[29.8] kill -9 between each two steps of paying, refunding and reconciling, ${rounds} rounds: one line each way, no money lost or doubled`,
  async () => {
    const count = isLong ? await countMoments() : 0
    // Those of one moment together: they stand there side by side.
    const left = Array.from({ length: rounds }, (_, round) => (isLong ? 1 + (round % count) : (momentsOfShortRun[round] ?? 0))).sort(
      (a, b) => a - b,
    )
    const start = async () => {
      const stopAt = left.splice(0, sideBySide)
      return stopAt.length === 0 ? undefined : { stopAt, other: await startOther(stopAt) }
    }
    let deaths = 0
    const killedAt: number[] = []
    // The next process starts while one works.
    let next = await start()
    while (next !== undefined) {
      const { stopAt, other } = next
      await other.ready
      next = await start()
      const scenes: PayScene[] = []
      for (const _ of stopAt) scenes.push(await payScene(t))
      const paid = await live(scenes, other)
      expect(await other.end()).toBe('SIGKILL')
      deaths += 1
      const caught = other.caught()
      for (const [place, one] of paid.entries()) {
        const moment = stopAt[place] ?? 0
        if (caught.includes(place)) killedAt.push(moment)
        // It had done what it was asked for when the others stood still, and has its turn again.
        else left.push(moment)
        const at = `killed at moment ${moment}`
        expect(await moneyOf(one.scene.tenant, one.payId), at).toMatchObject({
          due: { state: 'refunded', paid: 10_000, refunded: 10_000 },
          ledger: [
            { kind: 'pay', fen: 10_000 },
            { kind: 'refund', fen: -10_000 },
          ],
          refunds: [{ state: 'succeeded', fen: 10_000 }],
        })
        expect(
          await one.scene.tenant.rows(
            sql`select state, found_count as found, our_fen::int as ours, amount_fen::int as bill, refund_fen::int as back from pay_bill`,
          ),
          at,
        ).toEqual([{ state: 1, found: 0, ours: 10_000, bill: 10_000, back: 10_000 }])
        expect((await doWork(t, 'pay.check-ledger', one.tenantId)).result).toMatchObject({ zh: '核对应缴 1 笔，全部一致' })
      }
      next ??= await start()
      if (isLong && deaths % 5 === 0) console.info(`kill -9: ${killedAt.length} of ${rounds} rounds by ${deaths} deaths, ${count} moments`)
    }
    expect(killedAt).toHaveLength(rounds)
    if (isLong) console.info(`kill -9: ${rounds} rounds by ${deaths} deaths, ${new Set(killedAt).size} of ${count} moments`)
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
