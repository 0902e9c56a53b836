import { formatFen } from '#contract/pay/fee.ts'
import { zipOf } from '#kernel/files/write-zip.ts'

/** What a bill is made of: one trade with its payment and its refunds, times as on the wire. */
export interface BilledTrade {
  readonly orderNo: string
  readonly totalFen: number
  readonly subject: string
  readonly tradeNo?: string
  readonly paidAt?: string
  readonly refunds: readonly { readonly requestNo: string; readonly fen: number; readonly at: string }[]
}

const RATE = 0.006
const feeOf = (amountFen: number): number => Math.round(amountFen * RATE)
const TRADE_HEADER =
  '支付宝交易号,商户订单号,业务类型,商品名称,创建时间,完成时间,门店编号,门店名称,操作员,终端号,对方账户,订单金额（元）,商家实收（元）,支付宝红包（元）,集分宝（元）,支付宝优惠（元）,商家优惠（元）,券核销金额（元）,券名称,商家红包消费金额（元）,卡消费金额（元）,退款批次号/请求号,服务费（元）,分润（元）,备注'
const FUND_HEADER =
  '账务流水号,业务流水号,商户订单号,商品名称,发生时间,对方账号,收入金额（+元）,支出金额（-元）,账户余额（元）,交易渠道,业务类型,备注'

const head = (title: string, sellerId: string, date: string, list: string): string[] => [
  `#支付宝${title}查询`,
  `#账号：[${sellerId}0156]`,
  `#起始日期：[${date} 00:00:00]   终止日期：[${date} 24:00:00]`,
  `#-----------------------------------------${list}列表----------------------------------------`,
]
const foot = (list: string): string => `#-----------------------------------------${list}列表结束------------------------------------`
const signed = (fen: number): string => `${fen < 0 ? '-' : ''}${formatFen(Math.abs(fen))}`

interface Line {
  readonly at: string
  readonly trade: BilledTrade
  readonly fen: number
  readonly requestNo: string
}
const linesOf = (trades: readonly BilledTrade[], date: string): Line[] =>
  trades
    .flatMap(trade => [
      ...(trade.paidAt?.startsWith(date) ? [{ at: trade.paidAt, trade, fen: trade.totalFen, requestNo: '' }] : []),
      ...trade.refunds.flatMap(({ at, fen, requestNo }) => (at.startsWith(date) ? [{ at, trade, fen: -fen, requestNo }] : [])),
    ])
    .sort((a, b) => a.at.localeCompare(b.at))

/** The single payments and refunds of a day (业务明细). Undefined for a day without any. */
export const writeTradeBill = (trades: readonly BilledTrade[], sellerId: string, date: string): string | undefined => {
  const lines = linesOf(trades, date)
  if (lines.length === 0) return undefined
  const rows = lines.map(({ at, trade, fen, requestNo }) =>
    [
      `${trade.tradeNo}\t`,
      `${trade.orderNo}\t`,
      requestNo === '' ? '交易' : '退款',
      trade.subject,
      trade.paidAt ?? '',
      at,
      ...['', '', '', '', 'ka***@example.com'],
      signed(fen),
      signed(fen),
      ...['0.00', '0.00', '0.00', '0.00', '0.00', '', '0.00', '0.00'],
      requestNo === '' ? '' : `${requestNo}\t`,
      requestNo === '' ? signed(-feeOf(fen)) : '0.00',
      '0.00',
      '',
    ].join(','),
  )
  const total = (of: readonly Line[]): number => of.reduce((sum, { fen }) => sum + fen, 0)
  const [paid, back] = [lines.filter(line => line.requestNo === ''), lines.filter(line => line.requestNo !== '')]
  return [
    ...head('业务明细', sellerId, date, '业务明细'),
    TRADE_HEADER,
    ...rows,
    foot('业务明细'),
    `#交易合计：${paid.length}笔，商家实收共${signed(total(paid))}元，商家优惠共0.00元`,
    `#退款合计：${back.length}笔，商家实收退款共${signed(total(back))}元，商家优惠退款共0.00元`,
    `#导出时间：[${date} 09:00:00]`,
    '',
  ].join('\r\n')
}

/** The single movements of the account on a day (账务明细): payments in, refunds out, and the fee of each payment out. */
export const writeFundBill = (trades: readonly BilledTrade[], sellerId: string, date: string): string | undefined => {
  const lines = linesOf(trades, date)
  if (lines.length === 0) return undefined
  const flows = lines.flatMap(line =>
    line.requestNo === ''
      ? [
          { ...line, kind: '在线支付' },
          { ...line, kind: '收费', fen: -feeOf(line.fen) },
        ]
      : [{ ...line, kind: '交易退款' }],
  )
  let balance = 0
  const rows = flows.map(({ at, trade, fen, kind }, index) => {
    balance += fen
    const amounts = [formatFen(Math.max(0, fen)), signed(Math.min(0, fen)), signed(balance)]
    return [`${index + 1}\t`, `${trade.tradeNo}\t`, `${trade.orderNo}\t`, trade.subject, at, '', ...amounts, '支付宝', kind, ''].join(',')
  })
  const [came, went] = [flows.filter(flow => flow.fen > 0), flows.filter(flow => flow.fen < 0)]
  const total = (of: readonly { readonly fen: number }[]): number => of.reduce((sum, { fen }) => sum + fen, 0)
  return [
    ...head('账务明细', sellerId, date, '账务明细'),
    FUND_HEADER,
    ...rows,
    foot('账务明细'),
    `#支出合计：${went.length}笔，共${signed(total(went))}元`,
    `#收入合计：${came.length}笔，共${signed(total(came))}元`,
    `#导出时间：[${date} 09:00:00]`,
    '',
  ].join('\r\n')
}

/** Bytes of each character that GBK writes with two. */
let twoBytes: ReadonlyMap<string, readonly [number, number]> | undefined
const gbkTable = (): ReadonlyMap<string, readonly [number, number]> => {
  const table = new Map<string, readonly [number, number]>()
  const decoder = new TextDecoder('gbk')
  for (let first = 0x81; first <= 0xfe; first += 1)
    for (let second = 0x40; second <= 0xfe; second += 1) {
      const text = decoder.decode(new Uint8Array([first, second]))
      if (text.length === 1 && text !== '\uFFFD') table.set(text, [first, second])
    }
  return table
}
const toGbk = (text: string): Buffer => {
  twoBytes ??= gbkTable()
  const table = twoBytes
  return Buffer.from([...text].flatMap(char => (char.charCodeAt(0) < 0x80 ? [char.charCodeAt(0)] : (table.get(char) ?? [0x3f]))))
}

/** The archive that is handed out: the sheet, and beside it the sums by shop, in the provider's character set. */
export const packBill = (kind: 'trade' | 'fund', sellerId: string, date: string, text: string): Promise<Buffer> => {
  const title = kind === 'trade' ? '业务' : '账务'
  const name = `${sellerId}0156_${date.replaceAll('-', '')}_${title}明细`
  return zipOf({
    [`${name}(汇总).csv`]: toGbk(`#支付宝${title}汇总查询\r\n#账号：[${sellerId}0156]\r\n`),
    [`${name}.csv`]: toGbk(text),
  })
}
