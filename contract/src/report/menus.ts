import { office } from '../access/menu-roles.ts'
import type { MenuEntry } from '../kernel/menu-entry.ts'

/** Whoever has figures of their own to see (domain 2.3): what of them is settled by the data sets. */
const readers = [...office, 'unit_hr', 'finance', 'auditor'] as const
const makers = [...office, 'finance'] as const

/** The menus of this context with their buttons, and the roles of a new tenant that hold them. */
export const reportMenus: readonly MenuEntry[] = [
  { code: 'stat', after: 'results', zh: '统计', en: 'Statistics', path: '/stat', icon: 'dashboard', roles: [...readers] },
  {
    code: 'report',
    under: 'stat',
    zh: '报表',
    en: 'Reports',
    path: '/stat/report',
    icon: 'dashboard',
    roles: [...readers],
    buttons: [
      ['view', '查看', 'View', [...readers]],
      ['add', '新增', 'Add', [...makers]],
      ['edit', '编辑', 'Edit', [...makers]],
      ['delete', '删除', 'Delete', [...makers]],
      ['export', '导出', 'Export', [...readers]],
      ['send', '定时发送', 'Send on schedule', [...makers]],
      ['messages', '消息统计', 'Figures of messages', [...office, 'auditor']],
    ],
  },
]
