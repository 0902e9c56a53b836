import { type Label, type Language, label } from '#contract/kernel/label.ts'
import { toWireTime } from '#contract/kernel/when.ts'
import { formatFen } from '#contract/pay/fee.ts'
import { isAlipayCode } from '../alipay-emulator/emulator.ts'
import { isNontaxCode } from '../nontax-emulator/emulator.ts'
import type { PersonView } from '../wxpay-emulator/emulator.ts'
import { html, page } from './html.ts'

const texts = {
  title: label('模拟微信支付', 'WeChat Pay emulator'),
  alipay: label('模拟支付宝', 'Alipay emulator'),
  nontax: label('模拟非税缴款平台', 'Non-tax platform emulator'),
  payCode: label('缴款码', 'Payment number'),
  hint: label('这是演示环境的模拟付款页，不会产生真实扣款。', 'A stand-in for the phone that scans the code. No real money moves.'),
  unknown: label('没有找到这个付款码对应的订单。', 'No order belongs to this code.'),
  what: label('商品', 'For'),
  orderNo: label('商户单号', 'Order number'),
  merchant: label('商户号', 'Merchant'),
  until: label('有效期至', 'Valid until'),
  paidAt: label('支付时间', 'Paid at'),
  transaction: label('交易单号', 'Transaction number'),
  pay: label('支付', 'Pay'),
  back: label('支付结果会通知到系统，可以关闭本页。', 'The result is sent to the system; you can close this page.'),
} satisfies Readonly<Record<string, Label>>

const stateText: Readonly<Record<PersonView['state'], Label>> = {
  waiting: label('待支付', 'Waiting for payment'),
  paid: label('支付成功', 'Paid'),
  closed: label('订单已关闭', 'The order is closed'),
  expired: label('付款码已过期', 'The code has expired'),
}

/** What the payer's phone would show: amount, purpose, and a button while the order can be paid. */
export const wxpayPage = (order: PersonView | undefined, codeUrl: string, language: Language): string => {
  const t = (name: keyof typeof texts): string => texts[name][language]
  const fact = (name: string, value: string | undefined) => value !== undefined && html`<dt>${name}</dt><dd>${value}</dd>`
  const body =
    order === undefined
      ? html`<div class="card"><p class="warn" role="status">${t('unknown')}</p></div>`
      : html`<div class="card">
          <p class="amount">¥ ${formatFen(order.amountFen)}</p>
          <p class="${order.state === 'paid' ? 'good' : order.state === 'waiting' ? 'soft' : 'warn'}" role="status">${stateText[order.state][language]}</p>
          <dl>${[
            fact(t('what'), order.description),
            fact(t(isNontaxCode(codeUrl) ? 'payCode' : 'orderNo'), order.orderNo),
            fact(t('merchant'), order.mchid),
            order.state === 'waiting' && fact(t('until'), toWireTime(order.expiresAt)),
            fact(t('paidAt'), order.paidAt && toWireTime(order.paidAt)),
            fact(t('transaction'), order.transactionId),
          ]}</dl>
          ${order.state === 'waiting' && html`<form method="post" action="/demo/wxpay"><input type="hidden" name="code_url" value="${codeUrl}"><input type="hidden" name="lang" value="${language}"><button type="submit">${t('pay')}</button></form>`}
          ${order.state === 'paid' && html`<p>${t('back')}</p>`}
        </div>`
  return page({
    title: t(isNontaxCode(codeUrl) ? 'nontax' : isAlipayCode(codeUrl) ? 'alipay' : 'title'),
    language,
    body: html`${body}<p class="soft">${t('hint')}</p>`,
  })
}
