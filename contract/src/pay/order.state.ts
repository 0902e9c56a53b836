/**
 * States of money. Inside the product a state is a word; the wire carries the number at its place in the list
 * (domain 3.13), converted by {@link stateNumber} and {@link stateName} and nowhere else.
 */

/** 0 创建 · 1 待支付 · 2 已支付 · 3 已关闭 · 4 退款中 · 5 已退款 · 6 部分退款 · 7 异常 */
export const orderStates = ['created', 'pending', 'paid', 'closed', 'refunding', 'refunded', 'partlyRefunded', 'abnormal'] as const
export type OrderState = (typeof orderStates)[number]

/** Why an order is unusual: 1 金额不符 · 2 关闭后支付 · 3 重复支付 · 4 商户号不符; 0 stands for none. */
export const orderExceptions = ['none', 'amountMismatch', 'paidAfterClose', 'duplicate', 'merchantMismatch'] as const
export type OrderException = (typeof orderExceptions)[number]

/** examPay: 0 免缴 · 1 待缴 · 2 已缴 · 3 退费中 · 4 已退费 · 5 逾期 · 6 作废 */
export const dueStates = ['exempt', 'due', 'paid', 'refunding', 'refunded', 'overdue', 'void'] as const
export type DueState = (typeof dueStates)[number]

/** 0 待审批 · 1 已提交 · 2 成功 · 3 关闭 · 4 异常 · 5 驳回 */
export const refundStates = ['requested', 'submitted', 'succeeded', 'closed', 'abnormal', 'rejected'] as const
export type RefundState = (typeof refundStates)[number]

/** The mirror on the sign-up: 0 无需 · 1 待缴 · 2 已缴 · 3 退费中 · 4 已退 · 5 逾期未缴 */
export const payStates = ['none', 'due', 'paid', 'refunding', 'refunded', 'overdue'] as const
export type PayState = (typeof payStates)[number]

/** 1 微信扫码 · 2 银行转账 · 3 现金/POS · 4 单位代缴; 0 stands for not paid yet. */
export const payWays = ['none', 'wechat', 'bankTransfer', 'cash', 'unit'] as const
export type PayWay = (typeof payWays)[number]

/** 岗位取消 · 重复缴费 · 误缴 · 迟到支付 · 其他 */
export const refundReasons = ['postCancelled', 'duplicate', 'mistake', 'late', 'other'] as const
export type RefundReason = (typeof refundReasons)[number]

/** The number on the wire of a state's name. */
export const stateNumber = <S extends string>(states: readonly S[], name: S): number => states.indexOf(name)

/** The name behind a number of the wire; undefined when there is none. */
export const stateName = <S extends string>(states: readonly S[], number: number): S | undefined => states[number]

export type OrderEvent = 'issue' | 'pay' | 'close' | 'suspend' | 'startRefund' | 'finishRefund' | 'finishPartRefund' | 'cancelRefund'

/**
 * `suspend` is money that may not be posted: wrong amount or merchant, too late, a second time. `closed → paid` is no
 * slip: a payment made in time whose news came after our close is kept (domain 8.4).
 */
export const orderMachine = {
  initial: 'created',
  on: {
    created: { issue: 'pending', pay: 'paid', close: 'closed', suspend: 'abnormal' },
    pending: { pay: 'paid', close: 'closed', suspend: 'abnormal' },
    paid: { startRefund: 'refunding' },
    closed: { pay: 'paid', suspend: 'abnormal' },
    refunding: { finishRefund: 'refunded', finishPartRefund: 'partlyRefunded', cancelRefund: 'paid' },
    refunded: {},
    partlyRefunded: { startRefund: 'refunding' },
    abnormal: { startRefund: 'refunding', pay: 'paid' },
  },
} as const satisfies { initial: OrderState; on: Record<OrderState, Partial<Record<OrderEvent, OrderState>>> }

export type DueEvent = 'pay' | 'lapse' | 'extend' | 'startRefund' | 'finishRefund' | 'cancelRefund' | 'void' | 'exempt'

export const dueMachine = {
  initial: 'due',
  on: {
    exempt: {},
    due: { pay: 'paid', lapse: 'overdue', void: 'void', exempt: 'exempt' },
    paid: { startRefund: 'refunding' },
    refunding: { finishRefund: 'refunded', cancelRefund: 'paid' },
    refunded: {},
    overdue: { pay: 'paid', extend: 'due', void: 'void', exempt: 'exempt' },
    void: {},
  },
} as const satisfies { initial: DueState; on: Record<DueState, Partial<Record<DueEvent, DueState>>> }

export type RefundEvent = 'approve' | 'reject' | 'succeed' | 'close' | 'fail' | 'settleByHand'

/** `settleByHand`: the card is dead, finance has paid by bank transfer and recorded the voucher (domain 8.5). */
export const refundMachine = {
  initial: 'requested',
  on: {
    requested: { approve: 'submitted', reject: 'rejected' },
    submitted: { succeed: 'succeeded', close: 'closed', fail: 'abnormal' },
    succeeded: {},
    closed: {},
    abnormal: { succeed: 'succeeded', close: 'closed', settleByHand: 'succeeded' },
    rejected: {},
  },
} as const satisfies { initial: RefundState; on: Record<RefundState, Partial<Record<RefundEvent, RefundState>>> }
