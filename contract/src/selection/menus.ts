import { office } from '../access/menu-roles.ts'
import type { MenuEntry } from '../kernel/menu-entry.ts'

/** The menus of this context with their buttons, and the roles of a new tenant that hold them. */
export const selectionMenus: readonly MenuEntry[] = [
  {
    code: 'recheck',
    under: 'review',
    after: 'signup',
    zh: '资格复审',
    en: 'Re-review',
    path: '/examine/review',
    icon: 'check',
    roles: [...office, 'unit_hr', 'recheck'],
    buttons: [
      ['view', '查看', 'View', [...office, 'unit_hr', 'recheck']],
      ['start', '通知入围人员', 'Call the shortlist', ['exam_admin']],
      ['decide', '复审', 'Decide', ['exam_admin', 'unit_hr', 'recheck']],
      ['restore', '提议恢复资格', 'Propose to restore', ['exam_admin']],
      ['uphold', '决定取消、恢复资格', 'Decide on disqualifying and restoring', ['admin']],
      ['chain', '递补链', 'Chain of substitution', [...office, 'unit_hr', 'recheck', 'auditor']],
      ['export', '导出', 'Export', [...office, 'unit_hr', 'recheck']],
    ],
  },
  {
    code: 'selection',
    under: 'results',
    after: 'result',
    zh: '体检考察与聘用',
    en: 'Medical check to hire',
    path: '/result/selection',
    icon: 'people',
    roles: [...office, 'unit_hr', 'auditor'],
    buttons: [
      ['view', '查看', 'View', [...office, 'unit_hr', 'auditor']],
      ['edit', '登记结果', 'Record outcomes', ['exam_admin']],
      ['rule', '设置', 'Settings', ['exam_admin']],
      ['export', '导出', 'Export', [...office, 'unit_hr']],
    ],
  },
]
