import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { buildExam } from '../server/test/support/factories.ts'
import { comeIn, launchBrowser, type Visitor, visit } from './support/browser.ts'
import { windows } from './support/exam.ts'
import { type Backdoor, openBackdoor, staffPassword, tenantId } from './support/people.ts'
import { freePort, newDataDir, type RunningServer, removeData, startServer } from './support/server.ts'
import { keepSession } from './support/session.ts'

let server: RunningServer
let browser: Browser
let backdoor: Backdoor
let payer: Visitor
let finance: Visitor

/** Three fees of one sign-up and one that was paid, each named after its deadline. */
const fees = [
  { name: '第三笔', amountFen: 3_000, days: 5, state: 'due' },
  { name: '第一笔', amountFen: 1_000, days: 3, state: 'due' },
  { name: '已缴的', amountFen: 4_000, days: 2, state: 'paid' },
  { name: '第二笔', amountFen: 200_000, days: 4, state: 'due' },
] as const

beforeAll(async () => {
  const dataDir = await newDataDir()
  server = await startServer({ dataDir, port: await freePort() })
  backdoor = await openBackdoor(dataDir)
  const { examId } = await buildExam(backdoor, {
    exam: { ...windows, exam_name: '缴费测试', exam_code: 'PAY2026', year: Number(windows.sign_begin.slice(0, 4)) },
  })
  const [member] = await backdoor.addCandidates(1)
  if (member === undefined) throw new Error('no candidate')
  await backdoor.addStaff([
    { account: 'caiwu1', realName: '冯财务', roles: ['finance'] },
    { account: 'caiwu2', realName: '褚财务', roles: ['finance'] },
  ])
  await backdoor.db(async db => {
    const { id: userId } = await db.one(sql<{ id: string }>`select id::text as id from account where account = 'crowd1'`)
    const { id: signupId } = await db.one(sql<{ id: string }>`
      insert into signup (tenant_id, exam_id, user_id, code, type, unit, examine, name, id_card_mask, sign_no, sign_version)
      values (${tenantId}, ${examId}, ${userId}, 'B001', 'B', 'H01', 'passed', '王·测', '3301**********301X', '2026070000000001', 1) returning id::text as id`)
    for (const { name, amountFen, days, state } of fees)
      await db.run(sql`
        insert into exam_pay (tenant_id, exam_id, item_id, signup_id, user_id, pay_kind, pay_name, amount_fen, paid_fen, state, deadline)
        values (${tenantId}, ${examId}, ${state === 'paid' ? 0 : days}, ${signupId}, ${userId}, 3, ${name}, ${amountFen}, ${state === 'paid' ? amountFen : 0}, ${state},
          ${db.now} + make_interval(days => ${days}))`)
  })
  browser = await launchBrowser()
  payer = await visit(browser, server.url, { name: 'crowd1', screen: 'phone' })
  await keepSession(payer.context, server.url, member.token, {
    ...{ userId: '1', account: 'crowd1', realName: '王·测', nickName: '王·测', roleIds: [], roles: [], deptId: '', avatar: '' },
    ...{ tenantId, oauthId: '', userType: 2, userCode: '' },
  })
  finance = await visit(browser, server.url, { name: '冯财务', screen: 'desktop' })
  await comeIn(finance, 'caiwu1')
})
afterAll(async () => {
  await browser?.close()
  await backdoor?.close()
  await server?.stop()
  if (server) await removeData(server.dataDir)
})
beforeEach(() => {
  payer.troubles()
  finance.troubles()
})

describe('what a candidate owes', () => {
  test('[S2.13] [S4.15] [S9.16] is told after login, one notice each 300 ms after the other; they stay until they are closed', async () => {
    const { context } = payer
    const page = await context.newPage()
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
    await page.goto('/')
    await page.getByRole('link', { name: '我的', exact: true }).waitFor()
    await page.clock.pauseAt(new Date(Date.now() + 60_000))
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
    await page.close()
  })
  test('[S7.41] a payment code is cancelled, made anew, closed by finance with its reason in words, and paid', async () => {
    const { page } = payer
    await payer.open('/signup/examPay')
    const pay = page.getByRole('button', { name: '微信扫码支付' })
    const sheet = page.getByRole('dialog', { name: '微信扫码支付' })
    const code = sheet.getByRole('img', { name: '支付二维码' })
    await pay.first().click()
    await code.waitFor()
    await sheet.getByText('10.00 元').waitFor()
    await sheet.getByText(/^二维码剩余/).waitFor()
    await payer.look('pay-qr-sheet')
    await sheet.getByRole('button', { name: '取消这次支付' }).click()
    await sheet.waitFor({ state: 'detached' })
    await pay.first().click()
    await code.waitFor()

    await finance.open('/pay/payOrder')
    const orders = finance.page.getByRole('row', { name: /第一笔/ })
    await orders.getByText('已关闭').waitFor()
    const open = orders.filter({ hasText: '待支付' })
    await open.getByRole('button', { name: '关闭订单' }).click()
    await finance.page.getByRole('dialog').getByText('关闭后该二维码不能再支付').waitFor()
    await finance.page.getByRole('dialog').getByRole('button', { name: '关闭订单' }).click()
    await finance.page.getByText('订单已关闭', { exact: true }).first().waitFor()
    await orders.first().getByRole('button', { name: '查看' }).click()
    await finance.page.getByRole('dialog').getByText('手工关闭').waitFor()
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
    const dialogOf = (who: Visitor) => who.page.getByRole('dialog').last()
    const act = async (who: Visitor, name: string) => {
      const button = dueOf(who).getByRole('button', { name, exact: true })
      if (!(await button.isVisible())) await dueOf(who).getByRole('button', { name: '更多' }).click()
      await who.page
        .getByRole('button', { name, exact: true })
        .or(who.page.getByRole('menuitem', { name, exact: true }))
        .last()
        .click()
    }
    const post = async (who: Visitor, voucher: string) => {
      const dialog = dialogOf(who)
      await dialog.getByLabel('缴费时间').fill(`${windows.sign_begin.slice(0, 10)} 09:30:00`)
      await dialog.getByLabel('凭证号', { exact: true }).fill(voucher)
      await dialog.getByRole('button', { name: '登记', exact: true }).click()
    }
    await dueOf(finance).waitFor()
    await act(finance, '手工登记')
    await post(finance, 'YH-1')
    await finance.page.getByText('须由另一位财务人员再次登记相同内容后生效').waitFor()
    await dueOf(finance).getByText('待确认登记').waitFor()
  })
})
