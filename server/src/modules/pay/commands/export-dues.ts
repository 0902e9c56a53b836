import { refuse } from '#contract/kernel/errors.ts'
import { markOf, nounOf } from '#contract/kernel/field-rule.ts'
import type { InputOf } from '#contract/kernel/route.ts'
import { toWireTime } from '#contract/kernel/when.ts'
import { formatFen } from '#contract/pay/fee.ts'
import { examPay } from '#contract/pay/pay.resources.ts'
import type { getPayExcel } from '#contract/pay/pay.routes.ts'
import { fileName, maxExportRows, watermarkOf } from '#kernel/crud/export.ts'
import { allOf, sql } from '#kernel/db/sql.ts'
import { type Ctx, type ExportPlan, Refused } from '#kernel/http/context.ts'
import { rowScopeOf } from '#kernel/http/row-scope.ts'
import type { SheetColumn, SheetLine } from '#kernel/sheet/write-sheet.ts'
import { findExam, templateBook } from '#modules/exam/index.ts'
import type { PayKit } from '../deps.ts'
import { dueColumns } from '../imports/dues-import.ts'

const batch = 1_000
const noun = nounOf(examPay)
const titles = {
  due: { zh: '应缴名单', en: 'Dues' },
  paid: { zh: '已缴名单', en: 'Paid' },
  refund: { zh: '退费名单', en: 'Refunds' },
} as const
/** Which dues each list holds: what was asked for, what was paid whatever became of it, what went back. */
const conditions = {
  due: sql`p.state <> 'void'`,
  paid: sql`p.paid_fen > 0`,
  refund: sql`p.refunded_fen > 0`,
} as const

interface DueLine {
  readonly signNo: string | null
  readonly name: string | null
  readonly tail: string | null
  readonly unit: string | null
  readonly code: string | null
  readonly itemName: string | null
  readonly payName: string
  readonly amountFen: number
  readonly state: string
  readonly paidFen: number
  readonly payWay: string | null
  readonly orderNo: string | null
  readonly evidence: string | null
  readonly paidTime: Date | null
  readonly refundedFen: number
  readonly refundTime: Date | null
  readonly invoiceNo: string | null
}

/** The lists of finance (domain 5.10), and with `kind=template` the workbook to fill in for importExamPay. */
export const planPayList = async (kit: PayKit, ctx: Ctx, input: InputOf<typeof getPayExcel>): Promise<ExportPlan> => {
  const stamp = toWireTime(ctx.arrivedAt).replace(/\D/g, '')
  const { kind } = input
  const { exam, states, payWays, ids } = await ctx.tx(async db => {
    const exam = await findExam(db, input.examId)
    if (!exam) throw new Refused(refuse('kernel/not-found', {}))
    const dictionaries = await kit.deps.system.dictionaries(db, ['pay_state', 'pay_way'])
    const texts = (code: string) => new Map((dictionaries[code] ?? []).map(entry => [entry.key, ctx.say(entry)]))
    const scope = rowScopeOf(ctx.session, examPay)
    const where =
      kind === 'template'
        ? sql`false`
        : allOf([
            sql`p.exam_id = ${exam.id}`,
            sql`not p.is_deleted`,
            scope && sql`p.id in (select id from exam_pay_row where ${scope})`,
            conditions[kind],
            input.itemId === undefined ? false : sql`p.item_id = ${input.itemId}`,
          ])
    const rows = await db.all(
      sql<{ id: string }>`select p.id::text as id from exam_pay p where ${where} order by p.id limit ${maxExportRows + 1}`,
    )
    if (rows.length > maxExportRows) throw new Refused(refuse('kernel/too-many', { limit: maxExportRows }))
    return { exam, states: texts('pay_state'), payWays: texts('pay_way'), ids: rows.map(row => row.id) }
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
      const rows = await ctx.tx(db =>
        db.all(sql<DueLine>`
          select r.sign_no as "signNo", r.name, r.id_card_tail as tail, r.unit, r.code, r.item_name as "itemName", r.pay_name as "payName", r.amount as "amountFen",
            r.state::text as state, r.paid_amount as "paidFen", r.pay_way::text as "payWay", r.order_no as "orderNo",
            coalesce(o.transaction_id, r.voucher_no) as evidence, r.paid_time as "paidTime", r.refund_amount as "refundedFen",
            (select max(f.success_time) from pay_refund f where f.pay_id = r.id and f.state = 'succeeded') as "refundTime", r.invoice_no as "invoiceNo"
          from exam_pay_row r left join pay_order o on o.tenant_id = r.tenant_id and o.order_no = r.order_no
          where r.id = any(${ids.slice(from, from + batch)}::bigint[]) order by r.id`),
      )
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
    head('应缴(元)', 'Due (yuan)', 'amount'),
    head('状态', 'State', 'state'),
    head('实缴(元)', 'Paid (yuan)', 'paidAmount'),
    head('缴费方式', 'Way', 'payWay'),
    head('订单号', 'Order no.', 'orderNo'),
    head('微信订单号/凭证号', 'Transaction / voucher', 'voucherNo'),
    head('缴费时间', 'Paid at', 'paidTime'),
    head('退费金额', 'Refunded', 'refundAmount'),
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
