import { office } from '../access/menu-roles.ts'
import type { MenuEntry } from '../kernel/menu-entry.ts'

/** The menus of this context with their buttons, and the roles of a new tenant that hold them. */
export const statisticsMenus: readonly MenuEntry[] = [
  {
    code: 'dashboard',
    after: 'wel',
    zh: '数据看板',
    en: 'Dashboard',
    path: '/wel/dashboard',
    icon: 'dashboard',
    roles: [...office, 'unit_hr', 'finance', 'auditor'],
    buttons: [
      ['view', '查看', 'View', [...office, 'unit_hr', 'finance', 'auditor']],
      ['signup', '报名统计', 'Sign-up figures', [...office, 'unit_hr', 'auditor']],
      ['pay', '缴费统计', 'Payment figures', [...office, 'unit_hr', 'finance', 'auditor']],
    ],
  },
  {
    code: 'statsignup',
    under: 'stat',
    after: 'report',
    zh: '报名统计',
    en: 'Sign-up figures',
    path: '/stat/signup',
    icon: 'dashboard',
    roles: [...office, 'unit_hr', 'auditor'],
  },
  {
    code: 'statpay',
    under: 'stat',
    after: 'statsignup',
    zh: '缴费统计',
    en: 'Payment figures',
    path: '/stat/pay',
    icon: 'dashboard',
    roles: [...office, 'unit_hr', 'finance', 'auditor'],
  },
]
