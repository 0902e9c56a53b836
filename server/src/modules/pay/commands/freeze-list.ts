import { refuse, refuseField } from '#contract/kernel/errors.ts'
import { markOf, nounOf } from '#contract/kernel/field-rule.ts'
import { fromWireTime, toWireTime } from '#contract/kernel/when.ts'
import { payExport } from '#contract/pay/books.resource.ts'
import { refusePay } from '#contract/pay/pay.errors.ts'
import type { CrudSeams } from '#kernel/crud/crud.ts'
import { fileName, watermarkOf } from '#kernel/crud/export.ts'
import { lock } from '#kernel/db/lock.ts'
import { type Ctx, type ExportPlan, Refused } from '#kernel/http/context.ts'
import { enqueue } from '#kernel/queue/outbox.ts'
import type { SheetColumn, SheetLine } from '#kernel/sheet/write-sheet.ts'
import { findExam } from '#modules/exam/index.ts'
import { readDictionaries } from '#modules/reference/index.ts'
import { findFrozen, freezeRows, listFrozenRows, lockFrozen, sumFees, writeFailed } from '../data/frozen.repo.ts'
import type { PayKit } from '../deps.ts'
import { asTenant } from './close-order.ts'

/** A list is ordered by adding it; it then makes itself, and nobody changes it. */
export const frozenLists: CrudSeams = {
  prepare: async ({ db, input, before }) => {
    if (before) return refuse('kernel/not-supported', {})
    if (!(await findExam(db, String(input['examId'])))) return refuse('kernel/not-found', {})
    const [from, until] = [fromWireTime(String(input['beginTime'])), fromWireTime(String(input['endTime']))]
    if (from && until && from >= until) return refuseField('endTime', { zh: '止应晚于起', en: 'This has to be later than the beginning' })
    if (until && until > db.now)
      return refuseField('endTime', {
        zh: '止不能晚于现在：名单一生成就不再变化，之后收到的款项进不了名单',
        en: 'This cannot be later than now: the list is fixed at once, and what is received afterwards would be in none',
      })
    const { itemId, ...rest } = input
    return itemId === null || itemId === undefined || itemId === '' ? rest : input
  },
  // A list that was handed over stays, but for a slip of the same day.
  refuseRemove: async ({ db, rows }) => {
    for (const row of rows) {
      const list = await lockFrozen(db, String(row['id']))
      const isToday = list && toWireTime(list.createdAt).slice(0, 10) === toWireTime(db.now).slice(0, 10)
      if (list?.state === 1 && !isToday) return refusePay('pay/list-kept', {})
    }
    return undefined
  },
  afterWrite: async ({ db, before, after }) => {
    if (!before && after) await enqueue(db, 'pay.freeze-list', { listId: after['id'] }, { jobKey: `freeze-${after['id']}` })
  },
}

/** Makes a list: all of its rows and its sums in one transaction, so that it is there whole or not at all. */
export const freezeList = async (kit: PayKit, tenantId: string, listId: string): Promise<void> => {
  try {
    await asTenant(kit, tenantId, async db => {
      const list = await lockFrozen(db, listId)
      if (list?.state !== 0) return
      // Two lists of one examination made at once would both have the same payments.
      await lock(db, `pay-lists|${list.examId}`)
      const { rows, skipped, other } = await freezeRows(db, listId)
      if (rows === 0 && skipped > 0) throw new AllElsewhere(skipped, other ?? '')
    })
  } catch (error) {
    await asTenant(kit, tenantId, db => writeFailed(db, listId, error instanceof Error ? error.message : String(error)))
    // Tried again it would be no other.
    if (!(error instanceof AllElsewhere)) throw error
  }
}

class AllElsewhere extends Error {
  constructor(count: number, list: string) {
    super(`这段时间的 ${count} 笔款项都已在名单“${list}”等名单中 / All ${count} payments of this span are in other lists already (${list})`)
  }
}

const noun = nounOf(payExport)
const batch = 1_000

/** The workbook of a list: its rows as they were when it was made, and their sums (domain 3.13). */
export const planFrozen = async (ctx: Ctx, id: string): Promise<ExportPlan> => {
  const { list, exam, ways, fees } = await ctx.tx(async db => {
    const list = await findFrozen(db, id)
    const exam = list && (await findExam(db, list.examId))
    if (!list || !exam) throw new Refused(refuse('kernel/not-found', {}))
    if (list.state !== 1) throw new Refused(refusePay('pay/list-not-made', {}))
    const dictionaries = await readDictionaries(db, ['pay_way'])
    return {
      list,
      exam,
      fees: await sumFees(db, id),
      ways: new Map((dictionaries['pay_way'] ?? []).map(entry => [entry.key, ctx.say(entry)])),
    }
  })
  async function* lines(): AsyncGenerator<SheetLine> {
    for (let after = 0; after < list.count; after += batch)
      for (const row of await ctx.tx(db => listFrozenRows(db, id, after, batch)))
        yield [
          row.row,
          row.signNo,
          row.name,
          row.idCardMask,
          row.unit,
          row.code,
          row.payName,
          row.payWay === null ? '' : (ways.get(String(row.payWay)) ?? String(row.payWay)),
          row.orderNo,
          row.evidence,
          row.amountFen,
          row.fee === null ? null : Number(row.fee),
          row.paidTime === null ? '' : toWireTime(row.paidTime),
          row.refundFen === 0 ? null : row.refundFen,
        ]
    const sum = ctx.say({ zh: `合计 ${list.count} 笔`, en: `Total of ${list.count}` })
    yield [null, sum, '', '', '', '', '', '', '', '', list.amountFen, Number(fees), '', list.refundFen]
  }
  const head = (zh: string, en: string, field?: string): SheetColumn => ({
    header: ctx.say({ zh, en }),
    ...(field ? { field: markOf(noun, field) } : {}),
  })
  const columns: SheetColumn[] = [
    { ...head('序号', 'No.'), kind: 'number' },
    head('报名序号', 'Sign-up no.', 'signNo'),
    head('姓名', 'Name', 'name'),
    head('证件号码', 'Id number', 'idCardMask'),
    head('单位代码', 'Unit code', 'unit'),
    head('岗位代码', 'Post code', 'code'),
    head('费用名称', 'Fee', 'payName'),
    head('缴费方式', 'Way', 'payWay'),
    head('订单号', 'Order no.', 'orderNo'),
    head('支付平台单号/凭证号', 'Transaction / voucher', 'transactionId'),
    { ...head('金额（元）', 'Amount (yuan)', 'amount'), kind: 'money' },
    { ...head('手续费（元）', 'Fee of the provider (yuan)', 'fee'), kind: 'number' },
    head('缴费时间', 'Paid at', 'paidTime'),
    { ...head('已退金额（元）', 'Refunded (yuan)', 'refundAmount'), kind: 'money' },
  ]
  const stamp = toWireTime(ctx.arrivedAt).replace(/\D/g, '')
  return {
    fileName: fileName(exam.examCode, exam.examName, list.name, stamp),
    total: list.count + 1,
    audit: { action: 'exportpay.exported', entity: 'exportpaymain', entityId: id, after: { name: list.name } },
    book: {
      watermark: watermarkOf(ctx, `${exam.examName} ${list.name}`),
      sheets: [{ name: list.name.slice(0, 30), columns, rows: lines() }],
    },
  }
}
