import { yuanToFen } from '#contract/pay/fee.ts'
import type { FundBill, TradeBill, TradeBillRow } from './provider.ts'

/** Our names for the columns we read; the provider's sheet has more, and adds some over the years. */
const COLUMNS = {
  tradeTime: '交易时间',
  appid: '公众账号ID',
  mchid: '商户号',
  transactionId: '微信订单号',
  orderNo: '商户订单号',
  tradeState: '交易状态',
  currency: '货币种类',
  providerRefundId: '微信退款单号',
  refundNo: '商户退款单号',
  refundStatus: '退款状态',
  attach: '商户数据包',
  serviceFee: '手续费',
  amount: '订单金额',
  refundAmount: '申请退款金额',
} as const
const SUMMARY_COLUMNS = { count: '总交易单数', amount: '订单总金额', refundAmount: '申请退款总金额' } as const

const KINDS: Readonly<Record<string, TradeBillRow['kind']>> = { SUCCESS: 'pay', REFUND: 'refund', REVOKED: 'revoked' }

const ORDER_TIME = /^(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2}:\d{2})$/

class BillError extends Error {
  constructor(detail: string) {
    super(`trade bill: ${detail}`)
    this.name = 'BillError'
  }
}

/** Rows begin with a back quote and so does every field: commas inside a field do not split it. */
const splitRow = (line: string): string[] =>
  line
    .replace(/^`/, '')
    .split(',`')
    .map(field => field.trim())

const columnReader = <K extends string>(header: string, wanted: Readonly<Record<K, string>>) => {
  const titles = header.split(',').map(title => title.trim())
  const places = new Map(Object.entries<string>(wanted).map(([key, title]) => [key, titles.indexOf(title)]))
  for (const [key, place] of places) if (place < 0) throw new BillError(`column ${wanted[key as K]} is missing`)
  return (line: string): Record<K, string> => {
    const fields = splitRow(line)
    if (fields.length !== titles.length) throw new BillError(`${fields.length} fields where the header has ${titles.length}`)
    return Object.fromEntries([...places].map(([key, place]) => [key, fields[place] ?? ''])) as Record<K, string>
  }
}

const fen = (text: string): number => {
  const amountFen = yuanToFen(text === '' ? '0' : text)
  if (amountFen === undefined) throw new BillError(`not an amount in yuan: ${text}`)
  return amountFen
}

const instant = (text: string): Date => {
  const match = ORDER_TIME.exec(text)
  if (match === null) throw new BillError(`not a time: ${text}`)
  return new Date(`${match[1]}T${match[2]}+08:00`)
}

const parseRow = (row: Record<keyof typeof COLUMNS, string>): TradeBillRow => {
  const kind = KINDS[row.tradeState]
  if (kind === undefined) throw new BillError(`unknown trade state ${row.tradeState}`)
  const refund = kind === 'pay' ? {} : { refundNo: row.refundNo, providerRefundId: row.providerRefundId, refundStatus: row.refundStatus }
  return {
    kind,
    tradeTime: instant(row.tradeTime),
    orderNo: row.orderNo,
    transactionId: row.transactionId,
    mchid: row.mchid,
    appid: row.appid,
    currency: row.currency,
    amountFen: fen(row.amount),
    refundFen: fen(row.refundAmount),
    ...refund,
    serviceFeeText: row.serviceFee,
    attach: row.attach,
  }
}

/** The lines of a bill by our names of its columns: header, rows, summary header, summary row. */
const readSheet = <K extends string, S extends string>(
  text: string,
  columns: Readonly<Record<K, string>>,
  summary: Readonly<Record<S, string>>,
): { readonly rows: readonly Record<K, string>[]; readonly totals: Record<S, string> } => {
  const lines = text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .filter(line => line.trim() !== '')
  const summaryAt = lines.findIndex((line, index) => index > 0 && !line.startsWith('`'))
  const [header, summaryHeader, summaryLine] = [lines[0], lines[summaryAt], lines[summaryAt + 1]]
  if (header === undefined || summaryAt < 0 || summaryHeader === undefined || summaryLine === undefined)
    throw new BillError('the summary is missing')
  const readRow = columnReader(header, columns)
  return { rows: lines.slice(1, summaryAt).map(readRow), totals: columnReader(summaryHeader, summary)(summaryLine) }
}

/**
 * Reads the text of a trade bill (type ALL or SUCCESS or REFUND): header, rows, summary header, summary row.
 *
 * @throws when a column is missing, a field is not what its title says, or the summary differs from the rows: a bill that was
 *   cut short must not look like a day with less trade
 */
export const parseTradeBill = (date: string, text: string): TradeBill => {
  const sheet = readSheet(text, COLUMNS, SUMMARY_COLUMNS)
  const { totals } = sheet
  const rows = sheet.rows.map(parseRow)
  const summary = { count: Number(totals.count), amountFen: fen(totals.amount), refundFen: fen(totals.refundAmount) }
  const counted = {
    count: rows.length,
    amountFen: rows.reduce((sum, row) => sum + row.amountFen, 0),
    refundFen: rows.reduce((sum, row) => sum + row.refundFen, 0),
  }
  for (const key of ['count', 'amountFen', 'refundFen'] as const)
    if (summary[key] !== counted[key]) throw new BillError(`the summary says ${key} ${summary[key]}, the rows say ${counted[key]}`)
  return { date, rows, summary }
}

const FUND_COLUMNS = { number: '微信支付业务单号', kind: '业务类型', direction: '收支类型', amount: '收支金额（元）' } as const
const FUND_SUMMARY = { count: '资金流水总笔数', inAmount: '收入金额', outAmount: '支出金额' } as const

/**
 * Reads the text of a fund flow bill: header, movements, summary header, summary row. Movements in and out are compared with the provider's own totals.
 *
 * @see https://pay.weixin.qq.com/doc/v3/merchant/4012791861
 */
export const parseFundBill = (text: string): FundBill => {
  const { rows, totals } = readSheet(text, FUND_COLUMNS, FUND_SUMMARY)
  const sum = (of: (row: Record<keyof typeof FUND_COLUMNS, string>) => boolean): number =>
    rows.filter(of).reduce((fenSum, row) => fenSum + fen(row.amount), 0)
  const [inFen, outFen] = [sum(row => row.direction === '收入'), sum(row => row.direction === '支出')]
  if (Number(totals.count) !== rows.length || fen(totals.inAmount) !== inFen || fen(totals.outAmount) !== outFen)
    throw new BillError('the summary of the fund bill differs from its rows')
  const trade = sum(row => row.direction === '收入' && row.kind === '交易')
  const back = sum(row => row.direction === '支出' && row.kind === '退款')
  return { inFen: trade, outFen: back, feeFen: outFen - back - (inFen - trade) }
}

/** What a day without a single trade looks like; the provider has no file for it. */
export const emptyBill = (date: string): TradeBill => ({ date, rows: [], summary: { count: 0, amountFen: 0, refundFen: 0 } })
