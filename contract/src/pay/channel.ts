import { Type } from 'typebox'
import { type Label, label } from '../kernel/label.ts'

/** Who takes an order's money and pays it out to the office. */
export type PayChannel = 'wechat' | 'alipay' | 'nontax'
export const channelLabels: Readonly<Record<PayChannel, Label>> = {
  wechat: label('微信支付', 'WeChat Pay'),
  alipay: label('支付宝', 'Alipay'),
  nontax: label('非税缴款平台', 'Non-tax payment platform'),
}

export const payChannels = Object.keys(channelLabels) as readonly PayChannel[]

/** The same as a field of a call. */
export const payChannel = () => Type.Union([Type.Literal('wechat'), Type.Literal('alipay'), Type.Literal('nontax')])
