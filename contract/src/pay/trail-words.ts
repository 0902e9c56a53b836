import { importVerbs } from '../kernel/import-kind.ts'
import type { TrailWords } from '../kernel/trail-words.ts'
import { payImports } from './import-kinds.ts'

/** How the audit trail names what this context does. */
export const trailWords: TrailWords = {
  nouns: {
    exampay: { zh: '缴费', en: 'Due' },
    payaccount: { zh: '收款账户', en: 'Payment account' },
    payalarm: { zh: '缴费告警', en: 'Payment alarm' },
    payorder: { zh: '订单', en: 'Order' },
    refund: { zh: '退款', en: 'Refund' },
  },
  verbs: importVerbs(payImports),
  entities: ['payaccount', 'refund'],
}
