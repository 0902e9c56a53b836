import { dateDoubts, dateProblem, examBegan, startOfDay } from '#contract/kernel/date-facts.ts'
import type { Label } from '#contract/kernel/label.ts'
import { fromWireTime, toWireDay } from '#contract/kernel/when.ts'
import { formatFen } from '#contract/pay/fee.ts'
import { numberKey } from '#contract/pay/numbers.ts'
import type { PayWay } from '#contract/pay/order.state.ts'
import { failRepeated, type HeaderSpec, type RowReader, requiredReason } from '#modules/transfer/index.ts'
import type { OpenDue, Payer } from '../data/import.repo.ts'
import { readAmount, readPayer, readShort } from './sheet.ts'

/** The columns of template T7b (domain 5.9). */
export const paymentColumns = {
  idCard: { header: '证件号码', required: true, kind: 'code' },
  name: { header: '姓名', required: true },
  payName: { header: '费用名称', required: false },
  amount: { header: '实缴金额(元)', required: true, kind: 'number' },
  paidTime: { header: '缴费时间', required: true, kind: 'moment' },
  payWay: { header: '缴费方式(转账/现金/POS/单位代缴)', required: true },
  voucherNo: { header: '凭证号', required: true, kind: 'code' },
  remark: { header: '备注', required: false, lines: true },
} as const satisfies Record<string, HeaderSpec>

type OfflineWay = Exclude<PayWay, 'wechat' | 'alipay' | 'nontax'>
const ways: Readonly<Record<string, OfflineWay>> = {
  转账: 'bankTransfer',
  银行转账: 'bankTransfer',
  现金: 'cash',
  POS: 'cash',
  '现金/POS': 'cash',
  单位代缴: 'unit',
}

export interface PaymentInput {
  readonly payId: string
  readonly amountFen: number
  readonly paidTime: Date
  readonly payWay: OfflineWay
  readonly voucherNo: string
  readonly remark: string
}

type Reader = RowReader<keyof typeof paymentColumns>

/** What the rows of a file are judged by; the two maps gather what was paid and used in the file itself. */
export interface PaymentFacts {
  /** By id number as it stands in the file. */
  readonly payers: ReadonlyMap<string, Payer>
  /** By sign-up. */
  readonly dues: ReadonlyMap<string, readonly OpenDue[]>
  readonly usedVouchers: ReadonlySet<string>
  /** Above it two people post a payment one by one. */
  readonly limitFen: number
  readonly now: Date
  readonly exam: Parameters<typeof examBegan>[0] | undefined
  readonly paid: Map<string, number>
  readonly vouchers: Map<string, number>
}

/** The one due of this person that the row is for. */
const readDue = (reader: Reader, payer: Payer | undefined, dues: PaymentFacts['dues']): OpenDue | undefined => {
  const payName = readShort(reader, 'payName', '费用名称', 60)
  if (payer === undefined) return undefined
  const own = dues.get(payer.signupId) ?? []
  const fitting = payName === '' ? own : own.filter(due => due.payName === payName)
  const names = (of: readonly OpenDue[], between: string): string => of.map(due => due.payName).join(between)
  if (own.length === 0) reader.fail('idCard', 'nothing-owed', { zh: '此人没有待缴的费用', en: 'This person owes nothing' })
  else if (fitting.length === 0) {
    const there = names(own, '、')
    reader.fail('payName', 'unknown-fee', { zh: `没有此名称的待缴费用，现有: ${there}`, en: `No such fee is owed; there is: ${there}` })
  } else if (fitting.length > 1)
    reader.fail('payName', 'many-fees', {
      zh: `有多笔待缴，请填费用名称: ${names(fitting, '、')}`,
      en: `Several fees are owed; name one: ${names(fitting, ', ')}`,
    })
  const due = fitting.length === 1 ? fitting[0] : undefined
  // The provider has to be asked first whether the open order was paid.
  if (due?.hasOrder)
    reader.fail('idCard', 'open-order', { zh: '有未完成的支付订单，请先关闭订单', en: 'There is an open payment order; close it first' })
  return due
}

/** Exactly what is owed, and no more than one person may post. */
const readPaidAmount = (reader: Reader, due: OpenDue | undefined, limitFen: number): number | undefined => {
  const amountFen = readAmount(reader)
  if (amountFen === undefined) return undefined
  const fail = (code: string, reason: Label): void => reader.fail('amount', code, reason)
  if (due && amountFen !== due.amountFen) {
    const owed = formatFen(due.amountFen)
    fail('amount-differs', { zh: `金额与应缴不一致: 应缴 ${owed} 元`, en: `${owed} yuan are owed` })
  }
  if (amountFen > limitFen) {
    const limit = formatFen(limitFen)
    fail('two-people', { zh: `超过 ${limit} 元须双人逐笔登记`, en: `Above ${limit} yuan two people post it by hand` })
  }
  return amountFen
}

/** When the money came; a day alone is its first moment. */
const readPaidTime = (reader: Reader, due: OpenDue | undefined, { now, exam }: PaymentFacts): Date | undefined => {
  const typed = reader.code('paidTime')
  const paidTime = fromWireTime(typed.length === 10 ? `${typed} 00:00:00` : typed)
  if (typed === '') reader.fail('paidTime', 'required', requiredReason('缴费时间'))
  const anchors = exam && { now, signBegin: exam.signBegin && startOfDay(exam.signBegin), examBegan: examBegan(exam) }
  const wrong = paidTime && anchors && dateProblem('paidTime', paidTime, anchors)
  if (wrong) reader.fail('paidTime', paidTime > now ? 'time-future' : 'time-early', wrong)
  else if (paidTime && due?.state === 'overdue' && paidTime >= due.deadline)
    reader.fail('paidTime', 'time-late', { zh: '缴费时间晚于缴费截止', en: 'Paid after the end of payment' })
  else if (paidTime && anchors) for (const doubt of dateDoubts('paidTime', 'paidTime', paidTime, anchors)) reader.ask('paidTime', doubt)
  return paidTime
}

const readWay = (reader: Reader): OfflineWay | undefined => {
  const typed = reader.code('payWay')
  const payWay = Object.hasOwn(ways, typed) ? ways[typed] : undefined
  if (typed === '') reader.fail('payWay', 'required', requiredReason('缴费方式'))
  else if (payWay === undefined)
    reader.fail('payWay', 'dictionary', {
      zh: '缴费方式应为 转账、现金、POS 或 单位代缴',
      en: 'The way must be 转账, 现金, POS or 单位代缴',
    })
  return payWay
}

const readVoucher = (reader: Reader, { usedVouchers, vouchers }: PaymentFacts): string => {
  const voucherNo = readShort(reader, 'voucherNo', '凭证号', 64)
  if (voucherNo === '') reader.fail('voucherNo', 'required', requiredReason('凭证号'))
  else if (usedVouchers.has(numberKey(voucherNo)))
    reader.fail('voucherNo', 'voucher-used', { zh: '凭证号已使用', en: 'The voucher was used before' })
  else failRepeated(reader, 'voucherNo', numberKey(voucherNo), vouchers)
  return voucherNo
}

/** The payment of a row; undefined where it has faults, which the reader has kept. */
export const readPayment = (reader: Reader, facts: PaymentFacts): PaymentInput | undefined => {
  const payer = readPayer(reader, facts.payers, toWireDay(facts.now))
  const due = readDue(reader, payer, facts.dues)
  const amountFen = readPaidAmount(reader, due, facts.limitFen)
  const paidTime = readPaidTime(reader, due, facts)
  const payWay = readWay(reader)
  const voucherNo = readVoucher(reader, facts)
  const remark = readShort(reader, 'remark', '备注', 200)
  if (due) failRepeated(reader, 'idCard', due.id, facts.paid)
  if (!due || amountFen === undefined || !paidTime || !payWay) return undefined
  return { payId: due.id, amountFen, paidTime, payWay, voucherNo, remark }
}
