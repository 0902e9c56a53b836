import { administrators } from '../access/menu-roles.ts'
import type { MenuEntry } from '../kernel/menu-entry.ts'

export const installationMenus: readonly MenuEntry[] = [
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
