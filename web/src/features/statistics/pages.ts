import { definePages } from '../../console/page-entry.ts'

export const pages = definePages([
  { path: '/wel/dashboard', title: { zh: '数据看板', en: 'Dashboard' }, load: () => import('./dashboard/page.tsx'), section: 'statistics' },
  {
    path: '/stat/signup',
    title: { zh: '报名统计', en: 'Sign-up figures' },
    load: () => import('./figures/signup-page.tsx'),
    section: 'statistics',
  },
  {
    path: '/stat/pay',
    title: { zh: '缴费统计', en: 'Payment figures' },
    load: () => import('./figures/pay-page.tsx'),
    section: 'statistics',
  },
  { path: '/system/setup', title: { zh: '安装检查', en: 'Set-up' }, load: () => import('./home/setup.tsx') },
  { path: '/wel/index', title: { zh: '首页', en: 'Home' }, access: 'open', load: () => import('./home/page.tsx') },
])
