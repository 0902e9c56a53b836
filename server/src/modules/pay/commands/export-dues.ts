import { refuse } from '#contract/kernel/errors.ts'
import { markOf, nounOf } from '#contract/kernel/field-rule.ts'
import type { InputOf } from '#contract/kernel/route.ts'
import { toWireTime } from '#contract/kernel/when.ts'
import { formatFen } from '#contract/pay/fee.ts'
import { examPay } from '#contract/pay/pay.resources.ts'
import type { getPayExcel } from '#contract/pay/pay.routes.ts'
import { fileName, maxExportRows, watermarkOf } from '#kernel/crud/export.ts'
import { type Ctx, type ExportPlan, Refused } from '#kernel/http/context.ts'
import { rowScopeOf } from '#kernel/http/row-scope.ts'
import type { SheetColumn, SheetLine } from '#kernel/sheet/write-sheet.ts'
import { findExam } from '#modules/exam/index.ts'
import { readDictionaries } from '#modules/reference/index.ts'
import { templateBook } from '#modules/transfer/index.ts'
import { listDueIds, listDueLines } from '../data/export.repo.ts'
import { dueColumns } from '../imports/dues-import.ts'

const batch = 1_000
const noun = nounOf(examPay)
const titles = {
  due: { zh: '应缴名单', en: 'Dues' },
  paid: { zh: '已缴名单', en: 'Paid' },
  refund: { zh: '退费名单', en: 'Refunds' },
} as const

/** The lists of finance (domain 5.10), and with `kind=template` the workbook to fill in for importExamPay. */
export const planPayList = async (ctx: Ctx, input: InputOf<typeof getPayExcel>): Promise<ExportPlan> => {
  const stamp = toWireTime(ctx.arrivedAt).replace(/\D/g, '')
  const { kind } = input
  const { exam, states, payWays, ids } = await ctx.tx(async db => {
    const exam = await findExam(db, input.examId)
    if (!exam) throw new Refused(refuse('kernel/not-found', {}))
    const dictionaries = await readDictionaries(db, ['pay_state', 'pay_way'])
    const texts = (code: string) => new Map((dictionaries[code] ?? []).map(entry => [entry.key, ctx.say(entry)]))
    const scope = rowScopeOf(ctx.session, examPay)
    const { itemId } = input
    const ids = kind === 'template' ? [] : await listDueIds(db, { examId: exam.id, kind, itemId, scope }, maxExportRows + 1)
    if (ids.length > maxExportRows) throw new Refused(refuse('kernel/too-many', { limit: maxExportRows }))
    return { exam, states: texts('pay_state'), payWays: texts('pay_way'), ids }
  })
  const audit = { action: 'exampay.exported', entity: 'examination', entityId: exam.id, after: { filter: input } }
  if (kind === 'template') {
    const title = ctx.say({ zh: '应缴导入模板', en: 'Template for dues' })
    const { sheets } = templateBook(ctx.say, titles.due, dueColumns, {})
    return { fileName: fileName(exam.examCode, exam.examName, title, stamp), total: 0, audit, book: { sheets: sheets.slice(0, 1) } }
  }
  async function* lines(): AsyncGenerator<SheetLine> {
    let number = 0
    for (let from = 0; from < ids.length; from += batch) {
      const rows = await ctx.tx(db => listDueLines(db, ids.slice(from, from + batch)))
      for (const row of rows) {
        number += 1
        yield [
          number,
          row.signNo,
          row.name,
          row.tail,
          row.unit,
          row.code,
          row.itemName,
          row.payName,
          formatFen(row.amountFen),
          states.get(row.state) ?? row.state,
          row.paidFen === 0 ? '' : formatFen(row.paidFen),
          row.payWay === null ? '' : (payWays.get(row.payWay) ?? row.payWay),
          row.orderNo,
          row.evidence,
          row.paidTime === null ? '' : toWireTime(row.paidTime),
          row.refundedFen === 0 ? '' : formatFen(row.refundedFen),
          row.refundTime === null ? '' : toWireTime(row.refundTime),
          row.invoiceNo,
        ]
      }
    }
  }
  const head = (zh: string, en: string, field?: string): SheetColumn => ({
    header: ctx.say({ zh, en }),
    ...(field ? { field: markOf(noun, field) } : {}),
  })
  const columns: SheetColumn[] = [
    { ...head('序号', 'No.'), kind: 'number' },
    head('报名序号', 'Sign-up no.', 'signNo'),
    head('姓名', 'Name', 'name'),
    head('证件号(后四位)', 'Id number, last 4', 'idCardTail'),
    head('单位', 'Unit', 'unit'),
    head('岗位代码', 'Post code', 'code'),
    head('科目', 'Paper', 'itemName'),
    head('费用名称', 'Fee', 'payName'),
    { ...head('应缴(元)', 'Due (yuan)', 'amount'), kind: 'decimal' },
    head('状态', 'State', 'state'),
    { ...head('实缴(元)', 'Paid (yuan)', 'paidAmount'), kind: 'decimal' },
    head('缴费方式', 'Way', 'payWay'),
    head('订单号', 'Order no.', 'orderNo'),
    head('微信订单号/凭证号', 'Transaction / voucher', 'voucherNo'),
    head('缴费时间', 'Paid at', 'paidTime'),
    { ...head('退费金额', 'Refunded', 'refundAmount'), kind: 'decimal' },
    head('退费时间', 'Refunded at', 'refundAmount'),
    head('票据号', 'Receipt no.', 'invoiceNo'),
  ]
  const title = ctx.say(titles[kind])
  return {
    fileName: fileName(exam.examCode, exam.examName, title, stamp),
    total: ids.length,
    audit,
    book: { watermark: watermarkOf(ctx, `${exam.examName} ${title}`), sheets: [{ name: title, columns, rows: lines() }] },
  }
}
