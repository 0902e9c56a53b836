import type { Book } from './book.ts'
import type { EmulatorOrder } from './records.ts'
import { shanghaiDate, shanghaiTime } from './time.ts'

const HEADER =
  '交易时间,公众账号ID,商户号,特约商户号,设备号,微信订单号,商户订单号,用户标识,交易类型,交易状态,付款银行,货币种类,应结订单金额,代金券金额,微信退款单号,商户退款单号,退款金额,充值券退款金额,退款类型,退款状态,商品名称,商户数据包,手续费,费率,订单金额,申请退款金额,费率备注'
const SUMMARY_HEADER = '总交易单数,应结订单总金额,退款总金额,充值券退款总金额,手续费总金额,订单总金额,申请退款总金额'

const RATE = 0.006

const yuan = (amountFen: number): string => `${Math.trunc(amountFen / 100)}.${String(amountFen % 100).padStart(2, '0')}`
const fee = (amountFen: number): string => ((amountFen * RATE) / 100).toFixed(5)

const row = (fields: readonly (string | number)[]): string => fields.map(field => `\`${String(field).replace(/[`\r\n]/g, ' ')}`).join(',')

type Line = { readonly at: Date; readonly text: string; readonly amountFen: number; readonly refundFen: number }

const head = (order: EmulatorOrder, at: Date, state: string): (string | number)[] => [
  ...[shanghaiTime(at), order.appid, order.mchid, '0', '', order.transactionId ?? '', order.orderNo, order.openid ?? ''],
  ...['NATIVE', state, 'OTHERS', 'CNY'],
]

const payLine = (order: EmulatorOrder, at: Date): Line => {
  const amount = yuan(order.totalFen)
  const middle = [amount, '0.00', '0', '0', '0.00', '0.00', '', '', order.description, order.attach]
  const text = row([...head(order, at, 'SUCCESS'), ...middle, fee(order.totalFen), '0.60%', amount, '0.00', ''])
  return { at, text, amountFen: order.totalFen, refundFen: 0 }
}

/**
 * The trade bill of one merchant and day: payments by their success, refunds by theirs. Undefined for a day without trade.
 *
 * @param date - `yyyy-MM-dd` in Asia/Shanghai
 */
export const writeTradeBill = (book: Book, mchid: string, date: string): string | undefined => {
  const lines: Line[] = []
  for (const order of book.orders) {
    if (order.mchid !== mchid || order.successAt === undefined) continue
    const paidAt = new Date(order.successAt)
    if (shanghaiDate(paidAt) === date) lines.push(payLine(order, paidAt))
    for (const refund of book.refundsOf(order)) {
      const at = refund.successAt === undefined ? undefined : new Date(refund.successAt)
      if (at === undefined || shanghaiDate(at) !== date) continue
      const amount = yuan(refund.refundFen)
      const middle = [
        '0.00',
        '0.00',
        refund.refundId,
        refund.refundNo,
        amount,
        '0.00',
        'ORIGINAL',
        'SUCCESS',
        order.description,
        order.attach,
      ]
      const text = row([...head(order, at, 'REFUND'), ...middle, `-${fee(refund.refundFen)}`, '0.60%', '0.00', amount, ''])
      lines.push({ at, text, amountFen: 0, refundFen: refund.refundFen })
    }
  }
  if (lines.length === 0) return undefined
  lines.sort((left, right) => left.at.getTime() - right.at.getTime())
  const amountFen = lines.reduce((sum, line) => sum + line.amountFen, 0)
  const refundFen = lines.reduce((sum, line) => sum + line.refundFen, 0)
  const totals = [
    lines.length,
    yuan(amountFen),
    yuan(refundFen),
    '0.00',
    fee(Math.max(0, amountFen - refundFen)),
    yuan(amountFen),
    yuan(refundFen),
  ]
  return [HEADER, ...lines.map(line => line.text), SUMMARY_HEADER, row(totals), ''].join('\r\n')
}
