import type { ImportKind } from '../kernel/import-kind.ts'

/** What comes into this context by workbooks. */
export const payImports = {
  dues: {
    kind: 'T7a',
    label: { zh: '应缴导入', en: 'Import of dues' },
    trail: { zh: '应缴名单', en: 'dues' },
    permission: 'exampay_import',
    path: '/blade-exam/examination/importExamPay',
    partial: false,
  },
  payments: {
    kind: 'T7b',
    label: { zh: '实缴导入', en: 'Import of payments' },
    trail: { zh: '实缴名单', en: 'payments' },
    permission: 'exampay_import',
    path: '/blade-exam/examination/importPay',
    partial: false,
  },
  invoices: {
    kind: 'T7c',
    label: { zh: '票据导入', en: 'Import of receipts' },
    trail: { zh: '票据', en: 'receipts' },
    permission: 'exampay_invoice',
    path: '/blade-exam/examination/importInvoice',
    partial: false,
  },
} as const satisfies Record<string, ImportKind>
