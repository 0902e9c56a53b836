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
    paydifference: { zh: '对账差异', en: 'Difference' },
    reconciliation: { zh: '对账', en: 'Reconciliation' },
    feewaiver: { zh: '费用减免申请', en: 'Request to be let off a fee' },
    payrefund: { zh: '退费', en: 'Refund' },
    refund: { zh: '退费', en: 'Refund' },
  },
  verbs: {
    ...importVerbs(payImports),
    compared: { zh: '重新对账', en: 'compared again' },
    'ledger-checked': { zh: '核对账本', en: 'ledger checked' },
    settled: { zh: '处理', en: 'settled' },
    opened: { zh: '撤销处理', en: 'opened again' },
    waived: { zh: '减免', en: 'let off' },
    'batch-undone': { zh: '撤销批次', en: 'batch undone' },
    'payment-undone': { zh: '撤销缴费登记', en: 'payment taken back' },
  },
  entities: ['payaccount', 'refund'],
}
