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
  openCode,
  type Payer,
  payScene,
} from '../../support/pay.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp()
})
afterAll(() => t.close())
beforeEach(() => beginPayments(t))

const ways = async ({ person, payId }: Payer) => (await person.get('/pay/wxpay/ways', { query: { payId } })).body.data
/** WeChat sends its user back with a code. */
const authorized = async (payer: Payer) => {
  const { authorizeUrl, state } = await ways(payer)
  const answer = await t.app.server.inject({ method: 'GET', url: authorizeUrl.replace('#wechat_redirect', '') })
  const back = new URL(String(answer.headers.location))
  expect(back.pathname).toBe('/signup/examPay')
  expect(Object.fromEntries(back.searchParams)).toEqual({ payId: payer.payId, code: expect.stringMatching(/^\w{32}$/), state })
  return String(back.searchParams.get('code'))
}
const prepay = ({ person, payId }: Payer, more: object) => person.post('/pay/wxpay/prepay', { json: { payId, ...more } })
type Wire = 'native' | 'jsapi' | 'h5'
/** An order by one of the wires, and how its payer pays it. */
const begin = async (payer: Payer, wire: Wire): Promise<{ orderNo: string; pay: () => Promise<{ ok: boolean }> }> => {
  const { emulator } = await emulatorOf(t)
  if (wire === 'native') {
    const { orderNo, codeUrl } = await openCode(payer.person, payer.payId)
    return { orderNo, pay: () => emulator.payAsPerson(codeUrl) }
  }
  const { body } = await prepay(payer, wire === 'jsapi' ? { way: wire, code: await authorized(payer) } : { way: wire })
  expect(body).toMatchObject({ code: 200 })
  const { orderNo, bridge, h5Url } = body.data
  return {
    orderNo,
    pay: () => (wire === 'jsapi' ? emulator.payInWechat(bridge) : emulator.payAsPerson(String(h5Url).replace(/&redirect_url=.*$/, ''))),
  }
}
const wires: readonly Wire[] = ['native', 'jsapi', 'h5']
const tradeTypes = { native: 'NATIVE', jsapi: 'JSAPI', h5: 'MWEB' } as const

describe('[29.1] paying on the phone in the hand', () => {
  test.each(wires)('by %s: one order, one line, the same due, and what the provider says of it', async wire => {
    const scene = await payScene(t)
    const payer = await scene.payer()
    const { emulator } = await emulatorOf(t)
    const order = await begin(payer, wire)
    expect((await order.pay()).ok).toBe(true)
    await emulator.runDue()
    expect(await moneyOf(scene.tenant, payer.payId)).toEqual({
      due: { state: 'paid', paid: 10_000, refunded: 0, payState: 'paid' },
      orders: [{ orderNo: order.orderNo, state: 'paid', exception: null, notices: 1 }],
      ledger: [{ kind: 'pay', fen: 10_000 }],
      refunds: [],
    })
    expect(await scene.tenant.rows(sql`select way, channel, trade_type as type from pay_order`)).toEqual([
      { way: wire, channel: 'wechat', type: tradeTypes[wire] },
    ])
  })

  test('asked for in three ways at once, one answer is an order that can be paid and the others are refused; one after the other the last is good', async () => {
    const scene = await payScene(t)
    const ticking = setInterval(() => t.clock.advance(1), 1)
    for (let round = 0; round < 10; round += 1) {
      const { person, payId } = await scene.payer()
      const code = (channel: string) => person.get(`${exam}/getPayQrcode`, { query: { payId, channel } })
      const ask = [() => code('wechat'), () => code('alipay'), () => prepay({ person, payId, signupId: '' }, { way: 'h5' })]
      const answers = await Promise.all([...ask.slice(round % 3), ...ask.slice(0, round % 3)].map(one => one()))
      const good = answers.filter(({ status }) => status === 200).map(({ body }) => body.data.orderNo)
      expect(answers.filter(({ status }) => status !== 200).map(({ body }) => [body.code, body.reason])).toEqual([
        [2603, 'pay/way-opening'],
        [2603, 'pay/way-opening'],
      ])
      const { orders } = await moneyOf(scene.tenant, payId)
      expect(orders).toEqual([{ orderNo: good[0], state: 'pending', exception: null, notices: 0 }])
      const last = (await code(round % 2 === 0 ? 'alipay' : 'nontax')).body.data.orderNo
      const states = (await moneyOf(scene.tenant, payId)).orders.map(order => [order.orderNo, order.state])
      expect(states.at(-1)).toEqual([last, 'pending'])
    }
    clearInterval(ticking)
  })

  test('a code is refused from the album and by a long press; WeChat’s browser pays only what the merchant has signed', async () => {
    const scene = await payScene(t)
    const payer = await scene.payer()
    const { emulator } = await emulatorOf(t)
    const { codeUrl } = await openCode(payer.person, payer.payId)
    for (const how of ['album', 'longPress'] as const)
      expect(await emulator.payAsPerson(codeUrl, how)).toEqual({ ok: false, problem: 'notScanned' })
    const code = await authorized(payer)
    const { bridge } = (await prepay(payer, { way: 'jsapi', code })).body.data
    expect(await emulator.payInWechat({ ...bridge, package: 'prepay_id=wx12345678901234567890123456789012' })).toEqual({
      ok: false,
      problem: 'notSigned',
    })
    expect(await emulator.payInWechat({ ...bridge, nonceStr: 'x' })).toEqual({ ok: false, problem: 'notSigned' })
    expect((await emulator.payInWechat(bridge)).ok).toBe(true)
    // The code was closed at the provider before: it pays nothing any more.
    expect(await emulator.payAsPerson(codeUrl)).toEqual({ ok: false, problem: 'closed' })
  })

  test('only open ways, one’s own due, a code that is good once; nothing is ordered otherwise', async () => {
    const scene = await payScene(t)
    const [payer, stranger] = [await scene.payer(), await scene.payer()]
    expect(await ways(payer)).toEqual({
      ways: ['native', 'jsapi', 'h5', 'alipay', 'nontax'],
      authorizeUrl: expect.stringMatching(/^\/demo\/wxpay\/authorize\?appid=wx.*#wechat_redirect$/),
      state: expect.stringMatching(/^[0-9a-f]{32}$/),
    })
    const code = await authorized(payer)
    expect((await prepay({ ...stranger, payId: payer.payId }, { way: 'jsapi', code })).body.code).toBe(404)
    expect((await prepay(payer, { way: 'jsapi' })).body).toMatchObject({ code: 400, data: { fields: [{ field: 'code' }] } })
    expect((await prepay(payer, { way: 'jsapi', code: 'guess' })).body.code).toBe(2201)
    expect((await prepay(payer, { way: 'native' })).body.code).toBe(400)
    expect((await prepay(payer, { way: 'jsapi', code })).status).toBe(200)
    expect((await prepay(payer, { way: 'jsapi', code })).body.code).toBe(2201)
    const late = await authorized(payer)
    t.clock.advance(5 * 60_000)
    expect((await prepay(payer, { way: 'jsapi', code: late })).body.code).toBe(2201)
    expect((await prepay(await scene.payer(), { way: 'h5' })).status).toBe(200)
    await scene.tenant.rows(sql`update exam_pay set state = 'void' where id = ${stranger.payId}`)
    expect((await prepay(stranger, { way: 'h5' })).body.code).toBe(2601)
    expect(await scene.tenant.rows(sql`select way, state from pay_order order by id`)).toEqual([
      { way: 'jsapi', state: 'pending' },
      { way: 'h5', state: 'pending' },
    ])
    t.clock.set('2026-03-23T00:00:00+08:00')
    expect((await prepay(payer, { way: 'h5' })).body.code).toBe(2602)
  })
})

describe.each(wires)('[29.9] every case of domain 8.4 by %s', wire => {
  const paidAt = async (payer: Payer) => {
    const order = await begin(payer, wire)
    await order.pay()
    return order
  }
  test('twice the same notice, a stale one, a wrong signature, another amount, another merchant, nobody’s order', async () => {
    const scene = await payScene(t)
    const payer = await scene.payer()
    const { emulator } = await emulatorOf(t)
    const order = await paidAt(payer)
    const [notice] = await noticesAbout(t, order.orderNo)
    if (!notice) throw new Error('no notice')
    const wrong = { ...notice, headers: { ...notice.headers, 'wechatpay-signature': Buffer.alloc(256).toString('base64') } }
    expect((await deliver(t, wrong)).status).toBe(401)
    t.clock.advance(301_000)
    expect((await deliver(t, notice)).status).toBe(401)
    t.clock.advance(-301_000)
    expect((await moneyOf(scene.tenant, payer.payId)).ledger).toEqual([])
    expect(await Promise.all([deliver(t, notice), deliver(t, notice), deliver(t, notice)].map(async one => (await one).status))).toEqual([
      204, 204, 204,
    ])
    expect(await moneyOf(scene.tenant, payer.payId)).toMatchObject({
      orders: [{ state: 'paid', notices: 3 }],
      ledger: [{ kind: 'pay', fen: 10_000 }],
    })

    for (const [fault, kind] of [
      [{ totalFen: 1_000 }, 'amountMismatch'],
      [{ mchid: '1999999999' }, 'merchantMismatch'],
    ] as const) {
      const other = await scene.payer()
      emulator.faults.notice = fault
      await paidAt(other)
      await emulator.runDue()
      emulator.faults.notice = {}
      expect(await moneyOf(scene.tenant, other.payId)).toMatchObject({
        due: { state: 'due', paid: 0 },
        orders: [{ state: 'abnormal', exception: kind }],
        refunds: [],
      })
    }
    const strange = await scene.payer()
    const nobody = await paidAt(strange)
    await scene.tenant.rows(
      sql`update pay_order set order_no = ${`E${nobody.orderNo.slice(1, 15)}NOBODY0000`} where order_no = ${nobody.orderNo}`,
    )
    await emulator.runDue()
    expect(await alarmsOf(scene.tenant)).toEqual(['noticeRefused', 'amountMismatch', 'merchantMismatch', 'unknownOrder'])
  })

  test('after our close in time it counts, too late it goes back; paid twice and not owed any more go back', async () => {
    const scene = await payScene(t)
    const { emulator, payments } = await emulatorOf(t)
    const { mchid } = await payments.merchantOf(scene.tenant.tenantId)
    const closed = async (payer: Payer) => {
      const order = await begin(payer, wire)
      expect((await payer.person.post(`${exam}/closePayOrder`, { json: { orderNo: order.orderNo } })).body.data.state).toBe(3)
      return order
    }
    const inTime = await scene.payer()
    await emulator.forcePayment(mchid, (await closed(inTime)).orderNo)
    const twice = await scene.payer()
    const first = await closed(twice)
    await scene.finance.post(`${exam}/handleUp`, {
      multipart: { fields: { payId: twice.payId, payWay: '2', amount: '10000', paidTime: '2026-03-17 09:00:00', voucherNo: `V-${wire}` } },
    })
    await emulator.forcePayment(mchid, first.orderNo)
    const gone = await scene.payer()
    const last = await closed(gone)
    await scene.finance.post(`${exam}/delExamPay`, { json: { ids: gone.payId } })
    await emulator.forcePayment(mchid, last.orderNo)
    await emulator.runDue()
    const late = await scene.payer()
    const over = await closed(late)
    t.clock.set('2026-03-22T17:00:01+08:00')
    await emulator.forcePayment(mchid, over.orderNo)
    await emulator.runDue()
    expect(await moneyOf(scene.tenant, inTime.payId)).toMatchObject({
      due: { state: 'paid' },
      orders: [{ state: 'paid', exception: 'paidAfterClose' }],
    })
    expect(await moneyOf(scene.tenant, twice.payId)).toMatchObject({
      due: { state: 'paid', paid: 10_000 },
      orders: [{ exception: 'duplicate' }],
      refunds: [{ reason: 'duplicate', fen: 10_000 }],
    })
    expect(await moneyOf(scene.tenant, gone.payId)).toMatchObject({ due: { state: 'void', paid: 0 }, refunds: [{ fen: 10_000 }] })
    expect(await moneyOf(scene.tenant, late.payId)).toMatchObject({ due: { paid: 0 }, refunds: [{ reason: 'late', fen: 10_000 }] })
  })
})
