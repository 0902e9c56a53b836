import { yuanToFen } from '#contract/pay/fee.ts'
import type { FundBill, TradeBill, TradeBillRow } from './provider.ts'

/** First lines of the two sheets that are read; the archives hold sums by shop beside them. */
export const TRADE_SHEET = '#支付宝业务明细查询'
export const FUND_SHEET = '#支付宝账务明细查询'

const TRADE_COLUMNS = {
  transactionId: '支付宝交易号',
  orderNo: '商户订单号',
  kind: '业务类型',
  subject: '商品名称',
  finishedAt: '完成时间',
  amount: '订单金额（元）',
  received: '商家实收（元）',
  refundNo: '退款批次号/请求号',
  serviceFee: '服务费（元）',
} as const
const FUND_COLUMNS = { kind: '业务类型', subject: '商品名称', income: '收入金额（+元）', expense: '支出金额（-元）' } as const

class BillError extends Error {
  constructor(detail: string) {
    super(`bill of Alipay: ${detail}`)
    this.name = 'BillError'
  }
}

/** Amounts carry their direction as a sign; what is asked for is how much it is. */
const fen = (text: string): number => {
  const amountFen = yuanToFen(text === '' ? '0' : text.replace(/^[+-]/, ''))
  if (amountFen === undefined) throw new BillError(`not an amount in yuan: ${text}`)
  return amountFen
}
const instant = (text: string): Date => {
  if (!/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/.test(text)) throw new BillError(`not a time: ${text}`)
  return new Date(`${text.replace(' ', 'T')}+08:00`)
}
const sumOf = <T>(rows: readonly T[], of: (row: T) => number): number => rows.reduce((sum, row) => sum + of(row), 0)

/** Nothing is quoted: commas too many belong to the name of what was sold, the only column that people write. */
const splitRow = (line: string, titles: readonly string[]): readonly string[] => {
  const fields = line.split(',').map(field => field.trim())
  const tooMany = fields.length - titles.length
  if (tooMany < 0) throw new BillError(`${fields.length} fields where the header has ${titles.length}`)
  const at = titles.indexOf(TRADE_COLUMNS.subject)
  return tooMany === 0 ? fields : [...fields.slice(0, at), fields.slice(at, at + tooMany + 1).join(','), ...fields.slice(at + tooMany + 1)]
}

interface Sheet<K extends string> {
  /** Who is paid, from the head of the sheet. */
  readonly sellerId: string
  readonly rows: readonly Record<K, string>[]
  /** What the foot of the sheet says after these words: how many, and how much. */
  readonly total: (words: string) => { readonly count: number; readonly fen: number }
}
/** The lines of a sheet: remarks that begin with `#`, and between two of them the titles and the rows. */
const readSheet = <K extends string>(text: string, wanted: Readonly<Record<K, string>>): Sheet<K> => {
  const lines = text.split(/\r?\n/).filter(line => line.trim() !== '')
  const remarks = lines.filter(line => line.startsWith('#')).join('\n')
  const [header, ...body] = lines.filter(line => !line.startsWith('#'))
  if (header === undefined) throw new BillError('the titles are missing')
  const titles = header.split(',').map(title => title.trim())
  const places = Object.entries<string>(wanted).map(([key, title]) => [key, titles.indexOf(title)] as const)
  for (const [key, place] of places) if (place < 0) throw new BillError(`column ${wanted[key as K]} is missing`)
  const sellerId = /^#账号：\[(2088\d{12})\d*\]/m.exec(remarks)?.[1]
  if (sellerId === undefined) throw new BillError('the account is missing')
  return {
    sellerId,
    rows: body.map(line => {
      const fields = splitRow(line, titles)
      return Object.fromEntries(places.map(([key, place]) => [key, fields[place] ?? ''])) as Record<K, string>
    }),
    total: words => {
      const said = new RegExp(`^#${words}：(\\d+)笔，\\D*?共(-?[\\d.]+)元`, 'm').exec(remarks)
      if (said === null) throw new BillError(`the total ${words} is missing`)
      return { count: Number(said[1]), fen: fen(said[2] ?? '') }
    },
  }
}

const parseRow = (
  row: Record<keyof typeof TRADE_COLUMNS, string>,
  own: { readonly mchid: string; readonly appid: string },
): TradeBillRow => {
  const isRefund = row.kind === '退款'
  if (!isRefund && row.kind !== '交易') throw new BillError(`unknown kind ${row.kind}`)
  return {
    kind: isRefund ? 'refund' : 'pay',
    tradeTime: instant(row.finishedAt),
    orderNo: row.orderNo,
    transactionId: row.transactionId,
    ...own,
    currency: 'CNY',
    amountFen: isRefund ? 0 : fen(row.amount),
    refundFen: isRefund ? fen(row.amount) : 0,
    // Alipay's refunds have come through when they are in its bill.
    ...(isRefund ? { refundNo: row.refundNo, providerRefundId: row.refundNo, refundStatus: 'SUCCESS' } : {}),
    serviceFeeText: row.serviceFee.replace(/^[+-]/, ''),
    attach: '',
  }
}

/**
 * Reads the sheet of single payments and refunds (业务明细).
 *
 * @param appid - of the application that asks; the sheet names the account alone
 * @throws when a column is missing, a field is not what its title says, or the totals at its foot differ from the rows
 * @see https://opendocs.alipay.com/open/204/106262
 */
export const parseAlipayTradeBill = (date: string, text: string, appid: string): TradeBill => {
  const { rows: lines, sellerId, total } = readSheet(text, TRADE_COLUMNS)
  const rows = lines.map(line => parseRow(line, { mchid: sellerId, appid }))
  for (const [words, kind] of [
    ['交易合计', '交易'],
    ['退款合计', '退款'],
  ] as const) {
    const said = total(words)
    const own = lines.filter(line => line.kind === kind)
    const counted = { count: own.length, fen: sumOf(own, line => fen(line.received)) }
    if (said.count !== counted.count || said.fen !== counted.fen)
      throw new BillError(`${words} says ${said.count}, ${said.fen}; the rows say ${counted.count}, ${counted.fen}`)
  }
  const summary = { count: rows.length, amountFen: sumOf(rows, row => row.amountFen), refundFen: sumOf(rows, row => row.refundFen) }
  return { date, rows, summary }
}

const TRADE_KINDS = ['在线支付', '交易付款']
const REFUND_KINDS = ['交易退款', '退款']
const FEE_KINDS = ['收费', '服务费', '退费']

/** Reads the sheet of single movements of the account (账务明细). What is neither trade nor fee, as money that was paid out to the bank, is in none of the sums. */
export const parseAlipayFundBill = (text: string): FundBill => {
  const { rows, total } = readSheet(text, FUND_COLUMNS)
  const [came, went] = [rows.filter(row => fen(row.income) > 0), rows.filter(row => fen(row.expense) > 0)]
  const income = (of: readonly string[]): number => sumOf(came, row => (of.includes(row.kind) ? fen(row.income) : 0))
  const expense = (of: readonly string[]): number => sumOf(went, row => (of.includes(row.kind) ? fen(row.expense) : 0))
  const [saidIn, saidOut] = [total('收入合计'), total('支出合计')]
  const [allIn, allOut] = [sumOf(came, row => fen(row.income)), sumOf(went, row => fen(row.expense))]
  if (saidIn.count !== came.length || saidIn.fen !== allIn || saidOut.count !== went.length || saidOut.fen !== allOut)
    throw new BillError('the totals of the account differ from its rows')
  return { inFen: income(TRADE_KINDS), outFen: expense(REFUND_KINDS), feeFen: expense(FEE_KINDS) - income(FEE_KINDS) }
}
