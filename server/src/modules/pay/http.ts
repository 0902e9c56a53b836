import { refuse } from '#contract/kernel/errors.ts'
import { payExport, payExportMain, payRecord, payRecordMain } from '#contract/pay/books.resource.ts'
import * as lists from '#contract/pay/books.routes.ts'
import { examPay, payAlarm, payOrder } from '#contract/pay/pay.resources.ts'
import * as routes from '#contract/pay/pay.routes.ts'
import { payDifference, reconciliation } from '#contract/pay/reconciliation.resource.ts'
import * as books from '#contract/pay/reconciliation.routes.ts'
import { payRefund } from '#contract/pay/refund.resource.ts'
import * as refunds from '#contract/pay/refund.routes.ts'
import * as waivers from '#contract/pay/waiver.routes.ts'
import * as wires from '#contract/pay/wires.routes.ts'
import { crud } from '#kernel/crud/crud.ts'
import { type Handler, handle, handleExport, handlePlain } from '#kernel/http/context.ts'
import type { RunImport } from '#modules/transfer/index.ts'
import { saveAccount, saveAlipay, saveNontax, viewAccount } from './commands/account.ts'
import { addDue } from './commands/add-due.ts'
import { decideRefunds } from './commands/approve-refunds.ts'
import { askBackPay } from './commands/ask-back-pay.ts'
import { checkOrder, queryOrder } from './commands/ask-order.ts'
import { changeInvoices } from './commands/change-invoices.ts'
import { checkLedgerByHand } from './commands/check-ledger.ts'
import { closeAlarm } from './commands/close-alarm.ts'
import { closeByHand } from './commands/close-by-hand.ts'
import { enterPayment } from './commands/enter-payment.ts'
import { planPayList } from './commands/export-dues.ts'
import { frozenLists, planFrozen } from './commands/freeze-list.ts'
import { importList } from './commands/import-list.ts'
import { readOwnDues, readOwnPayment } from './commands/own-dues.ts'
import { showPayCode } from './commands/pay-qrcode.ts'
import { listWays, prepayDue } from './commands/prepay.ts'
import { receiveAlipayNotice, receiveNontaxNotice, receiveNotice } from './commands/receive-notice.ts'
import { readDay, readMonth, submitDay } from './commands/settle-day.ts'
import { undoBatches, undoRecords } from './commands/undo-batch.ts'
import { voidByHand } from './commands/void-dues.ts'
import { askForWaiver, decideOnWaiver, listWaivers, readOwnWaivers, withdrawWaiverOf } from './commands/waiver.ts'
import type { PayKit } from './deps.ts'
import { alarmRows, differenceRows, moneyRows } from './present.ts'

/** Orders are made and closed by what they are for. */
const declined = () => Promise.resolve(refuse('kernel/not-supported', {}))

/** The kinds of import this module adds to the framework. */
export interface PayImports {
  readonly dues: RunImport
  readonly payments: RunImport
  readonly invoices: RunImport
}

export const payHandlers = (kit: PayKit, imports: PayImports): readonly Handler[] => [
  ...crud(examPay, moneyRows),
  ...crud(payOrder, moneyRows),
  ...crud(payAlarm, alarmRows),
  ...crud(payRefund, moneyRows),
  handle(refunds.approveRefunds, ({ ctx, input }) => decideRefunds(kit, ctx, input)),
  ...crud(reconciliation),
  ...crud(payDifference, differenceRows),
  ...crud(payRecordMain),
  ...crud(payRecord, moneyRows),
  ...crud(payExportMain, frozenLists),
  ...crud(payExport, moneyRows),
  handle(lists.removePayRecordMain, ({ ctx, input }) => undoBatches(kit, ctx, input)),
  handle(lists.submitPayRecordMain, declined),
  handle(lists.removePayRecord, ({ ctx, input }) => undoRecords(kit, ctx, input.ids)),
  handle(lists.submitPayRecord, declined),
  handle(lists.submitPayExport, declined),
  handle(lists.removePayExport, declined),
  handleExport(lists.getExportPayFile, ({ ctx, input }) => planFrozen(ctx, input.id)),
  handle(wires.payWays, ({ ctx, input }) => listWays(kit, ctx, input.payId)),
  handle(wires.prepay, ({ ctx, input }) => prepayDue(kit, ctx, input)),
  handle(waivers.myWaivers, ({ ctx }) => readOwnWaivers(ctx)),
  handle(waivers.askWaiver, ({ ctx, input }) => askForWaiver(kit, ctx, input)),
  handle(waivers.withdrawWaiver, ({ ctx, input }) => withdrawWaiverOf(ctx, input)),
  handle(waivers.waiverList, ({ ctx, input, db }) => listWaivers(kit, ctx, db, input)),
  handle(waivers.decideWaiver, ({ ctx, input }) => decideOnWaiver(kit, ctx, input)),
  handle(books.reconciliationDetail, ({ ctx, db, input }) => readDay(ctx, db, input.id)),
  handle(books.submitReconciliation, ({ ctx, input }) => submitDay(kit, ctx, input)),
  handle(books.checkLedgerNow, ({ ctx, db }) => checkLedgerByHand(kit, ctx, db)),
  handle(books.removeReconciliation, declined),
  handle(books.reconciliationMonth, ({ db, input }) => readMonth(db, input.month)),
  handle(routes.submitExamPay, ({ ctx, db, input }) => addDue(kit, ctx, db, input)),
  handle(routes.removeExamPay, ({ ctx, input }) => voidByHand(kit, ctx, input.ids.split(','))),
  handle(routes.submitPayOrder, declined),
  handle(routes.removePayOrder, declined),
  handle(routes.getMyPayList, ({ ctx, db, input }) => readOwnDues(ctx, db, input)),
  handle(routes.getMyPay, ({ ctx, db, input }) => readOwnPayment(ctx, db, input.examId)),
  handle(routes.getPayQrcode, ({ ctx, input }) => showPayCode(kit, ctx, input.payId, input.channel)),
  handle(routes.checkOrder, ({ ctx, input }) => checkOrder(kit, ctx, input.orderNo)),
  handle(routes.queryOrder, ({ ctx, input }) => queryOrder(kit, ctx, input.orderNo)),
  handle(routes.closePayOrder, ({ ctx, input }) => closeByHand(kit, ctx, input.orderNo)),
  handle(routes.handleUp, ({ ctx, input }) => enterPayment(kit, ctx, input)),
  handle(routes.backPay, ({ ctx, input }) => askBackPay(kit, ctx, input)),
  handle(routes.delExamPay, ({ ctx, input }) => voidByHand(kit, ctx, input.ids.split(','))),
  handle(routes.sureInvoice, ({ ctx, input }) => changeInvoices(ctx, input)),
  handle(routes.importExamPay, ({ ctx, input }) => importList(imports.dues, ctx, routes.importExamPay.path, input)),
  handle(routes.importPay, ({ ctx, input }) => importList(imports.payments, ctx, routes.importPay.path, input)),
  handle(routes.importInvoice, ({ ctx, input }) => importList(imports.invoices, ctx, routes.importInvoice.path, input)),
  handleExport(routes.getPayExcel, ({ ctx, input }) => planPayList(ctx, input)),
  handle(routes.closePayAlarm, ({ ctx, input, db }) => closeAlarm(ctx, db, input)),
  handle(routes.getPayAccount, ({ db }) => viewAccount(kit, db)),
  handle(routes.savePayAccount, ({ ctx, input, db }) => saveAccount(kit, db, ctx, input)),
  handlePlain(routes.payNotice, ({ ctx, input }) => receiveNotice(kit, ctx, input.tenantId)),
  handlePlain(routes.refundNotice, ({ ctx, input }) => receiveNotice(kit, ctx, input.tenantId)),
  handlePlain(routes.alipayNotice, ({ ctx, input }) => receiveAlipayNotice(kit, ctx, input.tenantId)),
  handlePlain(routes.nontaxNotice, ({ ctx, input }) => receiveNontaxNotice(kit, ctx, input.tenantId)),
  handle(routes.saveNontaxAccount, ({ ctx, input, db }) => saveNontax(kit, db, ctx, input)),
  handle(routes.saveAlipayAccount, ({ ctx, input, db }) => saveAlipay(kit, db, ctx, input)),
]
