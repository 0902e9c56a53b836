import { administrators, operator } from '../access/menu-roles.ts'
import type { MenuEntry } from '../kernel/menu-entry.ts'

export const installationMenus: readonly MenuEntry[] = [
  {
    code: 'setup',
    under: 'system',
    zh: '安装检查',
    en: 'Set-up',
    path: '/system/setup',
    icon: 'check',
    roles: operator,
    buttons: [
      ['view', '查看', 'View', operator],
      ['try', '试一试', 'Try it', operator],
    ],
  },
  {
    code: 'invariant',
    under: 'monitor',
    zh: '数据核对',
    en: 'Data checks',
    path: '/monitor/invariant',
    icon: 'check',
    roles: administrators,
    buttons: [
      ['view', '查看', 'View', administrators],
      ['run', '立即核对', 'Check now', administrators],
      ['heal', '修复', 'Set right', administrators],
    ],
  },
]
