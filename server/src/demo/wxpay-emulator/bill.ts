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
  ...[order.tradeType ?? 'NATIVE', state, 'OTHERS', 'CNY'],
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

const FUND_HEADER =
  '记账时间,微信支付业务单号,资金流水单号,业务名称,业务类型,收支类型,收支金额（元）,账户结余（元）,资金变更提交申请人,备注,业务凭证号'
const FUND_SUMMARY_HEADER = '资金流水总笔数,收入笔数,收入金额,支出笔数,支出金额'

/**
 * What a day has moved on the account of one merchant: payments in, refunds out, and the fee of each payment out. Undefined for a day without any.
 *
 * @param date - `yyyy-MM-dd` in Asia/Shanghai
 */
export const writeFundBill = (book: Book, mchid: string, date: string): string | undefined => {
  type Flow = {
    readonly at: Date
    readonly number: string
    readonly name: string
    readonly kind: string
    readonly fen: number
    readonly note: string
  }
  const flows: Flow[] = []
  const isOn = (text: string | undefined): boolean => text !== undefined && shanghaiDate(new Date(text)) === date
  for (const order of book.orders) {
    if (order.mchid !== mchid || order.successAt === undefined) continue
    const at = new Date(order.successAt)
    const of = { at, number: order.transactionId ?? '', note: order.orderNo }
    if (isOn(order.successAt)) {
      flows.push({ ...of, name: '交易', kind: '交易', fen: order.totalFen })
      flows.push({ ...of, name: '扣除交易手续费', kind: '扣除交易手续费', fen: -Math.round(order.totalFen * RATE) })
    }
    for (const refund of book.refundsOf(order))
      if (refund.successAt !== undefined && isOn(refund.successAt))
        flows.push({
          at: new Date(refund.successAt),
          number: refund.refundId,
          name: '退款',
          kind: '退款',
          fen: -refund.refundFen,
          note: refund.refundNo,
        })
  }
  if (flows.length === 0) return undefined
  flows.sort((left, right) => left.at.getTime() - right.at.getTime())
  let balance = 0
  const lines = flows.map(flow => {
    balance += flow.fen
    const direction = flow.fen < 0 ? '支出' : '收入'
    const left = `${balance < 0 ? '-' : ''}${yuan(Math.abs(balance))}`
    return row([
      shanghaiTime(flow.at),
      flow.number,
      flow.number,
      flow.name,
      flow.kind,
      direction,
      yuan(Math.abs(flow.fen)),
      left,
      'system',
      '',
      flow.note,
    ])
  })
  const [came, went] = [flows.filter(flow => flow.fen >= 0), flows.filter(flow => flow.fen < 0)]
  const sum = (of: readonly Flow[]): string => yuan(Math.abs(of.reduce((fen, flow) => fen + flow.fen, 0)))
  return [FUND_HEADER, ...lines, FUND_SUMMARY_HEADER, row([flows.length, came.length, sum(came), went.length, sum(went)]), ''].join('\r\n')
}
