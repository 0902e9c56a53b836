import { refuse } from '#contract/kernel/errors.ts'
import { payImports } from '#contract/pay/import-kinds.ts'
import { refusePay } from '#contract/pay/pay.errors.ts'
import { Refused } from '#kernel/http/context.ts'
import { passAlone } from '#kernel/two-persons.ts'
import { findExam } from '#modules/exam/index.ts'
import { type ImportDefinition, openSheet, templateBook } from '#modules/transfer/index.ts'
import { doubleCheckFen, writePaid } from '../commands/post-offline.ts'
import { lockDue } from '../data/due.repo.ts'
import { listOpenDues, openBatch, recordPayment } from '../data/import.repo.ts'
import { findLiveOrder } from '../data/order.repo.ts'
import { usedVouchers } from '../data/posting.repo.ts'
import type { PayKit } from '../deps.ts'
import { type PaymentInput, paymentColumns, readPayment } from './payment-row.ts'
import { findPayers } from './sheet.ts'

type PaymentsImport = ImportDefinition<PaymentInput>

const checkPayments =
  (kit: PayKit): PaymentsImport['check'] =>
  async (db, sheet, { job }) => {
    const examId = job.examId ?? '0'
    const opened = openSheet(paymentColumns, sheet.header)
    const readers = opened.readers(sheet.rows)
    const idCards = readers.map(reader => reader.code('idCard'))
    const payers = await findPayers(kit, db, examId, idCards)
    const signupIds = [...payers.values()].map(payer => payer.signupId)
    const facts = {
      payers,
      dues: Map.groupBy(await listOpenDues(db, examId, job.itemId, signupIds), due => due.signupId),
      usedVouchers: await usedVouchers(
        db,
        readers.map(reader => reader.text('voucherNo')),
      ),
      limitFen: await doubleCheckFen(db),
      now: db.now,
      exam: await findExam(db, examId),
      paid: new Map<string, number>(),
      vouchers: new Map<string, number>(),
    }
    const read = readers.map(reader => {
      const value = readPayment(reader, facts)
      return value && { row: reader.row, value }
    })
    return opened.checked(read)
  }

const writePayments =
  (kit: PayKit): PaymentsImport['write'] =>
  async (db, rows, { job, progress }) => {
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
    const limit = await doubleCheckFen(db)
    // In the order of their ids, as every other transaction that locks several dues.
    for (const { row, value } of [...rows].sort((a, b) => (BigInt(a.value.payId) < BigInt(b.value.payId) ? -1 : 1))) {
      const due = await lockDue(db, value.payId)
      const isOpen = due !== undefined && (due.state === 'due' || due.state === 'overdue') && due.amountFen === value.amountFen
      if (!isOpen || (await findLiveOrder(db, value.payId))) throw new Refused(refusePay('pay/changed-meanwhile', {}))
      // The row was refused above the limit when it was read; a limit that was lowered since counts.
      if (value.amountFen > limit) throw new Refused(refusePay('pay/changed-meanwhile', {}))
      passAlone(db, 'manualPayment', 'belowLimit')
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
  }

const paymentsTemplate: PaymentsImport['template'] = async (_db, { ctx }) =>
  templateBook(ctx.say, { zh: '实缴名单', en: 'Payments' }, paymentColumns, {
    idCard: {
      note: {
        zh: '有待缴费用的考生，也可填报名序号；单元格须为文本格式',
        en: 'Of somebody who owes a fee; the sign-up number will do as well; the cell must be text',
      },
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
  })

/**
 * T7b: payments that came by bank, cash or a unit (domain 5.4 importPay), each on the due it pays. All or nothing. A due with an open
 * order is not touched, because the provider has to be asked first; sums above the limit are posted one by one by two people.
 */
export const paymentsImport = (kit: PayKit): ImportDefinition<PaymentInput> => ({
  ...payImports.payments,
  columns: paymentColumns,
  maxRows: 10_000,
  guard: async (db, { job }) => ((await findExam(db, job.examId ?? '0')) ? undefined : refuse('kernel/not-found', {})),
  check: checkPayments(kit),
  write: writePayments(kit),
  template: paymentsTemplate,
})
