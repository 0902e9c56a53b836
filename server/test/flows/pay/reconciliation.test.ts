import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { doWork } from '../../support/own-work.ts'
import { alarmsOf, beginPayments, emulatorOf, moneyOf, noticesOf, openCode, type PayScene, payScene } from '../../support/pay.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp()
})
afterAll(() => t.close())
beforeEach(() => beginPayments(t))

const base = '/blade-reconciliation/reconciliation'
const merchantOf = async (scene: PayScene) => (await (await emulatorOf(t)).payments.merchantOf(scene.tenant.tenantId)).mchid
/** Somebody has paid by a code; `isTold` false: no notice ever came. */
const paid = async (scene: PayScene, isTold = true) => {
  const { emulator } = await emulatorOf(t)
  const payer = await scene.payer()
  const { orderNo, codeUrl } = await openCode(payer.person, payer.payId)
  emulator.faults.notice = isTold ? {} : { drop: true }
  await emulator.payAsPerson(codeUrl)
  emulator.faults.notice = {}
  await emulator.runDue()
  return { ...payer, orderNo, codeUrl }
}
const nextDay = () => t.clock.set('2026-03-18T11:00:00+08:00')
const reconcile = (scene: PayScene) => doWork(t, 'pay.bills', scene.tenant.tenantId)
const days = async (scene: PayScene) => {
  const { body } = await scene.finance.get(`${base}/list`)
  expect(body).toMatchObject({ code: 200 })
  return body.data.records
}
const detail = async (scene: PayScene, id: string) => (await scene.finance.get(`${base}/detail`, { query: { id } })).body.data
/** Takes the lines of these orders out of the trade bill, and makes its totals fit. */
const editLines = (edit: (line: readonly string[]) => readonly string[] | undefined) => async () => {
  const { emulator } = await emulatorOf(t)
  // The account follows the edited trade: its own difference is another test's.
  let moved = ''
  emulator.faults.bill = ({ kind, text }) => {
    if (text === undefined) return undefined
    if (kind === 'fund') return moved
    const lines = text.split('\r\n')
    const at = lines.findIndex((line, index) => index > 0 && !line.startsWith('`'))
    const rows = lines.slice(1, at).flatMap(line => {
      const fields = edit(line.slice(1).split(',`'))
      return fields ? [fields] : []
    })
    const sum = (column: number) => rows.reduce((fen, row) => fen + Math.round(Number(row[column]) * 100), 0)
    const yuan = (fen: number) => (fen / 100).toFixed(2)
    const totals = [String(rows.length), '0.00', '0.00', '0.00', '0.00', yuan(sum(24)), yuan(sum(25))]
    const write = (fields: readonly string[]) => fields.map(field => `\`${field}`).join(',')
    const net = yuan(sum(24))
    moved = [
      '记账时间,微信支付业务单号,资金流水单号,业务名称,业务类型,收支类型,收支金额（元）,账户结余（元）,资金变更提交申请人,备注,业务凭证号',
      write(['2026-03-17 10:00:00', '1', '1', '交易', '交易', '收入', net, net, 'system', '', '']),
      '资金流水总笔数,收入笔数,收入金额,支出笔数,支出金额',
      write(['1', '1', net, '0', '0.00']),
    ].join('\r\n')
    return [lines[0], ...rows.map(write), lines[at], write(totals), ''].join('\r\n')
  }
}

describe('[29.4] reconciliation of a day', () => {
  test('on a normal day the two books agree, by trade and by account, and nobody is told', async () => {
    const scene = await payScene(t)
    const other = await payScene(t)
    const order = await paid(scene)
    await paid(scene)
    await paid(other)
    await scene.finance.post('/blade-exam/examination/backPay', { json: { payId: order.payId, reason: '其他' } })
    const second = await scene.tenant.staff('finance')
    await second.post('/blade-exam/examination/backPay', { json: { payId: order.payId, approve: 1 } })
    t.clock.advance(60_000)
    await t.app.modules.tasks
      .find(one => one.name === 'pay.refund')
      ?.run(
        {
          tenantId: scene.tenant.tenantId,
          refundId: (await scene.tenant.rows(sql<{ id: string }>`select id::text as id from pay_refund`))[0]?.id,
        } as never,
        { attempt: 1, now: t.clock.now() },
      )
    t.clock.advance(3_000)
    await (await emulatorOf(t)).emulator.runDue()
    nextDay()
    await reconcile(scene)
    const [day, ...more] = await days(scene)
    expect(more).toEqual([])
    expect(day).toMatchObject({
      billDate: '2026-03-17',
      channel: 'wechat',
      mchid: await merchantOf(scene),
      state: 1,
      ourCount: 2,
      ourAmount: 20_000,
      billCount: 2,
      billAmount: 20_000,
      ourRefund: 10_000,
      billRefund: 10_000,
      fundIn: 20_000,
      fundOut: 10_000,
      fundFee: 120,
      diffCount: 0,
      openCount: 0,
      runTime: '2026-03-18 11:00:00',
      problem: null,
    })
    expect(await detail(scene, day.id)).toMatchObject({ day: { id: day.id }, differences: [] })
    expect(await noticesOf(scene.tenant, second.userId)).toEqual([])
    // The other organisation's day is its own.
    expect((await other.finance.get(`${base}/detail`, { query: { id: day.id } })).body.code).toBe(404)
    // Its own is not compared yet: the list and the home of finance say so.
    expect(await days(other)).toMatchObject([
      { billDate: '2026-03-17', channel: 'wechat', state: 0, ourCount: 1, ourAmount: 10_000, runTime: null },
    ])
    // No bill of it was read, so it is no row yet; the id that the list shows opens it all the same.
    const [unread] = await days(other)
    const opened = await other.finance.get(`${base}/detail`, { query: { id: unread.id } })
    expect([opened.status, opened.body.data]).toMatchObject([
      200,
      { day: { id: unread.id, billDate: '2026-03-17', state: 0 }, differences: [] },
    ])
    expect((await scene.finance.get(`${base}/detail`, { query: { id: unread.id } })).body.code).toBe(404)
    const waits = async ({ finance }: typeof scene) =>
      (await finance.get('/me/home')).body.data.todos.find((one: { key: string }) => one.key === 'unreconciled')?.count
    expect([await waits(scene), await waits(other)]).toEqual([0, 1])
  })

  test('what the rules may mend is mended and explained, and the day is closed without a hand', async () => {
    const scene = await payScene(t)
    const open = await paid(scene, false)
    const closed = await paid(scene)
    // The close and the payment crossed, and no notice came.
    const late = await scene.payer()
    const code = await openCode(late.person, late.payId)
    await late.person.post('/blade-exam/examination/closePayOrder', { json: { orderNo: code.orderNo } })
    const { emulator } = await emulatorOf(t)
    emulator.faults.notice = { drop: true }
    await emulator.forcePayment(await merchantOf(scene), code.orderNo)
    emulator.faults.notice = {}
    nextDay()
    await reconcile(scene)
    const [day] = await days(scene)
    expect(day).toMatchObject({ state: 3, ourCount: 3, billCount: 3, diffCount: 2, openCount: 0 })
    const { differences } = await detail(scene, day.id)
    const of = (orderNo: string) => differences.find((one: { orderNo: string }) => one.orderNo === orderNo)
    expect(of(open.orderNo)).toMatchObject({
      kind: 2,
      subject: 'pay',
      ourAmount: null,
      billAmount: 10_000,
      handle: 1,
      handleWay: 'posted',
      handleName: null,
      why: '此笔 2026-03-17 10:00:00 支付，本地订单仍为“待支付”，支付通知未到',
    })
    expect(of(code.orderNo)).toMatchObject({
      kind: 2,
      handleWay: 'posted',
      why: '此笔 2026-03-17 10:00:00 支付，本地 2026-03-17 10:00:00 已关闭订单，支付通知未到',
    })
    for (const one of [open, closed, late]) expect((await moneyOf(scene.tenant, one.payId)).due.state).toBe('paid')
    expect(await noticesOf(scene.tenant, scene.finance.userId)).toEqual([])
  })

  test('[12.2.9] three differences that no rule may mend are a task each; a clerk settles them and the day closes', async () => {
    const scene = await payScene(t)
    const [less, gone, fine] = [await paid(scene), await paid(scene), await paid(scene)]
    // The bill says 60.00 of one, leaves one out that the provider itself does not know any more, and has one of nobody.
    const stranger = 'E26031710000003QQQQQQQQQQ'
    await editLines(line => {
      if (line[6] === less.orderNo) return line.map((field, column) => (column === 24 ? '60.00' : field))
      if (line[6] === gone.orderNo) return line.map((field, column) => (column === 6 ? stranger : column === 5 ? '4200000000' : field))
      return line
    })()
    await scene.tenant.rows(sql`update pay_order set order_no = 'E26031710000003GONE000000' where order_no = ${gone.orderNo}`)
    nextDay()
    await reconcile(scene)
    const [day] = await days(scene)
    expect(day).toMatchObject({ state: 2, diffCount: 3, openCount: 3, ourAmount: 30_000, billAmount: 26_000 })
    const { differences } = await detail(scene, day.id)
    expect(
      differences.map(({ kind, subject, ourAmount, billAmount, handle, dueTime }: Record<string, unknown>) => ({
        kind,
        subject,
        ourAmount,
        billAmount,
        handle,
        dueTime,
      })),
    ).toEqual(
      expect.arrayContaining([
        { kind: 3, subject: 'pay', ourAmount: 10_000, billAmount: 6_000, handle: 0, dueTime: '2026-03-20 00:00:00' },
        { kind: 1, subject: 'pay', ourAmount: 10_000, billAmount: null, handle: 0, dueTime: '2026-03-20 00:00:00' },
        { kind: 2, subject: 'pay', ourAmount: null, billAmount: 10_000, handle: 0, dueTime: '2026-03-20 00:00:00' },
      ]),
    )
    expect(await alarmsOf(scene.tenant)).toEqual(['unknownOrder'])
    expect(await noticesOf(scene.tenant, scene.finance.userId)).toEqual(['支付异常待处理', '对账有差异'])
    // Again: nothing new, nobody is told twice.
    await scene.finance.post(`${base}/submit`, { json: { billDate: '2026-03-17' } })
    expect((await days(scene))[0]).toMatchObject({ state: 2, diffCount: 3, openCount: 3 })
    expect(await noticesOf(scene.tenant, scene.finance.userId)).toEqual(['支付异常待处理', '对账有差异'])

    const first = differences[0].id
    const settle = (id: string, json: object) => scene.finance.post(`${base}/submit`, { json: { id, ...json } })
    expect((await settle(first, { handleWay: 'accepted' })).body).toMatchObject({
      code: 400,
      data: { fields: [{ field: 'handleRemark' }] },
    })
    expect((await settle(first, { handleRemark: '已核对' })).body).toMatchObject({ code: 400, data: { fields: [{ field: 'handleWay' }] } })
    const words = { handleWay: 'accepted', handleRemark: '与支付平台客服核对无误' }
    expect((await settle(first, words)).body.data).toEqual({ id: day.id, state: 2, diffCount: 3, openCount: 2 })
    expect((await settle(first, words)).body).toMatchObject({ code: 2201 })
    await settle(differences[1].id, words)
    expect((await settle(differences[2].id, { handleWay: 'returned', handleRemark: '已转账退回' })).body.data).toMatchObject({
      state: 3,
      openCount: 0,
    })
    expect((await days(scene))[0]).toMatchObject({ state: 3, openCount: 0 })
    expect((await settle(first, { handle: 0, handleRemark: '看错了' })).body.data).toMatchObject({ state: 2, openCount: 1 })
    expect((await detail(scene, day.id)).differences[0]).toMatchObject({ id: first, handle: 0, handleWay: null })
    expect(
      await scene.tenant.rows(sql`select action, reason from audit_log where entity in ('paydifference', 'reconciliation') order by id`),
    ).toEqual([
      { action: 'reconciliation.compared', reason: null },
      { action: 'paydifference.settled', reason: '与支付平台客服核对无误' },
      { action: 'paydifference.settled', reason: '与支付平台客服核对无误' },
      { action: 'paydifference.settled', reason: '已转账退回' },
      { action: 'paydifference.opened', reason: '看错了' },
    ])
    // Nobody is left with more or less than what was paid.
    expect((await moneyOf(scene.tenant, fine.payId)).ledger).toEqual([{ kind: 'pay', fen: 10_000 }])
    // What is open past its end is told once a day.
    t.clock.set('2026-03-20T11:00:00+08:00')
    await reconcile(scene)
    await reconcile(scene)
    expect((await noticesOf(scene.tenant, scene.finance.userId)).slice(2)).toEqual(['对账差异逾期未处理'])
    const { body } = await scene.finance.get(`${base}/month`, { query: { month: '2026-03' } })
    expect(body.data).toEqual({
      month: '2026-03',
      missing: [],
      unread: [],
      channels: [
        {
          channel: 'wechat',
          mchid: await merchantOf(scene),
          // The two days after it are read as well, empty.
          days: 3,
          openDays: 1,
          ourCount: 3,
          ourAmount: 30_000,
          billCount: 3,
          billAmount: 26_000,
          ourRefund: 0,
          billRefund: 0,
          fundFee: 0,
          diffCount: 3,
          openCount: 1,
        },
      ],
    })
  })

  test('a payment that the bill leaves out and the provider confirms needs nobody', async () => {
    const scene = await payScene(t)
    const order = await paid(scene)
    await editLines(line => (line[6] === order.orderNo ? undefined : line))()
    await paid(scene)
    nextDay()
    await reconcile(scene)
    const [day] = await days(scene)
    expect(day).toMatchObject({ state: 3, ourCount: 2, billCount: 1, openCount: 0 })
    expect((await detail(scene, day.id)).differences).toMatchObject([
      {
        kind: 1,
        orderNo: order.orderNo,
        handleWay: 'confirmed',
        why: '本地 2026-03-17 10:00:00 记为已收 100.00 元，当日账单没有此笔',
      },
    ])
    const english = await scene.finance.get(`${base}/detail`, { query: { id: day.id }, language: 'en' })
    expect(english.body.data.differences[0].why).toBe(
      'Paid 100.00 yuan at 2026-03-17 10:00:00 by our book; the bill of the day has no such payment',
    )
  })

  test('an account that took in less than the day’s trade is a difference of its own', async () => {
    const scene = await payScene(t)
    await paid(scene)
    const { emulator } = await emulatorOf(t)
    emulator.faults.bill = ({ kind, text }) => (kind === 'fund' ? undefined : text)
    nextDay()
    await reconcile(scene)
    const [day] = await days(scene)
    expect(day).toMatchObject({ state: 2, fundIn: 0, fundOut: 0, fundFee: 0, openCount: 1 })
    expect((await detail(scene, day.id)).differences).toMatchObject([
      {
        subject: 'fund',
        kind: 3,
        ourAmount: 10_000,
        billAmount: 0,
        why: '交易账单净额 100.00 元，资金账单净入账 0.00 元，请核对结算与手续费',
      },
    ])
  })

  test('[29.9] a bill that was cut short, changed on its way or is another merchant’s is refused, told, and read when it is right', async () => {
    const scene = await payScene(t)
    await paid(scene)
    const { emulator } = await emulatorOf(t)
    nextDay()
    const again = async () => (await scene.finance.post(`${base}/submit`, { json: { billDate: '2026-03-17' } })).body
    const wrong = [
      ['the summary', (text: string) => text.split('\r\n').slice(0, 2).join('\r\n'), 'the summary is missing'],
      [
        'a line',
        (text: string) =>
          text
            .split('\r\n')
            .filter((_, index) => index !== 1)
            .join('\r\n'),
        'the summary says count 1, the rows say 0',
      ],
      ['a merchant', (text: string) => text.replace(/,`(\d{8,12}),/, ',`9999999999,'), 'mchid 9999999999'],
      ['an amount', (text: string) => text.replace('`100.00,`0.00,`\r\n', '`1oo.00,`0.00,`\r\n'), 'not an amount in yuan: 1oo.00'],
    ] as const
    for (const [, edit, told] of wrong) {
      emulator.faults.bill = ({ kind, text }) => (kind === 'trade' && text !== undefined ? edit(text) : text)
      expect((await again()).msg).toContain(told)
    }
    emulator.faults.bill = undefined
    emulator.faults.billDigest = 'wrong'
    expect((await again()).msg).toContain('the digest differs')
    expect(await days(scene)).toMatchObject([{ state: 0, diffCount: 0, problem: expect.stringContaining('digest') }])
    expect(await alarmsOf(scene.tenant)).toEqual(['billUnread'])
    emulator.faults.billDigest = undefined
    expect(await again()).toMatchObject({ code: 200, data: { state: 1 } })
    expect(await days(scene)).toMatchObject([{ state: 1, billAmount: 10_000, problem: null }])
    emulator.faults.calls = ['busy']
    expect(await again()).toMatchObject({ code: 2603 })
    for (const billDate of ['2026-03-18', '2027-01-01'])
      expect((await scene.finance.post(`${base}/submit`, { json: { billDate } })).body.code).toBe(400)
    expect((await scene.finance.post(`${base}/submit`, { json: {} })).body.code).toBe(400)
    expect((await scene.finance.post(`${base}/remove`, { json: { ids: '1' } })).body.code).toBe(2001)
  })
})
