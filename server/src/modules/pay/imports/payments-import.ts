import { refuse } from '#contract/kernel/errors.ts'
import { toWireDay } from '#contract/kernel/when.ts'
import { formatFen } from '#contract/pay/fee.ts'
import type { PayWay } from '#contract/pay/order.state.ts'
import { refusePay } from '#contract/pay/pay.errors.ts'
import { Refused } from '#kernel/http/context.ts'
import {
  failRepeated,
  findExam,
  type HeaderSpec,
  type ImportDefinition,
  openSheet,
  requiredReason,
  templateBook,
} from '#modules/exam/index.ts'
import { doubleCheckFen, writePaid } from '../commands/post-offline.ts'
import { lockDue } from '../data/due.repo.ts'
import { listOpenDues, openBatch, recordPayment } from '../data/import.repo.ts'
import { findLiveOrder } from '../data/order.repo.ts'
import { usedVouchers } from '../data/posting.repo.ts'
import type { PayKit } from '../deps.ts'
import { paidUntil } from '../domain/payable.ts'
import { findPayers, readAmount, readPayer, readShort, timeOf, timeReason } from './sheet.ts'

/** The columns of template T7b (domain 5.9). */
export const paymentColumns = {
  idCard: { header: '证件号码', required: true },
  name: { header: '姓名', required: true },
  payName: { header: '费用名称', required: false },
  amount: { header: '实缴金额(元)', required: true },
  paidTime: { header: '缴费时间', required: true },
  payWay: { header: '缴费方式(转账/现金/POS/单位代缴)', required: true },
  voucherNo: { header: '凭证号', required: true },
  remark: { header: '备注', required: false },
} as const satisfies Record<string, HeaderSpec>

type OfflineWay = Exclude<PayWay, 'wechat'>
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

/**
 * T7b: payments that came by bank, cash or a unit (domain 5.4 importPay), each on the due it pays. All or nothing. A due with an open
 * order is not touched, because the provider has to be asked first; sums above the limit are posted one by one by two people.
 */
export const paymentsImport = (kit: PayKit): ImportDefinition<PaymentInput> => ({
  kind: 'T7b',
  label: { zh: '实缴导入', en: 'Import of payments' },
  permission: 'exampay_import',
  columns: paymentColumns,
  allowPartial: false,
  maxRows: 10_000,
  guard: async (db, { job }) => ((await findExam(db, job.examId ?? '0')) ? undefined : refuse('kernel/not-found', {})),
  check: async (db, sheet, { job }) => {
    const examId = job.examId ?? '0'
    const opened = openSheet(paymentColumns, sheet.header)
    const readers = opened.readers(sheet.rows)
    const payers = await findPayers(
      kit,
      db,
      examId,
      readers.map(reader => reader.code('idCard')),
    )
    const dues = Map.groupBy(
      await listOpenDues(
        db,
        examId,
        job.itemId,
        [...payers.values()].map(payer => payer.signupId),
      ),
      due => due.signupId,
    )
    const used = await usedVouchers(
      db,
      readers.map(reader => reader.text('voucherNo')),
    )
    const limitFen = await doubleCheckFen(kit, db)
    const today = toWireDay(db.now)
    const paid = new Map<string, number>()
    const vouchers = new Map<string, number>()
    const read = readers.map(reader => {
      const payer = readPayer(reader, payers, today)
      const payName = readShort(reader, 'payName', '费用名称', 60)
      const own = payer === undefined ? [] : (dues.get(payer.signupId) ?? [])
      const fitting = payName === '' ? own : own.filter(due => due.payName === payName)
      const due = fitting.length === 1 ? fitting[0] : undefined
      if (payer && own.length === 0) reader.fail('idCard', 'nothing-owed', { zh: '此人没有待缴的费用', en: 'This person owes nothing' })
      else if (payer && fitting.length === 0) {
        const names = own.map(one => one.payName).join('、')
        reader.fail('payName', 'unknown-fee', { zh: `没有此名称的待缴费用，现有: ${names}`, en: `No such fee is owed; there is: ${names}` })
      } else if (fitting.length > 1)
        reader.fail('payName', 'many-fees', {
          zh: `有多笔待缴，请填费用名称: ${fitting.map(one => one.payName).join('、')}`,
          en: `Several fees are owed; name one: ${fitting.map(one => one.payName).join(', ')}`,
        })
      const amountFen = readAmount(reader)
      if (due && amountFen !== undefined && amountFen !== due.amountFen)
        reader.fail('amount', 'amount-differs', {
          zh: `金额与应缴不一致: 应缴 ${formatFen(due.amountFen)} 元`,
          en: `${formatFen(due.amountFen)} yuan are owed`,
        })
      if (amountFen !== undefined && amountFen > limitFen)
        reader.fail('amount', 'two-people', {
          zh: `超过 ${formatFen(limitFen)} 元须双人逐笔登记`,
          en: `Above ${formatFen(limitFen)} yuan two people post it by hand`,
        })
      if (due?.hasOrder)
        reader.fail('idCard', 'open-order', {
          zh: '有未完成的支付订单，请先关闭订单',
          en: 'There is an open payment order; close it first',
        })
      const typed = reader.code('paidTime')
      const paidTime = timeOf(typed.length <= 10 && typed !== '' ? `${typed} 00:00` : typed)
      if (typed === '') reader.fail('paidTime', 'required', requiredReason('缴费时间'))
      else if (!paidTime) reader.fail('paidTime', 'time', timeReason('缴费时间', typed))
      else if (paidTime > db.now)
        reader.fail('paidTime', 'time-future', { zh: '缴费时间不能晚于现在', en: 'The time of payment lies in the future' })
      else if (due?.state === 'overdue' && paidTime >= paidUntil(due))
        reader.fail('paidTime', 'time-late', { zh: '缴费时间晚于缴费截止', en: 'Paid after the end of payment' })
      const wayText = reader.code('payWay')
      const payWay = Object.hasOwn(ways, wayText) ? ways[wayText] : undefined
      if (wayText === '') reader.fail('payWay', 'required', requiredReason('缴费方式'))
      else if (payWay === undefined)
        reader.fail('payWay', 'dictionary', {
          zh: '缴费方式应为 转账、现金、POS 或 单位代缴',
          en: 'The way must be 转账, 现金, POS or 单位代缴',
        })
      const voucherNo = readShort(reader, 'voucherNo', '凭证号', 64)
      if (voucherNo === '') reader.fail('voucherNo', 'required', requiredReason('凭证号'))
      else if (used.has(voucherNo)) reader.fail('voucherNo', 'voucher-used', { zh: '凭证号已使用', en: 'The voucher was used before' })
      else failRepeated(reader, 'voucherNo', voucherNo, vouchers)
      const remark = readShort(reader, 'remark', '备注', 200)
      if (due) failRepeated(reader, 'idCard', due.id, paid)
      if (!due || amountFen === undefined || !paidTime || !payWay) return undefined
      return { row: reader.row, value: { payId: due.id, amountFen, paidTime, payWay, voucherNo, remark } }
    })
    return opened.checked(read)
  },
  write: async (db, rows, { job, progress }) => {
    const mainId = await openBatch(db, {
      examId: job.examId ?? '0',
      itemId: job.itemId ?? '0',
      name: job.fileName.slice(0, 100),
      kind: 2,
      importId: job.id,
      total: rows.length,
      amountFen: rows.reduce((sum, { value }) => sum + value.amountFen, 0),
    })
    let done = 0
    // In the order of their ids, as every other transaction that locks several dues.
    for (const { row, value } of [...rows].sort((a, b) => (BigInt(a.value.payId) < BigInt(b.value.payId) ? -1 : 1))) {
      const due = await lockDue(db, value.payId)
      const isOpen = due !== undefined && (due.state === 'due' || due.state === 'overdue') && due.amountFen === value.amountFen
      if (!isOpen || (await findLiveOrder(db, value.payId))) throw new Refused(refusePay('pay/changed-meanwhile', {}))
      await writePaid(
        kit,
        db,
        undefined,
        due,
        { ...value, remark: value.remark || null },
        {
          postedBy: db.actor.userId,
          confirmedBy: null,
          voucherFileId: null,
          mainId,
        },
      )
      await recordPayment(db, value, { mainId, row })
      done += 1
      await progress(done)
    }
    return { inserted: rows.length, updated: 0, skipped: 0 }
  },
  template: async (_db, { ctx }) =>
    templateBook(ctx.say, { zh: '实缴名单', en: 'Payments' }, paymentColumns, {
      idCard: {
        note: { zh: '有待缴费用的考生，单元格须为文本格式', en: 'Of somebody who owes a fee; the cell must be text' },
        sample: '330106199806301023',
      },
      name: { note: { zh: '须与报名一致', en: 'As in the sign-up' }, sample: '王·测' },
      payName: { note: { zh: '只有一笔待缴时可留空', en: 'May be empty when only one fee is owed' }, sample: '报名费' },
      amount: { note: { zh: '元，须等于应缴金额', en: 'Yuan, exactly what is owed' }, sample: '100.00' },
      paidTime: { note: { zh: '到账时间，不能晚于现在', en: 'When the money came, not in the future' }, sample: '2026-03-20 10:30' },
      payWay: {
        note: { zh: '转账、现金、POS、单位代缴之一', en: 'One of 转账, 现金, POS, 单位代缴' },
        sample: '转账',
        choices: ['转账', '现金', 'POS', '单位代缴'],
      },
      voucherNo: { note: { zh: '每笔不同，不能重复使用', en: 'Another one for each payment' }, sample: 'YH20260320001' },
      remark: { note: { zh: '最多 200 字', en: 'At most 200 characters' }, sample: '' },
    }),
})
