import type { TrailWords } from '../kernel/trail-words.ts'

/** How the audit trail names what this context does. */
export const trailWords: TrailWords = {
  nouns: {
    exampay: { zh: '缴费', en: 'Due' },
    payaccount: { zh: '收款账户', en: 'Payment account' },
    payalarm: { zh: '缴费告警', en: 'Payment alarm' },
    payorder: { zh: '订单', en: 'Order' },
    refund: { zh: '退款', en: 'Refund' },
  },
  verbs: {
    T7a: { zh: '应缴名单', en: 'dues' },
    T7b: { zh: '实缴名单', en: 'payments' },
  },
  entities: ['payaccount', 'refund'],
}
