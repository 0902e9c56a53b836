import { office } from '../access/menu-roles.ts'
import type { MenuEntry } from '../kernel/menu-entry.ts'

export const reductionMenus: readonly MenuEntry[] = [
  {
    code: 'reduction',
    under: 'review',
    after: 'signup',
    zh: '岗位核减与改报',
    en: 'Reductions and transfers',
    path: '/examine/reduction',
    icon: 'post',
    roles: office,
    buttons: [
      ['view', '查看', 'View', [...office, 'unit_hr', 'finance', 'auditor']],
      ['edit', '核减与公布', 'Decide and publish', office],
    ],
  },
]
