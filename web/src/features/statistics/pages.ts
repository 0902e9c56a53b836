import { definePages } from '../../console/page-entry.ts'

export const pages = definePages([
  { path: '/wel/dashboard', title: { zh: '数据看板', en: 'Dashboard' }, load: () => import('./dashboard/page.tsx'), section: 'statistics' },
  { path: '/wel/index', title: { zh: '首页', en: 'Home' }, access: 'open', load: () => import('./home/page.tsx') },
])
