import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp, testStart } from '../../support/app.ts'
import { deliver, emulatorOf, exam, moneyOf, noticesAbout, noticesOf, openCode, payScene } from '../../support/pay.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp()
})
afterAll(() => t.close())

describe('a payment from the code to the receipt', () => {
  test('[S7.41][S7.62] the candidate sees the due, scans, pays, and the notice posts it', async () => {
    t.clock.set(testStart)
    const scene = await payScene(t)
    const { person, payId } = await scene.payer()
    const { body: list } = await person.get(`${exam}/getMyPayList`, { query: { state: 1 } })
    expect(list.data).toMatchObject([
      { id: payId, amount: 10_000, state: 1, canPay: true, canRefund: false, deadline: '2026-03-22 17:00:00' },
    ])

    const { orderNo, codeUrl } = await openCode(person, payId)
    const { emulator } = await emulatorOf(t)
    expect(await emulator.payAsPerson(codeUrl)).toMatchObject({ ok: true })
    const [notice] = await noticesAbout(t, orderNo)
    if (!notice) throw new Error('the provider has no notice')
    expect(await deliver(t, notice)).toEqual({ status: 204, raw: Buffer.alloc(0) })

    expect(await moneyOf(scene.tenant, payId)).toEqual({
      due: { state: 'paid', paid: 10_000, refunded: 0, payState: 'paid' },
      orders: [{ orderNo, state: 'paid', exception: null, notices: 1 }],
      ledger: [{ kind: 'pay', fen: 10_000 }],
      refunds: [],
    })
    expect(await noticesOf(scene.tenant, person.userId)).toEqual(['缴费成功'])
    const { body: state } = await person.get(`${exam}/checkOrder`, { query: { orderNo } })
    expect(state.data).toEqual({ state: 2, paidTime: '2026-03-17 10:00:00' })
  })
})
