import { beforeAll, beforeEach, expect, test } from 'vitest'
import { comeIn, type Visitor } from './support/browser.ts'
import { openDues } from './support/dues.ts'
import { windows } from './support/exam.ts'
import { staffPassword } from './support/people.ts'
import { actOn } from './support/screen.ts'

const dues = openDues()
let payer: Visitor
beforeAll(async () => {
  payer = await dues.comeAs('owing')
})
beforeEach(() => {
  payer.troubles()
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

  await dues.finance.open('/pay/payOrder')
  const orders = dues.finance.page.getByRole('row', { name: /王·测/ })
  await orders.getByText('已关闭').waitFor()
  const open = orders.filter({ hasText: '待支付' })
  await actOn(open, '关闭订单')
  await dues.finance.page.getByRole('dialog').getByText('关闭后该二维码不能再支付').waitFor()
  await dues.finance.page.getByRole('dialog').getByRole('button', { name: '关闭订单' }).click()
  await dues.finance.page.getByText('订单已关闭', { exact: true }).first().waitFor()
  await actOn(orders.first(), '查看')
  // An order is a page: its state, what happened to it and why it was closed.
  await dues.finance.page.waitForURL(/\/pay\/payOrder\/\d+$/)
  await dues.finance.page.getByText('手工关闭').waitFor()
  await dues.finance.page.locator('.timeline').getByText('订单关闭').waitFor()
  await dues.finance.look('order-closed')

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
  const stored = await dues.finance.ask('/blade-payOrder/payorder/list', { current: 1, size: 10 })
  expect(stored.records.map((row: { state: number; closeReason: string | null }) => [row.state, row.closeReason])).toEqual([
    [2, null],
    [3, 'closePayOrder'],
    [3, 'closePayOrder'],
  ])
  expect([...payer.troubles(), ...dues.finance.troubles()]).toEqual([])
})

test('[S7.41] a large sum is posted by two people, found by what it waits for, and goes back by hand', async () => {
  const second = await dues.come('褚财务')
  await comeIn(second, 'caiwu2', staffPassword, '/pay/examPay')
  await dues.finance.open('/pay/examPay')
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
  await act(dues.finance, '手工登记')
  await post(dues.finance, 'YH-1')
  await dues.finance.page.getByText('须由另一位财务人员再次登记相同内容后生效').waitFor()
  await dueOf(dues.finance).getByText('待确认登记').waitFor()

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

  await dues.finance.open('/pay/examPay')
  await act(dues.finance, '申请退费')
  await dialogOf(dues.finance).getByText('这笔费用是线下缴纳的').waitFor()
  await press(dues.finance, '提交申请')
  await dueOf(dues.finance).getByText('待审批退费').waitFor()
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
  expect([...dues.finance.troubles(), ...second.troubles()]).toEqual([])
  await second.context.close()
})
