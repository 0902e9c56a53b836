import { everyStaff, office } from '../access/menu-roles.ts'
import type { MenuEntry } from '../kernel/menu-entry.ts'

/** The menus of this context with their buttons, and the roles of a new tenant that hold them. */
export const personMenus: readonly MenuEntry[] = [
  {
    code: 'wel',
    zh: '首页',
    en: 'Home',
    path: '/wel/index',
    icon: 'home',
    roles: everyStaff,
  },
  {
    code: 'userappeal',
    under: 'review',
    after: 'signup',
    zh: '身份申诉',
    en: 'Appeals about numbers',
    path: '/examine/userappeal',
    icon: 'edit',
    roles: office,
    buttons: [
      ['view', '查看', 'View', [...office, 'auditor']],
      ['edit', '审核', 'Decide', office],
    ],
  },
  {
    code: 'userupdateinfo',
    under: 'review',
    after: 'userappeal',
    zh: '信息变更申请',
    en: 'Verified data changes',
    path: '/examine/userupdate',
    icon: 'edit',
    roles: office,
    buttons: [
      ['view', '查看', 'View', [...office, 'auditor']],
      ['edit', '审核', 'Decide', office],
    ],
  },
]
