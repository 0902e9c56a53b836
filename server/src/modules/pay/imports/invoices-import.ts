import { refuse } from '#contract/kernel/errors.ts'
import { payImports } from '#contract/pay/import-kinds.ts'
import { numberKey } from '#contract/pay/numbers.ts'
import { refusePay } from '#contract/pay/pay.errors.ts'
import { audit } from '#kernel/audit.ts'
import { Refused } from '#kernel/http/context.ts'
import { findExam } from '#modules/exam/index.ts'
import { failRepeated, type HeaderSpec, type ImportDefinition, openSheet, requiredReason, templateBook } from '#modules/transfer/index.ts'
import {
  listPaidDues,
  lockDuesForInvoice,
  lockReceiptNumbers,
  type PaidDue,
  receiptNumbersOfOthers,
  recordInvoices,
} from '../data/invoice.repo.ts'
import { readShort } from './sheet.ts'

/** The columns of template T7c: a receipt is known by its sign-up and, where that has paid several fees, by the fee. */
export const invoiceColumns = {
  signNo: { header: '报名序号', required: true, kind: 'code' },
  name: { header: '姓名', required: true },
  payName: { header: '费用名称', required: false },
  invoiceNo: { header: '票据号', required: true, kind: 'code' },
  invoiceUrl: { header: '票据链接', required: false },
} as const satisfies Record<string, HeaderSpec>

export interface InvoiceInput {
  readonly payId: string
  readonly no: string
  readonly url: string | null
}
type InvoicesImport = ImportDefinition<InvoiceInput>

const checkInvoices: InvoicesImport['check'] = async (db, sheet, { job }) => {
  const opened = openSheet(invoiceColumns, sheet.header)
  const readers = opened.readers(sheet.rows)
  const signNos = readers.map(reader => reader.code('signNo'))
  const dues = Map.groupBy(await listPaidDues(db, job.examId ?? '0', signNos), due => due.signNo)
  const usedNumbers = await receiptNumbersOfOthers(
    db,
    readers.map(reader => reader.text('invoiceNo')),
    [...dues.values()].flat().map(due => due.id),
  )
  const [numbers, seen] = [new Map<string, number>(), new Map<string, number>()]
  const read = readers.map(reader => {
    const signNo = reader.code('signNo')
    const payName = readShort(reader, 'payName', '费用名称', 60)
    const no = readShort(reader, 'invoiceNo', '票据号', 40)
    const url = readShort(reader, 'invoiceUrl', '票据链接', 300)
    const own: readonly PaidDue[] = dues.get(signNo) ?? []
    const fitting = payName === '' ? own : own.filter(due => due.payName === payName)
    if (signNo === '') reader.fail('signNo', 'required', requiredReason('报名序号'))
    else if (own.length === 0)
      reader.fail('signNo', 'nothing-paid', { zh: '此报名序号没有已缴的费用', en: 'Nothing was paid for this sign-up' })
    else if (fitting.length !== 1) {
      const names = { zh: own.map(due => due.payName).join('、'), en: own.map(due => due.payName).join(', ') }
      reader.fail('payName', 'which-fee', { zh: `请填写已缴的费用名称: ${names.zh}`, en: `Name one of the fees paid: ${names.en}` })
    }
    const due = fitting.length === 1 ? fitting[0] : undefined
    if (due && reader.text('name') !== due.name)
      reader.fail('name', 'name-mismatch', {
        zh: `姓名与报名不一致: 应为 ${due.name}`,
        en: `The name differs from the sign-up: ${due.name}`,
      })
    if (due?.isInvoice === 1 && numberKey(due.invoiceNo ?? '') !== numberKey(no))
      reader.fail('invoiceNo', 'issued', {
        zh: `已开具票据 ${due.invoiceNo ?? ''}，请先撤销`,
        en: `Receipt ${due.invoiceNo ?? ''} is issued; undo it first`,
      })
    if (no === '') reader.fail('invoiceNo', 'required', requiredReason('票据号'))
    else if (usedNumbers.has(numberKey(no))) reader.fail('invoiceNo', 'used', refusePay('pay/receipt-used', {}).text)
    else failRepeated(reader, 'invoiceNo', numberKey(no), numbers)
    if (url !== '' && !/^https:\/\/\S+$/.test(url))
      reader.fail('invoiceUrl', 'not-https', { zh: '票据链接应以 https:// 开头', en: 'The link has to begin with https://' })
    if (!due) return undefined
    failRepeated(reader, 'signNo', due.id, seen)
    return { row: reader.row, value: { payId: due.id, no, url: url === '' ? null : url } }
  })
  return opened.checked(read)
}

const writeInvoices: InvoicesImport['write'] = async (db, rows, { job, progress }) => {
  await lockReceiptNumbers(db)
  const [numbers, ids] = [rows.map(({ value }) => value.no), rows.map(({ value }) => value.payId)]
  if ((await receiptNumbersOfOthers(db, numbers, ids)).size > 0) throw new Refused(refusePay('pay/changed-meanwhile', {}))
  let done = 0
  for (const { value } of [...rows].sort((a, b) => (BigInt(a.value.payId) < BigInt(b.value.payId) ? -1 : 1))) {
    const [due] = await lockDuesForInvoice(db, [value.payId], undefined)
    if (due?.state !== 'paid') throw new Refused(refusePay('pay/changed-meanwhile', {}))
    await recordInvoices(db, [value.payId], { no: value.no, url: value.url, isIssued: true }, db.actor.userId)
    await audit(db, undefined, {
      action: 'exampay.invoice-changed',
      entity: 'exampay',
      entityId: value.payId,
      before: { isInvoice: due.isInvoice, invoiceNo: due.invoiceNo },
      after: { isInvoice: 1, invoiceNo: value.no, importId: job.id },
    })
    done += 1
    await progress(done)
  }
  return { inserted: 0, updated: rows.length, skipped: 0 }
}

const invoicesTemplate: InvoicesImport['template'] = async (_db, { ctx }) =>
  templateBook(ctx.say, { zh: '票据', en: 'Receipts' }, invoiceColumns, {
    signNo: { note: { zh: '已缴费的报名', en: 'Of a sign-up that has paid' }, sample: '20260300000001' },
    name: { note: { zh: '须与报名一致', en: 'As in the sign-up' }, sample: '王·测' },
    payName: { note: { zh: '只缴过一笔时可留空', en: 'May be empty when only one fee was paid' }, sample: '报名费' },
    invoiceNo: { note: { zh: '每笔不同', en: 'Another one for each payment' }, sample: '3300012345' },
    invoiceUrl: { note: { zh: '财政电子票据的查验链接，可留空', en: 'Of the fiscal e-receipt; may be empty' }, sample: 'https://…' },
  })

/** T7c: numbers and links of receipts, as the fiscal platform hands them out. All or nothing. */
export const invoicesImport = (): InvoicesImport => ({
  ...payImports.invoices,
  columns: invoiceColumns,
  maxRows: 10_000,
  guard: async (db, { job }) => ((await findExam(db, job.examId ?? '0')) ? undefined : refuse('kernel/not-found', {})),
  check: checkInvoices,
  write: writeInvoices,
  template: invoicesTemplate,
})
