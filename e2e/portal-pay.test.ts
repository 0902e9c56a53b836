import { describe, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { openDues } from './support/dues.ts'
import { actOn } from './support/screen.ts'
import { ownTenant } from './support/tenant.ts'

const dues = openDues()

describe('what a candidate owes', () => {
  test('[S2.13] [S4.15] [S9.16] is told after login, one notice each 300 ms after the other; they stay until they are closed', async () => {
    // Its clock stands still for a whole browser context: not that of the tests below.
    const reader = await dues.comeAs('owing')
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
  test('[19.9][19.10] a refund says that the place is lost, is the headline of home, bars the ticket, and can be taken back', async () => {
    const asker = await dues.comeAs('paid')
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
  const inside = await dues.comeAs('owing', 'inApp')
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
  const [{ name }] = (await dues.finance.ask('/blade-payOrder/payorder/list', { current: 1, size: 1 })).records
  expect(await title.inputValue()).toBe(name)
  await title.fill('')
  await page.getByRole('button', { name: '申请票据' }).click()
  await page.getByText('请填写票据抬头').waitFor()
  await title.fill('王·测')
  await page.getByRole('button', { name: '申请票据' }).click()
  await page.getByText('已申请，开具后会显示在这里').waitFor()
  const [order] = (await dues.finance.ask('/blade-payOrder/payorder/list', { current: 1, size: 1 })).records
  expect(order).toMatchObject({ payName: '第三笔', state: 2, tradeType: 'JSAPI', isInvoice: 2 })
  expect(inside.troubles()).toEqual([])
  await inside.context.close()
})

test('[29.5] a refund goes its way from the request to the bank, and whoever asked sees each step', async () => {
  const asker = await dues.comeAs('owing')
  const { page } = asker
  await asker.open('/signup/examPay')
  const due = page.getByRole('article').filter({ hasText: '第三笔' })
  await due.getByRole('button', { name: '申请退费' }).tap()
  const sheet = page.getByRole('dialog', { name: '申请退费' })
  await sheet.getByText(/^退回 30.00 元，批准后原路退回原支付账户/).waitFor()
  await sheet.getByRole('textbox').fill('不再参加')
  await sheet.getByRole('button', { name: '申请退费' }).tap()
  await due.getByText(/退费申请待审批/).waitFor()

  await dues.finance.open('/pay/payRefund')
  const row = dues.finance.page.getByRole('row', { name: /第三笔/ })
  await row.getByRole('checkbox').check()
  await dues.finance.page.getByRole('button', { name: '批量批准' }).click()
  await dues.finance.page.getByRole('dialog').getByRole('button', { name: '批量批准' }).click()
  await dues.finance.page.getByText('已批准 1 笔').first().waitFor()

  await page.goto(`${dues.server.url}/signup/examPay`)
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
  const [refund] = (await dues.finance.ask('/blade-payRefund/payrefund/list', { current: 1, size: 1 })).records
  expect(refund).toMatchObject({ payName: '第三笔', amount: 3_000, state: 2, remark: '不再参加' })
  expect([...asker.troubles(), ...dues.finance.troubles()]).toEqual([])
  await asker.context.close()
})

test('[29.4] [12.2.9] a day with three differences explains itself, is settled by a clerk and closes', async () => {
  const { account } = await dues.finance.ask('/blade-exam/examination/getPayAccount')
  const day = new Date(Date.now() - 2 * 24 * 60 * 60_000 + 8 * 60 * 60_000).toISOString().slice(0, 10)
  await dues.backdoor.db(async db => {
    await db.run(sql`
      insert into pay_order (tenant_id, order_no, pay_id, user_id, amount_fen, description, state, expire_time, transaction_id, success_time, paid_fen, mchid, appid)
      select ${ownTenant()}, 'E2607000000000LOST00000' || n, p.id, p.user_id, 10000, '费', 'paid', ${db.now}, 'LOST' || n,
        (${`${day} 10:00:00`}::timestamp at time zone 'Asia/Shanghai') + n * interval '1 hour', 10000, ${account.mchid}, 'wx'
      from generate_series(1, 3) n cross join lateral (select id, user_id from exam_pay where tenant_id = ${ownTenant()} order by id limit 1) p`)
  })
  const { page } = dues.finance
  await dues.finance.open('/pay/reconciliation')
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
  await dues.finance.look('day-differences')
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
  await dues.finance.look('day-settled')
  await page.keyboard.press('Escape')
  await row.getByText('差异已处理').waitFor()
  const [stored] = (await dues.finance.ask('/blade-reconciliation/reconciliation/list', { billDate_ge: day, current: 1, size: 10 })).records
  expect(stored).toMatchObject({ billDate: day, state: 3, ourCount: 3, billCount: 0, diffCount: 3, openCount: 0 })
  expect(dues.finance.troubles()).toEqual([])
})
