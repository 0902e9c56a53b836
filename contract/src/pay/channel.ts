import { type Label, label } from '../kernel/label.ts'

/** Who takes an order's money and pays it out to the office. */
export type PayChannel = 'wechat' | 'alipay'
export const channelLabels: Readonly<Record<PayChannel, Label>> = {
  wechat: label('微信支付', 'WeChat Pay'),
  alipay: label('支付宝', 'Alipay'),
}
