import { defineMachine, defineStates } from '#contract/kernel/machine.ts'

export type OrderState = 'created' | 'pending' | 'paid' | 'closed' | 'refunding' | 'refunded' | 'partlyRefunded' | 'abnormal'
export type OrderEvent = 'issue' | 'pay' | 'close' | 'suspend' | 'startRefund' | 'finishRefund' | 'finishPartRefund' | 'cancelRefund'

/**
 * A payment order at the provider (domain 3.13, `payOrder.state`). `suspend` is money that may not be posted: wrong amount or
 * merchant, too late, a second time. `closed → paid` is no slip: a payment made in time whose news came after our close is
 * kept (domain 8.4). `created` knows `pay` because an order whose answer was lost may have been paid.
 */
export const orderMachine = defineMachine<OrderState, OrderEvent>({
  name: 'payOrder',
  initial: 'created',
  on: {
    created: { issue: 'pending', pay: 'paid', close: 'closed', suspend: 'abnormal' },
    pending: { pay: 'paid', close: 'closed', suspend: 'abnormal' },
    paid: { startRefund: 'refunding' },
    closed: { pay: 'paid', suspend: 'abnormal' },
    refunding: { finishRefund: 'refunded', finishPartRefund: 'partlyRefunded', cancelRefund: 'paid', suspend: 'abnormal' },
    refunded: {},
    partlyRefunded: { startRefund: 'refunding' },
    abnormal: { startRefund: 'refunding', pay: 'paid' },
  },
  wire: { created: 0, pending: 1, paid: 2, closed: 3, refunding: 4, refunded: 5, partlyRefunded: 6, abnormal: 7 },
  label: {
    created: { zh: '创建', en: 'Created' },
    pending: { zh: '待支付', en: 'Waiting for payment' },
    paid: { zh: '已支付', en: 'Paid' },
    closed: { zh: '已关闭', en: 'Closed' },
    refunding: { zh: '退费中', en: 'Refund under way' },
    refunded: { zh: '已退费', en: 'Refunded' },
    partlyRefunded: { zh: '部分退费', en: 'Partly refunded' },
    abnormal: { zh: '异常', en: 'Abnormal' },
  },
  tone: {
    created: 'draft',
    pending: 'waiting',
    paid: 'passed',
    closed: 'closed',
    refunding: 'active',
    refunded: 'closed',
    partlyRefunded: 'closed',
    abnormal: 'refused',
  },
})

export type DueState = 'exempt' | 'due' | 'paid' | 'refunding' | 'refunded' | 'overdue' | 'void'
export type DueEvent =
  | 'pay'
  | 'lapse'
  | 'extend'
  | 'startRefund'
  | 'finishRefund'
  | 'cancelRefund'
  | 'refundByHand'
  | 'takeBack'
  | 'void'
  | 'exempt'

/**
 * What a sign-up owes (domain 3.13 and 4.5, `examPay.state`). `overdue → paid` only by a payment that was made in time. What was paid
 * by hand goes back in one step, when the transfer is written down. `takeBack`: the import that had entered the payment is undone.
 */
export const dueMachine = defineMachine<DueState, DueEvent>({
  name: 'examPay',
  initial: 'due',
  on: {
    exempt: {},
    due: { pay: 'paid', lapse: 'overdue', void: 'void', exempt: 'exempt' },
    paid: { startRefund: 'refunding', refundByHand: 'refunded', takeBack: 'due' },
    refunding: { finishRefund: 'refunded', cancelRefund: 'paid' },
    refunded: {},
    overdue: { pay: 'paid', extend: 'due', void: 'void', exempt: 'exempt' },
    void: {},
  },
  wire: { exempt: 0, due: 1, paid: 2, refunding: 3, refunded: 4, overdue: 5, void: 6 },
  label: {
    exempt: { zh: '免缴', en: 'Exempt' },
    due: { zh: '待缴', en: 'Due' },
    paid: { zh: '已缴', en: 'Paid' },
    refunding: { zh: '退费中', en: 'Refund under way' },
    refunded: { zh: '已退费', en: 'Refunded' },
    overdue: { zh: '逾期未缴', en: 'Overdue' },
    void: { zh: '作废', en: 'Void' },
  },
  tone: { exempt: 'closed', due: 'waiting', paid: 'passed', refunding: 'active', refunded: 'closed', overdue: 'refused', void: 'closed' },
})

export type RefundState = 'requested' | 'submitted' | 'succeeded' | 'closed' | 'abnormal' | 'rejected'
export type RefundEvent = 'approve' | 'reject' | 'takeBack' | 'succeed' | 'close' | 'fail' | 'settleByHand' | 'payOut'

/**
 * One refund (domain 8.5). `settleByHand`: the card is dead, finance paid by transfer and recorded the voucher. `payOut`: the money had
 * come by hand; who approves has transferred it back. `takeBack`: whoever asked has changed their mind before anybody decided.
 */
export const refundMachine = defineMachine<RefundState, RefundEvent>({
  name: 'refund',
  initial: 'requested',
  on: {
    requested: { approve: 'submitted', reject: 'rejected', payOut: 'succeeded', takeBack: 'closed' },
    submitted: { succeed: 'succeeded', close: 'closed', fail: 'abnormal' },
    succeeded: {},
    closed: {},
    abnormal: { succeed: 'succeeded', close: 'closed', settleByHand: 'succeeded' },
    rejected: {},
  },
  wire: { requested: 0, submitted: 1, succeeded: 2, closed: 3, abnormal: 4, rejected: 5 },
  label: {
    requested: { zh: '待审批', en: 'Waiting for approval' },
    submitted: { zh: '退费处理中', en: 'Under way' },
    succeeded: { zh: '退费成功', en: 'Refunded' },
    closed: { zh: '退费关闭', en: 'Closed' },
    abnormal: { zh: '退费异常', en: 'Failed at the bank' },
    rejected: { zh: '已驳回', en: 'Rejected' },
  },
  tone: { requested: 'waiting', submitted: 'active', succeeded: 'passed', closed: 'closed', abnormal: 'refused', rejected: 'refused' },
})

/** The receipt of what was paid (`examPay.isInvoice`). */
export type InvoiceState = 'none' | 'issued' | 'applied'
export const invoiceStates = defineStates<InvoiceState>({
  wire: { none: 0, issued: 1, applied: 2 },
  label: { none: { zh: '未申请', en: 'Not applied' }, issued: { zh: '已开具', en: 'Issued' }, applied: { zh: '已申请', en: 'Applied' } },
  tone: { none: 'draft', issued: 'passed', applied: 'waiting' },
})

/** The mirror of the due on the sign-up (`signup.payState`); its numbers differ from those of the due. */
export type PayState = 'none' | 'due' | 'paid' | 'refunding' | 'refunded' | 'overdue'
export const payStateWire: Readonly<Record<PayState, number>> = { none: 0, due: 1, paid: 2, refunding: 3, refunded: 4, overdue: 5 }
export const payStateOfDue: Readonly<Record<DueState, PayState>> = {
  exempt: 'none',
  due: 'due',
  paid: 'paid',
  refunding: 'refunding',
  refunded: 'refunded',
  overdue: 'overdue',
  void: 'none',
}

/** All that was paid, on its way back: nothing is; its owner has asked and may take that back; somebody else has, or it is decided. */
export type RefundWaits = 'none' | 'own' | 'other'

/** Why an order is unusual (`payOrder.exceptionType`): 金额不符 · 关闭后支付 · 重复支付 · 商户号不符 · 商户平台退费. */
export type OrderException = 'amountMismatch' | 'paidAfterClose' | 'duplicate' | 'merchantMismatch' | 'refundedOutside'

/** How a due was paid: 微信扫码 · 银行转账 · 现金/POS · 单位代缴 · 支付宝 · 非税缴款码. */
export type PayWay = 'wechat' | 'bankTransfer' | 'cash' | 'unit' | 'alipay' | 'nontax'
export const payWayWire: Readonly<Record<PayWay, number>> = { wechat: 1, bankTransfer: 2, cash: 3, unit: 4, alipay: 5, nontax: 6 }

/**
 * 岗位取消 · 重复缴费 · 误缴 · 迟到支付 · 其他 · 商户平台退费, which nobody has asked for here: the office has made it in the provider's own console · 费用减免,
 * which finance has decided.
 */
export type RefundReason = 'postCancelled' | 'duplicate' | 'mistake' | 'late' | 'other' | 'outside' | 'waived'
export const refundReasonLabel: Readonly<Record<RefundReason, { readonly zh: string; readonly en: string }>> = {
  postCancelled: { zh: '岗位取消', en: 'Post cancelled' },
  duplicate: { zh: '重复缴费', en: 'Paid twice' },
  mistake: { zh: '误缴', en: 'Paid by mistake' },
  late: { zh: '迟到支付', en: 'Paid too late' },
  other: { zh: '其他', en: 'Other' },
  outside: { zh: '商户平台退费', en: 'Refunded in the merchant console' },
  waived: { zh: '费用减免', en: 'Fee let off' },
}
