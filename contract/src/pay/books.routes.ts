import { Type } from 'typebox'
import { exportJobView } from '../kernel/export-job.ts'
import { markOf, nounOf } from '../kernel/field-rule.ts'
import { defineRoute, type Route } from '../kernel/route.ts'
import { id, ids, optional, strict } from '../kernel/schema.ts'
import { payExport } from './books.resource.ts'

/** Undoes batches: all of their rows or none (2606 names those that are paid). Domain 5.11: the batches have to be of this examination and paper. */
export const removePayRecordMain = defineRoute({
  method: 'POST',
  path: '/blade-payrecordmain/payrecordmain/remove',
  access: { staff: 'payrecordmain_delete' },
  input: strict({ ids: ids(), examId: id(), itemId: optional(id()) }),
  several: 'each',
  output: Type.Object({ removed: Type.Integer() }),
  tx: 'own',
  means: 'Undoes imports: dues become void, payments are taken back',
})
/** Undoes single rows by the same rule. */
export const removePayRecord = defineRoute({
  method: 'POST',
  path: '/blade-payrecord/payrecord/remove',
  access: { staff: 'payrecord_delete' },
  input: strict({ ids: ids() }),
  several: 'each',
  output: Type.Object({ removed: Type.Integer() }),
  tx: 'own',
  means: 'Undoes rows of an import',
})

/** Batches and rows arise by imports and lists by themselves; the wire's generic writes exist and decline (2001). */
const declined = <const P extends string>(path: P, right: `${string}_${string}`) =>
  defineRoute({ method: 'POST', path, access: { staff: right }, input: Type.Object({}), output: Type.Null(), tx: 'own' })
export const submitPayRecordMain = declined('/blade-payrecordmain/payrecordmain/submit', 'payrecordmain_delete')
export const submitPayRecord = declined('/blade-payrecord/payrecord/submit', 'payrecord_delete')
export const submitPayExport = declined('/blade-exportpay/exportpay/submit', 'exportpaymain_add')
export const removePayExport = declined('/blade-exportpay/exportpay/remove', 'exportpaymain_delete')

const row = nounOf(payExport)
/** The workbook of a list, with its totals; the same whenever it is fetched. */
export const getExportPayFile = defineRoute({
  method: 'GET',
  path: '/blade-exportpaymain/exportpaymain/file',
  access: { staff: 'exportpaymain_view' },
  input: strict({ id: id() }),
  output: exportJobView,
  tells: [markOf(row, 'name'), markOf(row, 'idCardMask')],
  answer: 'file',
  tx: 'own',
  means: 'The workbook of a frozen list of payments',
})

export const booksRoutes = [
  removePayRecordMain,
  submitPayRecordMain,
  removePayRecord,
  submitPayRecord,
  submitPayExport,
  removePayExport,
  getExportPayFile,
] as const satisfies readonly Route[]
