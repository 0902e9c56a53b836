import type { Outbound } from '#kernel/outbound.ts'
import { ALIYUN_SMS_ORIGIN } from './aliyun.ts'
import { TENCENT_SMS_ORIGIN } from './tencent.ts'

/** Keys of the dictionary `sms` that this program speaks with. */
export type SmsCategory = '3' | '4'
export const isSmsCategory = (category: string): category is SmsCategory => category === '3' || category === '4'

/** Where the providers are: their own addresses, or an emulator that speaks the same wires in demo and test. */
export interface SmsGateway {
  readonly outbound: Outbound
  readonly origin: (category: SmsCategory) => Promise<string>
}

export const smsOrigins: Readonly<Record<SmsCategory, string>> = { '3': ALIYUN_SMS_ORIGIN, '4': TENCENT_SMS_ORIGIN }
