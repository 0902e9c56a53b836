import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { buildExam } from '../server/test/support/factories.ts'
import { comeIn, launchBrowser, type Visitor, visit } from './support/browser.ts'
import { windows } from './support/exam.ts'
import { type Backdoor, openBackdoor, staffPassword } from './support/people.ts'
import { actOn } from './support/screen.ts'
import { keepSession } from './support/session.ts'
import { sharedServer } from './support/shared-server.ts'
import { ownTenant } from './support/tenant.ts'

let server: Awaited<ReturnType<typeof sharedServer>>
let browser: Browser
let backdoor: Backdoor
let payer: Visitor
let finance: Visitor
let token: string
/** Of somebody who has paid the one fee they owed. */
let paidToken: string

const comeAs = async (account: string, withToken: string, screen: 'phone' | 'inApp' = 'phone'): Promise<Visitor> => {
  const visitor = await visit(browser, server.url, { name: account, screen })
  await keepSession(visitor.context, server.url, withToken, {
    ...{ userId: '1', account, realName: '王·测', nickName: '王·测', roleIds: [], roles: [], deptId: '', avatar: '' },
    ...{ tenantId: ownTenant(), oauthId: '', userType: 2, userCode: '' },
  })
  return visitor
}

const comeAsPayer = (): Promise<Visitor> => comeAs('crowd1', token)

/** Three fees of one sign-up and one that was paid, each named after its deadline, which lies behind that of the examination. */
const fees = [
  { name: '第三笔', amountFen: 3_000, days: 8, state: 'due' },
  { name: '第一笔', amountFen: 1_000, days: 6, state: 'due' },
  { name: '已缴的', amountFen: 4_000, days: 5, state: 'paid' },
  { name: '第二笔', amountFen: 200_000, days: 7, state: 'due' },
] as const

beforeAll(async () => {
  server = await sharedServer()
  backdoor = await openBackdoor(server.dataDir)
  const { examId } = await buildExam(backdoor, {
    exam: { ...windows, refund_policy: 1, exam_name: '缴费测试', exam_code: 'PAY2026', year: Number(windows.sign_begin.slice(0, 4)) },
  })
  const [member, second] = await backdoor.addCandidates(2)
  if (member === undefined || second === undefined) throw new Error('no candidates')
  await backdoor.addStaff([
    { account: 'caiwu1', realName: '冯财务', roles: ['finance'] },
    { account: 'caiwu2', realName: '褚财务', roles: ['finance'] },
  ])
  await backdoor.db(async db => {
    const { id: userId } = await db.one(sql<{ id: string }>`select id::text as id from account where account = 'crowd1'`)
    const { id: signupId } = await db.one(sql<{ id: string }>`
      insert into signup (tenant_id, exam_id, user_id, code, type, unit, examine, name, id_card_mask, sign_no, sign_version)
      values (${ownTenant()}, ${examId}, ${userId}, 'B001', 'B', 'H01', 'passed', '王·测', '3301**********301X', '2026070000000001', 1) returning id::text as id`)
    for (const { name, amountFen, days, state } of fees)
      await db.run(sql`
        insert into exam_pay (tenant_id, exam_id, item_id, signup_id, user_id, pay_kind, pay_name, amount_fen, paid_fen, state, own_deadline, deadline)
        values (${ownTenant()}, ${examId}, ${state === 'paid' ? 0 : days}, ${signupId}, ${userId}, 3, ${name}, ${amountFen}, ${state === 'paid' ? amountFen : 0}, ${state}, true,
          ${db.now}::timestamptz + make_interval(days => ${days}))`)
  })
  await backdoor.db(async db => {
    const { id: userId } = await db.one(sql<{ id: string }>`select id::text as id from account where account = 'crowd2'`)
    const { id: signupId } = await db.one(sql<{ id: string }>`
      insert into signup (tenant_id, exam_id, user_id, code, type, unit, examine, pay_state, name, id_card_mask, sign_no, sign_version)
      values (${ownTenant()}, ${examId}, ${userId}, 'B001', 'B', 'H01', 'passed', 'paid', '王·测', '3301**********302X', '2026070000000002', 1) returning id::text as id`)
    await db.run(sql`
      insert into exam_pay (tenant_id, exam_id, item_id, signup_id, user_id, pay_kind, pay_name, amount_fen, paid_fen, state, own_deadline, deadline, pay_way)
      values (${ownTenant()}, ${examId}, 0, ${signupId}, ${userId}, 1, '报名费', 10000, 10000, 'paid', true, ${db.now}::timestamptz + interval '5 days', 'cash')`)
  })
  browser = await launchBrowser()
  paidToken = second.token
  token = member.token
  payer = await comeAsPayer()
  finance = await visit(browser, server.url, { name: '冯财务', screen: 'desktop' })
  await comeIn(finance, 'caiwu1')
})
afterAll(async () => {
  await browser?.close()
  await backdoor?.close()
})
beforeEach(() => {
  payer.troubles()
  finance.troubles()
})

describe('what a candidate owes', () => {
  test('[S2.13] [S4.15] [S9.16] is told after login, one notice each 300 ms after the other; they stay until they are closed', async () => {
    // Its clock stands still for a whole browser context: not that of the tests below.
    const reader = await comeAsPayer()
    const { page } = reader
    let answer = () => {}
    const asked = new Promise<void>(resolve => {
      answer = resolve
    })
    // The dues come when the page's own clock stands still.
    await page.route(/getMyPayList\?.*state=1/, async route => {
      await asked
      await route.continue()
    })
    await page.clock.install()
    const asking = page.waitForRequest(/getMyPayList\?.*state=1/)
    await page.goto('/')
    await asking
    await page.clock.pauseAt(new Date(Date.now() + 1_000))
    const came = page.waitForResponse(/getMyPayList\?.*state=1/)
    answer()
    await (await came).finished()
    const shown = page.getByRole('region', { name: '待缴费提醒' }).getByRole('status')
    const shownAfter = async (ms: number) => {
      await page.clock.runFor(ms)
      return (await shown.allInnerTexts()).map(text => /第.笔/.exec(text)?.[0])
    }
    // The first timer is set once the answer has been read; a few of these milliseconds may have passed by then.
    await expect.poll(() => shownAfter(1)).toEqual(['第一笔'])
    expect(await shownAfter(280)).toEqual(['第一笔'])
    await expect.poll(() => shownAfter(5)).toEqual(['第一笔', '第二笔'])
    expect(await shownAfter(280)).toEqual(['第一笔', '第二笔'])
    expect(await shownAfter(600_000)).toEqual(['第一笔', '第二笔', '第三笔'])
    await page.getByRole('button', { name: '关闭' }).first().click()
    expect(await shownAfter(1)).toEqual(['第二笔', '第三笔'])
    await page.getByRole('link', { name: /第二笔/ }).click()
    await page.waitForURL('**/signup/examPay')
    expect(await shown.count()).toBe(0)
    await reader.context.close()
  })
  test('[S7.41] a payment code is cancelled, made anew, closed by finance with its reason in words, and paid', async () => {
    const { page } = payer
    await payer.open('/signup/examPay')
    const pay = page.getByRole('article').filter({ hasText: '第一笔' }).getByRole('button', { name: '去缴费' })
    const sheet = page.getByRole('dialog', { name: '微信扫码支付' })
    const code = sheet.getByRole('img', { name: '支付二维码' })
    await pay.click()
    await code.waitFor()
    await sheet.getByText('10.00 元').waitFor()
    await sheet.getByText(/^二维码剩余/).waitFor()
    await payer.look('pay-qr-sheet')
    await sheet.getByRole('button', { name: '取消这次支付' }).click()
    await page.getByText('已取消这次支付，没有扣款').first().waitFor()
    await sheet.waitFor({ state: 'detached' })
    await pay.click()
    await code.waitFor()

    await finance.open('/pay/payOrder')
    const orders = finance.page.getByRole('row', { name: /王·测/ })
    await orders.getByText('已关闭').waitFor()
    const open = orders.filter({ hasText: '待支付' })
    await actOn(open, '关闭订单')
    await finance.page.getByRole('dialog').getByText('关闭后该二维码不能再支付').waitFor()
    await finance.page.getByRole('dialog').getByRole('button', { name: '关闭订单' }).click()
    await finance.page.getByText('订单已关闭', { exact: true }).first().waitFor()
    await actOn(orders.first(), '查看')
    // An order is a page: its state, what happened to it and why it was closed.
    await finance.page.waitForURL(/\/pay\/payOrder\/\d+$/)
    await finance.page.getByText('手工关闭').waitFor()
    await finance.page.locator('.timeline').getByText('订单关闭').waitFor()
    await finance.look('order-closed')

    await sheet.getByText('这笔订单已关闭').waitFor()
    await payer.look('pay-qr-closed')
    await sheet.getByRole('button', { name: '重新生成' }).click()
    await code.waitFor()
    const [phone] = await Promise.all([payer.context.waitForEvent('page'), sheet.getByRole('link', { name: '打开演示支付页' }).click()])
    await phone.getByRole('button', { name: '支付' }).click()
    await phone.getByText('支付成功').waitFor()
    await phone.close()
    await page.bringToFront()
    await sheet.getByText('支付成功', { exact: true }).waitFor()
    await sheet.waitFor({ state: 'detached' })
    const stored = await finance.ask('/blade-payOrder/payorder/list', { current: 1, size: 10 })
    expect(stored.records.map((row: { state: number; closeReason: string | null }) => [row.state, row.closeReason])).toEqual([
      [2, null],
      [3, 'closePayOrder'],
      [3, 'closePayOrder'],
    ])
    expect([...payer.troubles(), ...finance.troubles()]).toEqual([])
  })

  test('[S7.41] a large sum is posted by two people, found by what it waits for, and goes back by hand', async () => {
    const second = await visit(browser, server.url, { name: '褚财务', screen: 'desktop' })
    await comeIn(second, 'caiwu2', staffPassword, '/pay/examPay')
    await finance.open('/pay/examPay')
    const dueOf = (who: Visitor) => who.page.getByRole('row', { name: /第二笔/ })
    const act = (who: Visitor, name: string) => actOn(dueOf(who), name)
    const dialogOf = (who: Visitor) => who.page.getByRole('dialog').last()
    const press = (who: Visitor, name: string) => dialogOf(who).getByRole('button', { name, exact: true }).click()
    const post = async (who: Visitor, voucher: string) => {
      await dialogOf(who)
        .getByLabel('缴费时间')
        .fill(`${windows.sign_begin.slice(0, 10)} 09:30:00`)
      await dialogOf(who).getByLabel('凭证号', { exact: true }).fill(voucher)
      await press(who, '登记')
    }
    await act(finance, '手工登记')
    await post(finance, 'YH-1')
    await finance.page.getByText('须由另一位财务人员再次登记相同内容后生效').waitFor()
    await dueOf(finance).getByText('待确认登记').waitFor()

    // From the first page to the due that waits, and nothing else.
    await second.open('/')
    await second.page.getByRole('link', { name: /待确认的入账/ }).click()
    await dueOf(second).waitFor()
    await expect.poll(() => second.page.locator('tbody tr').count()).toBe(1)
    await act(second, '确认登记')
    await dialogOf(second).getByText('冯财务 于').waitFor()
    await second.look('confirm-posting')
    second.expectRefusal(422)
    await post(second, 'YH-2')
    await second.page.getByText('与首次登记的内容不一致').waitFor()
    await post(second, 'YH-1')
    await second.page.getByText('已登记为已缴').waitFor()

    await finance.open('/pay/examPay')
    await act(finance, '申请退费')
    await dialogOf(finance).getByText('这笔费用是线下缴纳的').waitFor()
    await press(finance, '提交申请')
    await dueOf(finance).getByText('待审批退费').waitFor()
    await second.open('/pay/examPay?waitsFor=1')
    await act(second, '审批退费')
    await press(second, '登记已转账')
    await dialogOf(second).getByText('请输入凭证号').waitFor()
    await dialogOf(second).getByLabel('转账凭证号').fill('ZZ-1')
    await second.look('refund-by-hand')
    await press(second, '登记已转账')
    // Money that has left does not come back: asked once more.
    const sure = second.page
      .locator('[role=dialog]:visible')
      .filter({ hasText: /确认退给/ })
      .last()
    await sure.getByRole('button', { name: '登记已转账' }).click()
    await second.page.getByText('已登记，该笔退费完成').waitFor()
    await second.open('/pay/examPay')
    await dueOf(second).getByText('已退费').waitFor()
    expect([...finance.troubles(), ...second.troubles()]).toEqual([])
    await second.context.close()
  })

  test('[19.9][19.10] a refund says that the place is lost, is the headline of home, bars the ticket, and can be taken back', async () => {
    const asker = await comeAs('crowd2', paidToken)
    const { page } = asker
    const headline = async (text: string | RegExp) => {
      await asker.open('/')
      await page.locator('.p-hero').getByRole('heading', { name: text }).waitFor()
    }
    await headline(/^等待准考证，.* 起可打印$/)
    // When printing begins is a beginning: nothing calls it a deadline.
    expect(await page.locator('.p-hero').innerText()).not.toContain('截止')
    await asker.open('/signup/examPay')
    await page.getByRole('button', { name: '申请退费' }).tap()
    const sheet = page.getByRole('dialog', { name: '申请退费' })
    await sheet.getByText('批准后您的考试名额不再保留').waitFor()
    await asker.look('refund-sheet')
    await sheet.getByRole('textbox').fill('报错岗位')
    await sheet.getByRole('button', { name: '申请退费' }).tap()
    const back = page.getByRole('button', { name: '撤回退费申请' })
    await back.waitFor()
    await asker.look('refund-waits')
    await headline('退费申请待审批')
    await page.locator('.p-hero').getByText('审批前可以撤回申请').waitFor()
    await asker.look('home-refund')
    await asker.open('/signup/ticket')
    await page.getByText('退费申请处理中，不能打印准考证').waitFor()
    expect(await page.getByText('距开放还有').count()).toBe(0)
    await asker.look('ticket-refund')
    await asker.open('/signup/examPay')
    await back.tap()
    await page.getByRole('dialog').getByRole('button', { name: '撤回退费申请' }).tap()
    await page.getByText('退费申请已撤回').first().waitFor()
    await headline(/^等待准考证/)
    await asker.open('/signup/ticket')
    await page.getByText('距开放还有').waitFor()
    expect(asker.troubles()).toEqual([])
    await asker.context.close()
  })
})

test('[29.1] inside WeChat a fee is paid on the one phone there is: WeChat says who pays, its cashier opens, the page confirms and takes the wish for a receipt', async () => {
  const inside = await comeAs('crowd1', token, 'inApp')
  const { page } = inside
  // WeChat's own cashier, which the page hands its signed request; its user pays.
  await page.addInitScript(`window.WeixinJSBridge = {
    invoke: (call, request, done) => {
      const body = new URLSearchParams({ code_url: request.package.replace('prepay_id=', ''), lang: 'zh' })
      if (call === 'getBrandWCPayRequest' && request.paySign.length > 300)
        void fetch('/demo/wxpay', { method: 'POST', body }).then(() => done({ err_msg: 'get_brand_wcpay_request:ok' }))
    },
  }`)
  await inside.open('/signup/examPay')
  await page.getByRole('article').filter({ hasText: '第三笔' }).getByRole('button', { name: '去缴费' }).click()
  const sheet = page.getByRole('dialog', { name: '微信支付' })
  await sheet.getByText('将在微信内完成支付').waitFor()
  await inside.look('pay-in-wechat')
  // Another way takes the sheet's place; “back” leaves it, and the page is still there.
  await sheet.getByRole('button', { name: /缴款码/ }).click()
  const number = page.getByRole('dialog', { name: '缴款码缴款' })
  const noted = await number.getByText(/^(\d{4} ){4}\d{4}$/).innerText()
  await inside.look('pay-by-number')
  await page.goBack()
  await number.waitFor({ state: 'detached' })
  // Whoever has noted the number finds it again, and may pay in WeChat all the same.
  await page.getByRole('article').filter({ hasText: '第三笔' }).getByRole('button', { name: '去缴费' }).click()
  await number.getByText(noted).waitFor()
  await number.getByRole('button', { name: /微信/ }).click()
  await sheet.getByText('将在微信内完成支付').waitFor()
  await sheet.getByRole('button', { name: '立即支付' }).click()
  await page.waitForURL(/\/signup\/examPay\/\d+$/)
  await page.getByRole('heading', { name: '缴费凭证' }).waitFor()
  await page.getByText('缴费成功').waitFor()
  await page.getByText(/^E\d{14}[0-9A-Z]{10}$/).waitFor()
  await inside.look('pay-confirmed')
  const title = page.getByRole('textbox', { name: /票据抬头/ })
  const [{ name }] = (await finance.ask('/blade-payOrder/payorder/list', { current: 1, size: 1 })).records
  expect(await title.inputValue()).toBe(name)
  await title.fill('')
  await page.getByRole('button', { name: '申请票据' }).click()
  await page.getByText('请填写票据抬头').waitFor()
  await title.fill('王·测')
  await page.getByRole('button', { name: '申请票据' }).click()
  await page.getByText('已申请，开具后会显示在这里').waitFor()
  const [order] = (await finance.ask('/blade-payOrder/payorder/list', { current: 1, size: 1 })).records
  expect(order).toMatchObject({ payName: '第三笔', state: 2, tradeType: 'JSAPI', isInvoice: 2 })
  expect(inside.troubles()).toEqual([])
  await inside.context.close()
})

test('[29.5] a refund goes its way from the request to the bank, and whoever asked sees each step', async () => {
  const asker = await comeAs('crowd1', token)
  const { page } = asker
  await asker.open('/signup/examPay')
  const due = page.getByRole('article').filter({ hasText: '第三笔' })
  await due.getByRole('button', { name: '申请退费' }).tap()
  const sheet = page.getByRole('dialog', { name: '申请退费' })
  await sheet.getByText(/^退回 30.00 元，批准后原路退回原支付账户/).waitFor()
  await sheet.getByRole('textbox').fill('不再参加')
  await sheet.getByRole('button', { name: '申请退费' }).tap()
  await due.getByText(/退费申请待审批/).waitFor()

  await finance.open('/pay/payRefund')
  const row = finance.page.getByRole('row', { name: /第三笔/ })
  await row.getByRole('checkbox').check()
  await finance.page.getByRole('button', { name: '批量批准' }).click()
  await finance.page.getByRole('dialog').getByRole('button', { name: '批量批准' }).click()
  await finance.page.getByText('已批准 1 笔').first().waitFor()

  await page.goto(`${server.url}/signup/examPay`)
  await due.getByRole('link', { name: '缴费凭证与票据' }).tap()
  const steps = page.getByText('已退回原支付账户')
  await expect
    .poll(
      async () => {
        await page.reload()
        await page.getByText('财务审批通过').waitFor()
        return page.getByRole('listitem').filter({ has: steps }).innerText()
      },
      { timeout: 30_000 },
    )
    .toMatch(/\d{4}-\d{2}-\d{2} \d{2}:\d{2}/)
  await asker.look('refund-steps')
  const [refund] = (await finance.ask('/blade-payRefund/payrefund/list', { current: 1, size: 1 })).records
  expect(refund).toMatchObject({ payName: '第三笔', amount: 3_000, state: 2, remark: '不再参加' })
  expect([...asker.troubles(), ...finance.troubles()]).toEqual([])
  await asker.context.close()
})

test('[29.4] [12.2.9] a day with three differences explains itself, is settled by a clerk and closes', async () => {
  const { account } = await finance.ask('/blade-exam/examination/getPayAccount')
  const day = new Date(Date.now() - 2 * 24 * 60 * 60_000 + 8 * 60 * 60_000).toISOString().slice(0, 10)
  await backdoor.db(async db => {
    await db.run(sql`
      insert into pay_order (tenant_id, order_no, pay_id, user_id, amount_fen, description, state, expire_time, transaction_id, success_time, paid_fen, mchid, appid)
      select ${ownTenant()}, 'E2607000000000LOST00000' || n, p.id, p.user_id, 10000, '费', 'paid', ${db.now}, 'LOST' || n,
        (${`${day} 10:00:00`}::timestamp at time zone 'Asia/Shanghai') + n * interval '1 hour', 10000, ${account.mchid}, 'wx'
      from generate_series(1, 3) n cross join lateral (select id, user_id from exam_pay where tenant_id = ${ownTenant()} order by id limit 1) p`)
  })
  const { page } = finance
  await finance.open('/pay/reconciliation')
  await page.getByRole('button', { name: '按日期对账' }).click()
  const pick = page.getByRole('dialog', { name: '按日期对账' })
  await pick.getByRole('textbox', { name: '账单日期起' }).fill(day)
  await pick.getByRole('button', { name: '对账', exact: true }).click()
  await page.getByText('已对账：差异 3 笔，待处理 3 笔').first().waitFor()
  const row = page.getByRole('row', { name: new RegExp(day) })
  await row.getByText('有差异').waitFor()
  await actOn(row, '查看差异')
  const dialog = page.getByRole('dialog', { name: `${day} 对账` })
  const items = dialog.getByRole('listitem')
  await items.first().getByText('我有彼无').waitFor()
  await items
    .first()
    .getByText(/记为已收 100.00 元，当日账单没有此笔/)
    .waitFor()
  await finance.look('day-differences')
  for (const left of [2, 1, 0]) {
    const open = items.filter({ hasText: '待处理' }).first()
    await open.getByRole('button', { name: '处理', exact: true }).click()
    await open.getByRole('button', { name: '确认处理' }).click()
    await open.getByText('请填写处理说明，会记入审计').waitFor()
    await open.getByRole('textbox', { name: '处理说明' }).fill('已与支付平台核对')
    await open.getByRole('button', { name: '确认处理' }).click()
    await page
      .getByText(left === 0 ? '已处理，本日差异全部处理完毕' : `已处理，本日还有 ${left} 笔待处理`)
      .first()
      .waitFor()
    await expect.poll(() => items.filter({ hasText: '待处理' }).count()).toBe(left)
  }
  await finance.look('day-settled')
  await page.keyboard.press('Escape')
  await row.getByText('差异已处理').waitFor()
  const [stored] = (await finance.ask('/blade-reconciliation/reconciliation/list', { billDate_ge: day, current: 1, size: 10 })).records
  expect(stored).toMatchObject({ billDate: day, state: 3, ourCount: 3, billCount: 0, diffCount: 3, openCount: 0 })
  expect(finance.troubles()).toEqual([])
})
