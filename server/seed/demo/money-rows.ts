import { orderDescription } from '#contract/pay/fee.ts'
import type { DueState, OrderState, RefundState } from '#contract/pay/order.state.ts'
import type { EmulatorOrder, EmulatorRefund } from '#server/demo/wxpay-emulator/records.ts'
import type { Stage } from './stage.ts'

export interface Due {
  id: string
  state: DueState
  deadline: Date
  paidFen: number
  refundedFen: number
  paidTime: Date | null
  payWay: 'wechat' | 'bankTransfer' | null
  voucherNo: string | null
  source: 1 | 3
  remark: string | null
  createdAt: Date
  updatedAt: Date
  version: number
}
export interface Order {
  readonly id: string
  readonly orderNo: string
  readonly codeUrl: string
  readonly createdAt: Date
  state: OrderState
  transactionId: string | null
  openid: string | null
  paidAt: Date | null
  updatedAt: Date
  version: number
}
export interface Refund {
  readonly id: string
  readonly refundNo: string
  readonly createdAt: Date
  state: RefundState
  approvedAt: Date | null
  providerId: string | null
  successAt: Date | null
  updatedAt: Date
  version: number
}

/** What the payment emulator has to know, so that questions and refunds about these orders are answered. */
export interface EmulatorFacts {
  readonly orders: EmulatorOrder[]
  readonly refunds: EmulatorRefund[]
}

/** Refunds to a bank card take some days; until then the emulator says PROCESSING. */
const bankDays = 2

export const expiryOf = ({ exam }: Stage, order: Order): Date => new Date(order.createdAt.getTime() + exam.payLimitMinutes * 60_000)

/** Adds the rows of a due, its orders and its refund as they stand at the end, and what the emulator knows of them. */
export const addPurseRows = (
  stage: Stage,
  of: {
    readonly signupId: string
    readonly userId: string
    readonly amountFen: number
    readonly clerkId: string
    readonly approverId: string
  },
  {
    due,
    orders,
    winner,
    refund,
  }: { readonly due: Due; readonly orders: readonly Order[]; readonly winner: Order | undefined; readonly refund: Refund | undefined },
  emulator: EmulatorFacts,
  notifyUrl: (kind: 'notify' | 'refundNotify') => string,
): void => {
  const { book, exam } = stage
  book.add('exam_pay', {
    id: due.id,
    exam_id: exam.id,
    signup_id: of.signupId,
    user_id: of.userId,
    item_id: '0',
    pay_kind: 1,
    pay_name: '报名费',
    amount_fen: of.amountFen,
    paid_fen: due.paidFen,
    refunded_fen: due.refundedFen,
    state: due.state,
    deadline: due.deadline,
    own_deadline: due.source === 3,
    paid_time: due.paidTime,
    pay_way: due.payWay,
    order_id: winner?.id ?? null,
    voucher_no: due.voucherNo,
    posted_by: due.voucherNo === null ? null : of.clerkId,
    source: due.source,
    remark: due.remark,
    created_by: '0',
    created_at: due.createdAt,
    updated_by: '0',
    updated_at: due.updatedAt,
    version: due.version,
  })
  const description = orderDescription(exam.name, '报名费')
  for (const order of orders) {
    book.add('pay_order', {
      id: order.id,
      order_no: order.orderNo,
      pay_id: due.id,
      user_id: of.userId,
      amount_fen: of.amountFen,
      description,
      code_url: order.codeUrl,
      state: order.state,
      expire_time: expiryOf(stage, order),
      transaction_id: order.transactionId,
      payer_sealed:
        order.openid === null
          ? null
          : stage.cipher.seal(stage.tenantId, { table: 'pay_order', column: 'payer_sealed', rowId: order.id }, order.openid),
      trade_type: order.paidAt === null ? null : 'NATIVE',
      trade_state: order.paidAt === null ? null : 'SUCCESS',
      success_time: order.paidAt,
      paid_fen: order.paidAt === null ? null : of.amountFen,
      notify_count: order.paidAt === null ? 0 : 1,
      closed_at: order.state === 'closed' ? order.updatedAt : null,
      closed_by: order.state === 'closed' ? '0' : null,
      close_reason: order.state === 'closed' ? 'expired' : null,
      ...stage.merchant,
      created_by: of.userId,
      created_at: order.createdAt,
      updated_by: of.userId,
      updated_at: order.updatedAt,
      version: order.version,
    })
    emulator.orders.push({
      ...stage.merchant,
      orderNo: order.orderNo,
      description,
      attach: due.id,
      notifyUrl: notifyUrl('notify'),
      totalFen: of.amountFen,
      createdAt: order.createdAt.toISOString(),
      expiresAt: expiryOf(stage, order).toISOString(),
      codeUrl: order.codeUrl,
      state: order.paidAt === null ? 'CLOSED' : 'SUCCESS',
      ...(order.transactionId === null || order.paidAt === null || order.openid === null
        ? {}
        : { transactionId: order.transactionId, successAt: order.paidAt.toISOString(), openid: order.openid }),
      signWith: 'publicKey',
    })
  }
  if (!refund || !winner) return
  book.add('pay_refund', {
    id: refund.id,
    refund_no: refund.refundNo,
    order_id: winner.id,
    pay_id: due.id,
    user_id: of.userId,
    amount_fen: of.amountFen,
    reason: 'other',
    remark: '个人原因放弃考试',
    state: refund.state,
    apply_by: of.userId,
    approve_by: refund.approvedAt === null ? null : of.approverId,
    approve_time: refund.approvedAt,
    approved_by_rule: false,
    submitted_at: refund.approvedAt,
    provider_refund_id: refund.providerId,
    success_time: refund.successAt,
    query_count: refund.approvedAt === null ? 0 : 1,
    created_at: refund.createdAt,
    updated_by: refund.approvedAt === null ? null : of.approverId,
    updated_at: refund.updatedAt,
    version: refund.version,
  })
  if (refund.approvedAt === null || refund.providerId === null) return
  const settlesAt = refund.successAt ?? new Date(refund.approvedAt.getTime() + bankDays * 24 * 3_600_000)
  emulator.refunds.push({
    mchid: stage.merchant.mchid,
    orderNo: winner.orderNo,
    refundNo: refund.refundNo,
    refundId: refund.providerId,
    refundFen: of.amountFen,
    reason: '其他',
    notifyUrl: notifyUrl('refundNotify'),
    createdAt: refund.approvedAt.toISOString(),
    status: refund.successAt === null ? 'PROCESSING' : 'SUCCESS',
    outcome: 'SUCCESS',
    settlesAt: settlesAt.toISOString(),
    ...(refund.successAt === null ? {} : { successAt: refund.successAt.toISOString() }),
  })
}
