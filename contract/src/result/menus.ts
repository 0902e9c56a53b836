import { office } from '../access/menu-roles.ts'
import type { MenuEntry } from '../kernel/menu-entry.ts'

/** The menus of this context with their buttons, and the roles of a new tenant that hold them. */
export const resultMenus: readonly MenuEntry[] = [
  {
    code: 'results',
    after: 'tickets',
    zh: '成绩',
    en: 'Results',
    path: '/result',
    icon: 'score',
    roles: ['exam_admin', 'admin', 'unit_hr', 'auditor'],
  },
  {
    code: 'result',
    under: 'results',
    zh: '成绩管理',
    en: 'Results',
    path: '/result/result',
    icon: 'score',
    roles: ['exam_admin', 'admin'],
    buttons: [
      ['view', '查看', 'View', [...office, 'unit_hr', 'recheck', 'auditor']],
      ['import', '导入', 'Import', ['exam_admin']],
      ['edit', '更正', 'Correct', ['exam_admin']],
      ['release', '发布', 'Release', ['exam_admin']],
      ['withdraw', '撤回发布', 'Withdraw', ['admin']],
      ['delete', '清空', 'Clear', ['exam_admin']],
      ['export', '导出', 'Export', [...office, 'unit_hr', 'recheck']],
    ],
  },
  {
    code: 'scorerecheck',
    under: 'results',
    zh: '成绩复查',
    en: 'Re-checks',
    path: '/result/recheck',
    icon: 'score',
    roles: ['exam_admin', 'admin'],
    buttons: [
      ['view', '查看', 'View', [...office, 'auditor']],
      ['edit', '答复', 'Answer', ['exam_admin']],
    ],
  },
]
