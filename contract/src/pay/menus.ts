import { office } from '../access/menu-roles.ts'
import type { MenuEntry } from '../kernel/menu-entry.ts'

/** The menus of this context with their buttons, and the roles of a new tenant that hold them. */
export const payMenus: readonly MenuEntry[] = [
  {
    code: 'pay',
    after: 'results',
    zh: '缴费',
    en: 'Payments',
    path: '/pay',
    icon: 'pay',
    roles: ['finance', 'admin', 'exam_admin'],
  },
  {
    code: 'exampay',
    under: 'pay',
    zh: '应缴',
    en: 'Dues',
    path: '/pay/examPay',
    icon: 'pay',
    roles: ['finance', 'admin', 'exam_admin'],
    buttons: [
      ['view', '查看', 'View', [...office, 'finance', 'auditor']],
      ['add', '新增', 'Add', ['finance']],
      ['delete', '作废', 'Void', ['finance']],
      ['handleup', '手工登记', 'Post by hand', ['finance']],
      ['refund', '申请退费', 'Apply for refund', ['finance', 'exam_admin']],
      ['approve', '审批退费', 'Approve refund', ['finance']],
      ['qrcode', '收款码', 'Payment code', ['finance']],
      ['invoice', '开票', 'Issue receipt', ['finance']],
      ['export', '导出', 'Export', ['finance', 'exam_admin']],
      ['import', '导入', 'Import', ['finance']],
    ],
  },
  {
    code: 'payinvoice',
    under: 'pay',
    after: 'exampay',
    zh: '票据',
    en: 'Receipts',
    path: '/pay/invoice',
    icon: 'list',
    roles: ['finance', 'admin'],
  },
  {
    code: 'payaccount',
    under: 'pay',
    after: 'exampay',
    zh: '收款账户',
    en: 'Merchant account',
    path: '/pay/payAccount',
    icon: 'key',
    roles: ['admin', 'finance'],
    buttons: [
      ['view', '查看', 'View', ['admin', 'finance', 'auditor']],
      ['edit', '修改', 'Edit', ['admin']],
    ],
  },
  {
    code: 'feewaiver',
    under: 'pay',
    after: 'exampay',
    zh: '费用减免',
    en: 'Fee waivers',
    path: '/pay/feeWaiver',
    icon: 'review',
    roles: ['finance', 'exam_admin'],
    buttons: [
      ['view', '查看', 'View', ['finance', 'exam_admin', 'auditor']],
      ['decide', '审核', 'Decide', ['finance']],
    ],
  },
]
