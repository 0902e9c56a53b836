import { type Label, label } from '../kernel/label.ts'

/** What calls for a person of finance, by the name it is stored under. */
const alarmLabels: Readonly<Record<string, Label>> = {
  amountMismatch: label('到账金额与订单不符', 'The amount received differs from the order'),
  merchantMismatch: label('商户号不符', 'Paid to another merchant'),
  conflict: label('同一订单收到不同支付', 'Another payment for a paid order'),
  unknownOrder: label('收到未知订单的支付', 'A payment for an unknown order'),
  unknownRefund: label('收到未知退款的通知', 'News of an unknown refund'),
  noticeRefused: label('支付通知验签失败', 'A notice whose signature is wrong'),
  providerRejected: label('支付通道拒绝请求', 'The provider refused a request'),
  refundRejected: label('退款被支付通道拒绝', 'The provider refused a refund'),
  refundStuck: label('退款长时间无结果', 'A refund without an answer'),
  refundAmountMismatch: label('退款金额不符', 'The amount of a refund differs'),
  refundConflict: label('退款状态冲突', 'The state of a refund contradicts ours'),
  refundAbnormal: label('退款异常，需线下转账', 'A refund failed; transfer it by bank'),
  refundClosed: label('退款已被关闭', 'A refund was closed'),
  refundedOutside: label('在商户平台上的退款', 'A refund made in the merchant console'),
  refundExceeds: label('退款合计超过实付金额', 'Refunds of more than was paid'),
  billUnread: label('对账单无法读取', 'A day’s bill that cannot be read'),
  ledgerBroken: label('账本与应缴不一致', 'The ledger and a due do not agree'),
  billDiffers: label('对账单与订单不符', 'A bill that differs from the order'),
}
export const alarmLabel = (kind: string): Label => alarmLabels[kind] ?? label(kind, kind)
