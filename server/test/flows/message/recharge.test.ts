import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { type Person, startTestApp, type TestApp, type TestTenant } from '../../support/app.ts'
import { doWork } from '../../support/own-work.ts'
import { beginPayments, deliver, emulatorOf, noticesAbout, noticesOf, runTask } from '../../support/pay.ts'
import { balanceOf, ledgerOf } from '../../support/sending.ts'

let t: TestApp
let tenant: TestTenant
let finance: Person
let operator: Person
let packagesId: string
beforeAll(async () => {
  t = await startTestApp()
  const platform = t.platform()
  operator = await platform.staff('administrator')
  const added = await operator.post('/blade-sendPackages/sendpackages/submit', {
    json: { packageName: '一千条', count: 1_000, price: 5_000, status: 1 },
  })
  packagesId = added.body.data.id
})
afterAll(() => t.close())
beforeEach(async () => {
  await beginPayments(t)
  tenant = await t.tenant()
  finance = await tenant.staff('finance')
})

const ask = async (by = finance) => (await by.get('/blade-send/send/getSendPayQrcode', { query: { packagesId } })).body.data
const pay = async (codeUrl: string) => (await emulatorOf(t)).emulator.payAsPerson(codeUrl)
const purchases = (of = tenant) =>
  of.rows(sql<{ state: number; way: number; count: number; price: number }>`
    select state, pay_way as way, count, price::int as price from send_pay order by id`)

describe('[S7.45] messages are bought', () => {
  test('the code is paid, the notice credits; a second notice and every question change nothing', async () => {
    const { orderNo, amount, codeUrl } = await ask()
    expect([orderNo, amount]).toEqual([expect.stringMatching(/^S\d{14}[0-9A-Z]{10}$/), 5_000])
    expect(await balanceOf(tenant)).toBeUndefined()
    await pay(codeUrl)
    const [notice] = await noticesAbout(t, orderNo)
    if (!notice) throw new Error('no notice')
    expect((await deliver(t, notice)).status).toBe(204)
    expect((await deliver(t, notice)).status).toBe(204)
    expect((await finance.get('/blade-send/send/checkOrder', { query: { orderNo } })).body.data).toEqual({
      state: 2,
      paidTime: '2026-03-17 10:00:00',
      balance: 1_000,
    })
    expect(await balanceOf(tenant)).toEqual({ balance: 1_000, frozen: 0 })
    expect(await ledgerOf(tenant)).toEqual([{ kind: 'recharge', parts: 1_000 }])
    expect(await purchases()).toEqual([{ state: 1, way: 1, count: 1_000, price: 5_000 }])
    expect(await noticesOf(tenant, finance.userId)).toEqual(['短信充值'])
    const orders = (await finance.get('/blade-sendOrder/sendorder/list')).body.data.records
    expect(orders.map((row: Record<string, unknown>) => [row['orderNo'], row['state'], row['paidAmount'], row['notifyCount']])).toEqual([
      [orderNo, 2, 5_000, 2],
    ])
    // Fees and the platform's own balance know nothing of it.
    expect(await t.platform().rows(sql`select kind from pay_alarm where detail like ${`${orderNo}%`}`)).toEqual([])
  })

  test('notices and questions that race credit once', async () => {
    const { orderNo, codeUrl } = await ask()
    await pay(codeUrl)
    const [notice] = await noticesAbout(t, orderNo)
    if (!notice) throw new Error('no notice')
    const check = () => finance.get('/blade-send/send/checkOrder', { query: { orderNo } })
    const watch = () => runTask(t, 'message.watch-recharge', { tenantId: tenant.tenantId, orderNo, step: 0 })
    await Promise.all([deliver(t, notice), check(), watch(), deliver(t, notice), watch(), deliver(t, notice)])
    expect([await balanceOf(tenant), await ledgerOf(tenant)]).toEqual([{ balance: 1_000, frozen: 0 }, [{ kind: 'recharge', parts: 1_000 }]])
  })

  test('a lost notice is made up for by the watch; nobody pays a code that is over, and its purchase closes', async () => {
    const paid = await ask()
    await pay(paid.codeUrl)
    const unpaid = await ask()
    t.clock.set('2026-03-17T10:01:00+08:00')
    await t.runTasks()
    expect(await balanceOf(tenant)).toEqual({ balance: 1_000, frozen: 0 })
    t.clock.set('2026-03-17T10:32:00+08:00')
    await t.runTasks()
    expect(await purchases()).toMatchObject([{ state: 1 }, { state: 2 }])
    expect((await finance.get('/blade-send/send/checkOrder', { query: { orderNo: unpaid.orderNo } })).body.data).toMatchObject({ state: 3 })
    expect(await pay(unpaid.codeUrl)).toMatchObject({ ok: false })
  })

  test('a code that waits is shown again, not made anew; given up it is closed at the provider too, paid it is credited', async () => {
    const first = await ask()
    expect(await ask()).toEqual(first)
    const shop = async () => (await finance.get('/blade-send/send/getSendPackages')).body.data
    expect((await shop()).waiting).toEqual([
      { orderNo: first.orderNo, packagesId, packageName: '一千条', amount: 5_000, expireTime: '2026-03-17 10:30:00' },
    ])
    const cancel = async (orderNo: string, by = finance) => by.post('/blade-send/send/cancelOrder', { json: { orderNo } })
    expect((await cancel(first.orderNo, await (await t.tenant()).staff('finance'))).status).toBe(404)
    expect((await cancel(first.orderNo)).body.data).toEqual({ state: 3, paidTime: null, balance: 0 })
    expect([await pay(first.codeUrl), await purchases(), (await shop()).waiting]).toMatchObject([{ ok: false }, [{ state: 2 }], []])
    const second = await ask()
    expect(second.orderNo).not.toBe(first.orderNo)
    await pay(second.codeUrl)
    expect((await cancel(second.orderNo)).body.data).toMatchObject({ state: 2, balance: 1_000 })
    // The one that is paid is not shown again.
    expect((await ask()).orderNo).not.toBe(second.orderNo)
    expect(
      await tenant
        .rows(sql<{ action: string }>`select action from audit_log where entity in ('sendorder', 'sendpay') order by id`)
        .then(rows => rows.map(row => row.action)),
    ).toEqual(['sendorder.created', 'sendorder.cancelled', 'sendorder.created', 'sendpay.credited', 'sendorder.created'])
  })

  test('another tenant sees neither order nor purchase, and has nothing of it', async () => {
    const other = await t.tenant()
    const stranger = await other.staff('finance')
    const { orderNo, codeUrl } = await ask()
    await pay(codeUrl)
    for (const notice of await noticesAbout(t, orderNo)) await deliver(t, notice)
    expect((await stranger.get('/blade-send/send/checkOrder', { query: { orderNo } })).status).toBe(404)
    expect((await stranger.get('/blade-sendPay/sendpay/list')).body.data.records).toEqual([])
    expect((await stranger.get('/blade-send/send/getSendPackages')).body.data).toMatchObject({ balance: 0, frozen: 0 })
  })

  test('a package that is not on sale is refused before anything is written', async () => {
    const { body, status } = await finance.get('/blade-send/send/getSendPayQrcode', { query: { packagesId: '1' } })
    expect([status, body.reason]).toEqual([404, 'send/package'])
    expect(await purchases()).toEqual([])
  })
})

describe('[S7.45] parts of a package that is valid for so many days', () => {
  let dated: string
  beforeAll(async () => {
    const added = await operator.post('/blade-sendPackages/sendpackages/submit', {
      json: { packageName: '百条月包', count: 100, price: 900, status: 1, validDays: 31 },
    })
    dated = added.body.data.id
  })
  const buy = async (id: string, voucher: string) => {
    const asked = await finance.post('/blade-sendPay/sendpay/submit', { json: { packagesId: id, voucher } })
    expect((await operator.post('/blade-sendPay/sendpay/sureSendPay', { json: { id: asked.body.data.id, voucher } })).body.data.state).toBe(
      1,
    )
  }
  const nightly = async (time: string) => {
    t.clock.set(`${time}+08:00`)
    await doWork(t, 'message.validity')
  }
  const told = () =>
    tenant
      .rows(sql<{ text: string }>`
      select content_zh as text from notify where title_zh = '短信套餐有效期' order by id`)
      .then(rows => rows.map(({ text }) => text))
  /** What sending does with the balance: parts are promised, then paid for. */
  const promise = (parts: number) =>
    tenant.rows(sql`update send_account set frozen = frozen + ${parts} where tenant_id = ${tenant.tenantId} returning 1`)

  test('it is said before, gone afterwards, and what is promised to a task stays with it', async () => {
    await buy(dated, 'V1')
    await buy(packagesId, 'V2')
    const shop = async () => (await finance.get('/blade-send/send/getSendPackages')).body.data
    expect(await shop()).toMatchObject({ balance: 1_100, runningOut: [{ parts: 100, expireTime: '2026-04-17 23:59:59' }] })
    await nightly('2026-03-17T23:00:00')
    expect(await told()).toEqual([])
    await nightly('2026-03-18T00:10:00')
    await nightly('2026-03-19T00:10:00')
    await nightly('2026-04-10T00:10:00')
    await nightly('2026-04-16T00:10:00')
    const ahead = '“百条月包”剩余 100 条，有效期至 2026-04-17，到期后作废，请及时使用。'
    expect(await told()).toEqual([ahead, ahead, ahead])
    await promise(1_040)
    await nightly('2026-04-18T00:10:00')
    expect([await balanceOf(tenant), (await shop()).runningOut]).toEqual([
      { balance: 1_040, frozen: 1_040 },
      [{ parts: 40, expireTime: '2026-04-17 23:59:59' }],
    ])
    await promise(-1_040)
    await nightly('2026-04-19T00:10:00')
    await nightly('2026-04-20T00:10:00')
    expect([await balanceOf(tenant), (await shop()).runningOut]).toEqual([{ balance: 1_000, frozen: 0 }, []])
    expect((await ledgerOf(tenant)).slice(2)).toEqual([
      { kind: 'expire', parts: 60 },
      { kind: 'expire', parts: 40 },
    ])
    expect((await told()).slice(3)).toEqual(['“百条月包”的有效期已过，剩余 60 条已作废。', '“百条月包”的有效期已过，剩余 40 条已作废。'])
    expect(
      await tenant.rows(sql`select action, after_value as after from audit_log where action = 'sendpay.expired' order by id`),
    ).toMatchObject([{ after: { parts: 60 } }, { after: { parts: 40 } }])
  })
})

describe('[S7.61] bought by transfer', () => {
  const request = (voucher: string, by = finance) =>
    by.post('/blade-sendPay/sendpay/submit', { json: { packagesId, voucher, remark: '财政转账' } })
  const sure = (id: string, by = operator, more: object = {}) =>
    by.post('/blade-sendPay/sendpay/sureSendPay', { json: { id, voucher: 'YH20260317001', ...more } })

  test('the platform confirms it, once, and it is credited; tenants cannot', async () => {
    const { id } = (await request('YH20260317001')).body.data
    expect(await balanceOf(tenant)).toBeUndefined()
    const twice = await request('YH20260317001')
    expect([twice.status, twice.body.data.fields[0].field]).toEqual([400, 'voucher'])
    expect((await sure(id, finance)).status).toBe(403)
    expect((await sure(id, await tenant.staff('admin'))).status).toBe(403)
    // Whoever runs the platform is told; where the money goes is what they have written down.
    expect(await noticesOf(t.platform(), operator.userId)).toContain('短信充值')
    expect((await finance.get('/blade-send/send/getSendPackages')).body.data.payee).toBe('')
    const pending = (await operator.get('/blade-sendPay/sendpay/pending')).body.data
    expect(pending.find((row: { id: string }) => row.id === id)).toMatchObject({
      tenantId: tenant.tenantId,
      count: 1_000,
      voucher: 'YH20260317001',
    })
    expect((await sure(id)).body.data).toEqual({ id, state: 1 })
    const again = await sure(id)
    expect([again.status, again.body.reason]).toEqual([409, 'send/pay-state'])
    expect([await balanceOf(tenant), await ledgerOf(tenant)]).toEqual([{ balance: 1_000, frozen: 0 }, [{ kind: 'recharge', parts: 1_000 }]])
    expect(
      await tenant
        .rows(sql<{ action: string }>`select action from audit_log where entity = 'sendpay' order by id`)
        .then(rows => rows.map(row => row.action)),
    ).toEqual(['sendpay.requested', 'sendpay.credited'])
  })

  test('what confirms it stands beside the proof that its buyer sent, also when it is closed; a voucher is used whatever its width and case', async () => {
    for (const [buyer, pass, state] of [
      ['YH-2026-031-A', 1, 1],
      ['YH-2026-031-B', 0, 2],
    ] as const) {
      const { id } = (await request(buyer)).body.data
      expect((await request(buyer.toLowerCase().replaceAll('-', ' '))).status).toBe(400)
      expect((await sure(id, operator, { voucher: 'BANK-7', pass })).body.data).toEqual({ id, state })
      expect(await tenant.rows(sql`select voucher, sure_voucher as sure from send_pay where id = ${id}`)).toEqual([
        { voucher: buyer, sure: 'BANK-7' },
      ])
    }
  })

  test('two confirmations at once credit once', async () => {
    const { id } = (await request('YH20260317002')).body.data
    const answers = await Promise.all([sure(id), sure(id), sure(id)])
    expect(answers.map(answer => answer.status).sort()).toEqual([200, 409, 409])
    expect(await balanceOf(tenant)).toEqual({ balance: 1_000, frozen: 0 })
  })

  test('one that has not come is closed and credits nothing; one that waits may be taken back', async () => {
    const { id } = (await request('YH20260317003')).body.data
    expect((await sure(id, operator, { pass: 0 })).body.data).toEqual({ id, state: 2 })
    const other = (await request('YH20260317004')).body.data.id
    expect((await finance.post('/blade-sendPay/sendpay/remove', { query: { ids: other } })).body.data).toEqual({ removed: 1 })
    expect((await sure(other)).status).toBe(404)
    expect(await balanceOf(tenant)).toBeUndefined()
  })
})

test('[29.4] the platform’s bill is compared with the purchases of all tenants: matched, credited late, missing or a stranger’s', async () => {
  const platform = t.platform()
  const clerk = await platform.staff('finance')
  const { emulator } = await emulatorOf(t)
  // A code that waits is offered again, so each is paid before the next is asked for.
  const bought = async (isTold: boolean) => {
    const order = await ask()
    await pay(order.codeUrl)
    const [notice] = isTold ? await noticesAbout(t, order.orderNo) : []
    if (notice) await deliver(t, notice)
    return order
  }
  const [told, missing, untold] = [await bought(true), await bought(true), await bought(false)]
  expect(await balanceOf(tenant)).toEqual({ balance: 2_000, frozen: 0 })
  const stranger = 'S26031710000001STRANGER00'
  // The bill leaves one out that the provider then does not know, and names one of nobody.
  await tenant.rows(sql`update send_order set order_no = 'S26031710000001GONE000000' where order_no = ${missing.orderNo}`)
  emulator.faults.bill = ({ text }) => text?.replace(missing.orderNo, stranger)
  t.clock.set('2026-03-18T11:00:00+08:00')
  await doWork(t, 'pay.bills', platform.tenantId)
  await doWork(t, 'pay.bills', platform.tenantId)
  const { body } = await clerk.get('/blade-reconciliation/difference/list')
  const mine = body.data.records.filter(
    (row: { orderNo: string }) => /UNTOLD|STRANGER|GONE/.test(row.orderNo) || row.orderNo === untold.orderNo,
  )
  expect(
    mine.map((row: Record<string, unknown>) => [row['orderNo'], row['kind'], row['ourAmount'], row['billAmount'], row['handleWay']]).sort(),
  ).toEqual(
    [
      [untold.orderNo, 2, null, 5_000, 'posted'],
      [stranger, 2, null, 5_000, null],
      ['S26031710000001GONE000000', 1, 5_000, null, null],
    ].sort(),
  )
  expect(await balanceOf(tenant)).toEqual({ balance: 3_000, frozen: 0 })
  expect(body.data.records.some((row: { orderNo: string }) => row.orderNo === told.orderNo)).toBe(false)
  // Fees know nothing of it, and the tenant that has bought has no bill of its own.
  expect((await finance.get('/blade-reconciliation/reconciliation/list')).body.data.records).toEqual([])
})
