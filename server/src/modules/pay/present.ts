import type { Static } from 'typebox'
import { maskName } from '#contract/kernel/mask.ts'
import { fromWireTime, toWireTime } from '#contract/kernel/when.ts'
import { alarmDetail, alarmLabel } from '#contract/pay/alarm.ts'
import { feeNameIn } from '#contract/pay/fee.ts'
import { dueMachine, orderMachine, payWayWire, refundMachine, refundReasonLabel } from '#contract/pay/order.state.ts'
import { refusePay } from '#contract/pay/pay.errors.ts'
import type { payRow } from '#contract/pay/pay.routes.ts'
import type { CrudSeams } from '#kernel/crud/crud.ts'
import type { Ctx } from '#kernel/http/context.ts'
import type { OwnDueRow } from './data/due.repo.ts'
import { explainDifference } from './domain/explain-difference.ts'
import { decidePayable } from './domain/payable.ts'

const time = (at: Date | null): string | null => (at === null ? null : toWireTime(at))

/** A refund on the candidate's own wish: where the examination gives one. */
const canAskRefund = (row: OwnDueRow, now: Date): boolean =>
  row.state === 'paid' && row.refundPolicy === 1 && now < row.deadline && row.refundState !== 'requested' && row.refundState !== 'submitted'

/** A due as its owner sees it. */
export const presentDue = (ctx: Pick<Ctx, 'say' | 'arrivedAt' | 'language'>, row: OwnDueRow): Static<typeof payRow> => {
  const now = ctx.arrivedAt
  const payable = decidePayable({ ...row, dueState: row.state }, now)
  const reason = payable.ok ? null : ctx.say(refusePay(payable.problem === 'notOwed' ? 'pay/not-payable' : 'pay/outside-window', {}).text)
  return {
    id: row.id,
    examId: row.examId,
    examName: row.examName,
    itemId: row.itemId,
    itemName: row.itemName,
    payName: feeNameIn(row.payName, ctx.language),
    payerName: row.payerName,
    amount: row.amountFen,
    paidAmount: row.paidFen,
    refundAmount: row.refundedFen,
    state: dueMachine.wire[row.state],
    deadline: toWireTime(row.deadline),
    expireIn: Math.max(0, Math.floor((row.deadline.getTime() - now.getTime()) / 1000)),
    paidTime: time(row.paidTime),
    payWay: row.payWay === null ? null : payWayWire[row.payWay],
    orderNo: row.orderNo,
    orderState: row.orderState === null ? null : orderMachine.wire[row.orderState],
    ...(row.state === 'due' && row.orderState === 'pending' && row.orderChannel !== null ? { openChannel: row.orderChannel } : {}),
    isInvoice: row.isInvoice,
    invoiceNo: row.invoiceNo,
    invoiceUrl: row.invoiceUrl,
    canPay: payable.ok,
    canRefund: canAskRefund(row, now),
    reason: row.state === 'due' ? reason : null,
    refund:
      row.refundState === null
        ? null
        : {
            state: refundMachine.wire[row.refundState],
            amount: row.refundFen ?? 0,
            time: time(row.refundTime),
            applyTime: time(row.refundApplied) ?? '',
            approveTime: time(row.refundApproved),
            submitTime: time(row.refundSubmitted),
            successTime: time(row.refundDone),
            reason:
              row.refundReason === 'other' && row.refundRemark ? row.refundRemark : ctx.say(refundReasonLabel[row.refundReason ?? 'other']),
            isTakenBack: row.refundState === 'closed' && row.isUndecided === true,
            rejection: row.refundState === 'rejected' ? (row.refundWord ?? '') : '',
            canTakeBack: row.refundState === 'requested' && row.isOwnRefund === true,
          },
  }
}

/** Finance reads names in full, everybody else masked (domain 2.1, 2.2). */
export const moneyRows: CrudSeams = {
  present: (ctx, row) => {
    const isFinance = ['finance', 'admin', 'exam_admin'].some(alias => ctx.session?.roleAliases.has(alias))
    const named = typeof row['payName'] === 'string' ? { ...row, payName: feeNameIn(row['payName'], ctx.language) } : row
    return isFinance || typeof row['name'] !== 'string' ? named : { ...named, name: maskName(row['name']) }
  },
}
export const alarmRows: CrudSeams = {
  present: (ctx, row) => {
    const kind = String(row['kind'])
    return { ...row, kind: ctx.say(alarmLabel(kind)), detail: ctx.say(alarmDetail(kind, String(row['detail']))) }
  },
}

const textIn = (row: Record<string, unknown>, name: string): string => String(row[name] ?? '')
const fenIn = (row: Record<string, unknown>, name: string): number | null => (typeof row[name] === 'number' ? row[name] : null)
const timeIn = (row: Record<string, unknown>, name: string): Date | null => fromWireTime(textIn(row, name)) ?? null
/** Why the books differ, in the reader's language. */
export const differenceRows: CrudSeams = {
  present: (ctx, row) => ({
    ...row,
    why: ctx.say(
      explainDifference({
        subject: textIn(row, 'subject'),
        kind: Number(row['kind']),
        transactionId: textIn(row, 'transactionId'),
        ourFen: fenIn(row, 'ourAmount'),
        billFen: fenIn(row, 'billAmount'),
        ourState: textIn(row, 'ourState'),
        billState: textIn(row, 'billState'),
        ourTime: timeIn(row, 'ourTime'),
        billTime: timeIn(row, 'billTime'),
        closedTime: timeIn(row, 'closedTime'),
      }),
    ),
  }),
}
