import type { Book } from './book.ts'
import type { EmulatorOrder, EmulatorRefund } from './records.ts'
import { rfc3339 } from './time.ts'

const STATE_TEXT = { SUCCESS: '支付成功', REFUND: '转入退款', NOTPAY: '订单未支付', CLOSED: '订单已关闭' } as const

const tradeStateOf = (book: Book, order: EmulatorOrder): keyof typeof STATE_TEXT =>
  order.state === 'SUCCESS' && book.refundsOf(order).some(refund => refund.status === 'SUCCESS') ? 'REFUND' : order.state

/** A transaction as queries answer it and notices carry it. */
export const transactionView = (book: Book, order: EmulatorOrder): Record<string, unknown> => {
  const tradeState = tradeStateOf(book, order)
  const head = {
    appid: order.appid,
    mchid: order.mchid,
    out_trade_no: order.orderNo,
    attach: order.attach,
    trade_state: tradeState,
    trade_state_desc: STATE_TEXT[tradeState],
  }
  if (order.successAt === undefined) return { ...head, amount: { total: order.totalFen, currency: 'CNY' } }
  return {
    ...head,
    transaction_id: order.transactionId,
    trade_type: order.tradeType ?? 'NATIVE',
    bank_type: 'OTHERS',
    success_time: rfc3339(new Date(order.successAt)),
    payer: { openid: order.openid },
    amount: { total: order.totalFen, payer_total: order.totalFen, currency: 'CNY', payer_currency: 'CNY' },
  }
}

/** A refund as the API answers it. */
export const refundView = (order: EmulatorOrder, refund: EmulatorRefund): Record<string, unknown> => ({
  refund_id: refund.refundId,
  out_refund_no: refund.refundNo,
  transaction_id: order.transactionId,
  out_trade_no: order.orderNo,
  channel: 'ORIGINAL',
  user_received_account: '支付用户零钱',
  funds_account: 'AVAILABLE',
  status: refund.status,
  create_time: rfc3339(new Date(refund.createdAt)),
  ...(refund.successAt === undefined ? {} : { success_time: rfc3339(new Date(refund.successAt)) }),
  amount: {
    total: order.totalFen,
    refund: refund.refundFen,
    payer_total: order.totalFen,
    payer_refund: refund.refundFen,
    settlement_total: order.totalFen,
    settlement_refund: refund.refundFen,
    discount_refund: 0,
    currency: 'CNY',
  },
})

/** A refund as a notice carries it: another name for the state, no create time, the merchant added. */
export const refundNoticeView = (order: EmulatorOrder, refund: EmulatorRefund): Record<string, unknown> => ({
  mchid: order.mchid,
  out_trade_no: order.orderNo,
  transaction_id: order.transactionId,
  out_refund_no: refund.refundNo,
  refund_id: refund.refundId,
  refund_status: refund.status,
  user_received_account: '支付用户零钱',
  ...(refund.successAt === undefined ? {} : { success_time: rfc3339(new Date(refund.successAt)) }),
  amount: { total: order.totalFen, refund: refund.refundFen, payer_total: order.totalFen, payer_refund: refund.refundFen },
})
