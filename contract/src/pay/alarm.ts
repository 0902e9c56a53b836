import { type Label, label } from '../kernel/label.ts'

/** What calls for a person of finance, by the name it is stored under. */
const alarmLabels: Readonly<Record<string, Label>> = {
  amountMismatch: label('到账金额与订单不符', 'The amount received differs from the order'),
  merchantMismatch: label('商户号不符', 'Paid to another merchant'),
  conflict: label('同一订单收到不同支付', 'Another payment for a paid order'),
  unknownOrder: label('收到未知订单的支付', 'A payment for an unknown order'),
  unknownRefund: label('收到未知退费的通知', 'News of an unknown refund'),
  noticeRefused: label('支付通知验签失败', 'A notice whose signature is wrong'),
  providerRejected: label('支付通道拒绝请求', 'The provider refused a request'),
  refundRejected: label('退费被支付通道拒绝', 'The provider refused a refund'),
  refundStuck: label('退费长时间无结果', 'A refund without an answer'),
  refundAmountMismatch: label('退费金额不符', 'The amount of a refund differs'),
  refundConflict: label('退费状态冲突', 'The state of a refund contradicts ours'),
  refundAbnormal: label('退费异常，需线下转账', 'A refund failed; transfer it by bank'),
  refundClosed: label('退费已被关闭', 'A refund was closed'),
  refundedOutside: label('在商户平台上的退费', 'A refund made in the merchant console'),
  refundExceeds: label('退费合计超过实付金额', 'Refunds of more than was paid'),
  billUnread: label('对账单无法读取', 'A day’s bill that cannot be read'),
  ledgerBroken: label('账本与应缴不一致', 'The ledger and a due do not agree'),
  billDiffers: label('对账单与订单不符', 'A bill that differs from the order'),
}
/** What a refused notice means for whoever looks after the account, by the name that is stored. */
const noticeProblems: Readonly<Record<string, Label>> = {
  'missing-header': label(
    '请求没有带签名，未入账，多为外部扫描；反复出现时请核对支付平台登记的通知地址',
    'It carried no signature and nothing was posted: mostly a scanner. If it comes again and again, compare the notify address at the provider',
  ),
  stale: label(
    '通知时间相差五分钟以上，未入账；请核对服务器时间',
    'It was more than five minutes old and nothing was posted: check the clock of the server',
  ),
  'unknown-serial': label(
    '签名所用的平台证书或公钥不认识，未入账；请在“收款账户”更新支付平台公钥',
    'It was signed with a key we do not know and nothing was posted: renew the provider’s public key in the merchant account',
  ),
  'bad-signature': label(
    '签名不符，未入账；请核对“收款账户”中的支付平台公钥',
    'The signature is wrong and nothing was posted: compare the provider’s public key in the merchant account',
  ),
  malformed: label('内容无法识别，未入账', 'It cannot be read and nothing was posted'),
  undecipherable: label(
    '无法解密，未入账；请核对“收款账户”中的 APIv3 密钥',
    'It cannot be opened and nothing was posted: compare the API v3 key in the merchant account',
  ),
}
export const alarmDetail = (kind: string, detail: string): Label =>
  (kind === 'noticeRefused' ? noticeProblems[detail] : undefined) ?? label(detail, detail)
export const alarmLabel = (kind: string): Label => alarmLabels[kind] ?? label(kind, kind)
