import { describe, expect, test } from 'vitest'
import type { ManualClock } from '#kernel/clock.ts'
import type { NativeOrder, Notification, PayProvider, RefundOrder } from './provider.ts'

/** What a provider's other side lets a test do. Every adapter passes the suite with a harness of its own. */
export type ProviderHarness = {
  readonly provider: PayProvider
  readonly clock: ManualClock
  readonly mchid: string
  readonly appid: string
  /** The payer scans and pays. */
  pay(codeUrl: string): Promise<void>
  /** All notices and refunds that are due happen now; returns what the provider's client made of each notice. */
  deliver(): Promise<readonly Notification[]>
  failNextRefund(): void
  close(): Promise<void>
}

const NOTIFY = 'https://kaopu.example/api/pay/wxpay/notify/000000'

/** The behaviour every payment provider must show (domain 8.2, 8.3, 8.5, 8.6). */
export const describeProvider = (name: string, open: () => Promise<ProviderHarness>): void => {
  const run = (title: string, work: (harness: ProviderHarness) => Promise<void>): void =>
    test(title, async () => {
      const harness = await open()
      try {
        await work(harness)
      } finally {
        await harness.close()
      }
    })
  const orderOf = (harness: ProviderHarness, more: Partial<NativeOrder> = {}): NativeOrder => ({
    orderNo: 'E26031710000003A1B2C3D4E5',
    amountFen: 10000,
    description: '2026年公开招聘-报名费',
    expiresAt: new Date(harness.clock.now().getTime() + 30 * 60_000),
    notifyUrl: NOTIFY,
    attach: '1900000000000000001',
    ...more,
  })
  const create = async (harness: ProviderHarness, more: Partial<NativeOrder> = {}): Promise<string> => {
    const answer = await harness.provider.createNative(orderOf(harness, more))
    if (!answer.ok) throw new Error(answer.problem.detail)
    return answer.value.codeUrl
  }
  const refundOf = (more: Partial<RefundOrder> = {}): RefundOrder => ({
    orderNo: 'E26031710000003A1B2C3D4E5',
    refundNo: 'RE26031710000003A1B2C3D4E501',
    refundFen: 10000,
    totalFen: 10000,
    reason: '岗位取消',
    notifyUrl: 'https://kaopu.example/api/pay/wxpay/refundNotify/000000',
    ...more,
  })
  const orderNo = 'E26031710000003A1B2C3D4E5'

  describe(`${name} as a payment provider`, () => {
    run('gives a code for an order, and the same code when asked again', async harness => {
      const codeUrl = await create(harness)
      expect(codeUrl).toMatch(/^weixin:\/\/wxpay\/bizpayurl\?pr=\w+$/)
      expect(await create(harness)).toBe(codeUrl)
    })

    run('refuses a used number with another amount', async harness => {
      await create(harness)
      const answer = await harness.provider.createNative(orderOf(harness, { amountFen: 9999 }))
      expect(answer).toMatchObject({ ok: false, problem: { kind: 'rejected', providerCode: 'OUT_TRADE_NO_USED' } })
    })

    run('tells an unpaid order, then the payment with all that identifies it', async harness => {
      const codeUrl = await create(harness)
      expect(await harness.provider.query(orderNo)).toMatchObject({ ok: true, value: { tradeState: 'NOTPAY', amountFen: 10000 } })
      harness.clock.advance(90_000)
      await harness.pay(codeUrl)

      expect(await harness.provider.query(orderNo)).toEqual({
        ok: true,
        value: {
          orderNo,
          tradeState: 'SUCCESS',
          mchid: harness.mchid,
          appid: harness.appid,
          transactionId: expect.stringMatching(/^\d{28}$/),
          successTime: harness.clock.now(),
          amountFen: 10000,
          currency: 'CNY',
          tradeType: 'NATIVE',
          payerOpenid: expect.stringMatching(/^o\w{27}$/),
          attach: '1900000000000000001',
        },
      })
    })

    run('brings the payment by a notice that says the same as the query', async harness => {
      await harness.pay(await create(harness))
      const queried = await harness.provider.query(orderNo)
      const [notice, ...more] = await harness.deliver()

      expect(more).toEqual([])
      expect(notice).toEqual({
        id: expect.stringMatching(/^EV-/),
        eventType: 'TRANSACTION.SUCCESS',
        createdAt: harness.clock.now(),
        resource: { kind: 'trade', trade: queried.ok ? queried.value : undefined },
      })
    })

    run('closes an order once and for all', async harness => {
      await create(harness)
      expect(await harness.provider.close(orderNo)).toEqual({ ok: true, value: 'closed' })
      expect(await harness.provider.close(orderNo)).toEqual({ ok: true, value: 'closed' })
      expect(await harness.provider.query(orderNo)).toMatchObject({ ok: true, value: { tradeState: 'CLOSED' } })
      expect(await harness.provider.createNative(orderOf(harness))).toMatchObject({ ok: false, problem: { kind: 'order-closed' } })
    })

    run('does not close or sell again what is paid', async harness => {
      await harness.pay(await create(harness))
      expect(await harness.provider.close(orderNo)).toMatchObject({ ok: false, problem: { kind: 'order-paid' } })
      expect(await harness.provider.createNative(orderOf(harness))).toMatchObject({ ok: false, problem: { kind: 'order-paid' } })
    })

    run('knows nothing of a number never used', async harness => {
      expect(await harness.provider.query('E26031710000003NEVERUSED0')).toMatchObject({ ok: false, problem: { kind: 'not-found' } })
      expect(await harness.provider.queryRefund('RE26031710000003NEVERUSED001')).toMatchObject({
        ok: false,
        problem: { kind: 'not-found' },
      })
    })

    run('refunds once, however often it is asked with one number', async harness => {
      await harness.pay(await create(harness))
      await harness.deliver()
      const first = await harness.provider.refund(refundOf())
      const again = await harness.provider.refund(refundOf())

      expect(first).toMatchObject({ ok: true, value: { status: 'PROCESSING', refundFen: 10000, totalFen: 10000, orderNo } })
      expect(again).toEqual(first)
      harness.clock.advance(60_000)
      const [notice] = await harness.deliver()
      expect(notice).toMatchObject({
        eventType: 'REFUND.SUCCESS',
        resource: { kind: 'refund', refund: { refundNo: refundOf().refundNo, status: 'SUCCESS', refundFen: 10000, mchid: harness.mchid } },
      })
      expect(await harness.provider.queryRefund(refundOf().refundNo)).toMatchObject({ ok: true, value: { status: 'SUCCESS' } })
      expect(await harness.provider.query(orderNo)).toMatchObject({ ok: true, value: { tradeState: 'REFUND' } })
    })

    run('refuses to give back more than was paid', async harness => {
      await harness.pay(await create(harness))
      expect(await harness.provider.refund(refundOf({ refundFen: 6000 }))).toMatchObject({ ok: true })
      harness.clock.advance(61_000)
      const more = await harness.provider.refund(refundOf({ refundNo: 'RE26031710000003A1B2C3D4E502', refundFen: 4001 }))
      expect(more).toMatchObject({ ok: false, problem: { kind: 'rejected' } })
    })

    run('tells a refund that a dead card sends back', async harness => {
      await harness.pay(await create(harness))
      await harness.deliver()
      harness.failNextRefund()
      await harness.provider.refund(refundOf())
      harness.clock.advance(60_000)

      expect(await harness.deliver()).toMatchObject([{ eventType: 'REFUND.ABNORMAL', resource: { refund: { status: 'ABNORMAL' } } }])
      expect(await harness.provider.queryRefund(refundOf().refundNo)).toMatchObject({ ok: true, value: { status: 'ABNORMAL' } })
    })

    run('bills a day: payments, refunds, totals to the fen', async harness => {
      await harness.pay(await create(harness, { description: '招聘,含逗号`与引号-报名费' }))
      await harness.pay(await create(harness, { orderNo: 'E26031710000003SECONDORD', amountFen: 8029 }))
      await harness.provider.refund(refundOf({ refundFen: 5 }))
      harness.clock.advance(60_000)
      await harness.deliver()
      const day = '2026-03-17'
      expect(await harness.provider.tradeBill(day)).toMatchObject({ ok: false })
      harness.clock.set('2026-03-18T09:59:59+08:00')
      expect(await harness.provider.tradeBill(day)).toMatchObject({ ok: false, problem: { kind: 'busy' } })
      harness.clock.set('2026-03-18T10:30:00+08:00')
      const bill = await harness.provider.tradeBill(day)

      expect(bill).toMatchObject({
        ok: true,
        value: {
          date: day,
          rows: [
            { kind: 'pay', orderNo, amountFen: 10000, refundFen: 0, currency: 'CNY', mchid: harness.mchid },
            { kind: 'pay', orderNo: 'E26031710000003SECONDORD', amountFen: 8029, serviceFeeText: '0.48174' },
            { kind: 'refund', orderNo, refundNo: refundOf().refundNo, amountFen: 0, refundFen: 5, refundStatus: 'SUCCESS' },
          ],
          summary: { count: 3, amountFen: 18029, refundFen: 5 },
        },
      })
      harness.clock.set('2026-03-19T10:30:00+08:00')
      expect(await harness.provider.tradeBill('2026-03-18')).toEqual({
        ok: true,
        value: { date: '2026-03-18', rows: [], summary: { count: 0, amountFen: 0, refundFen: 0 } },
      })
    })
  })
}
