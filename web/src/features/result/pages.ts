import { definePages } from '#web/console/page-entry.ts'

export const pages = definePages([
  { path: '/result/result', title: { zh: '成绩管理', en: 'Results' }, load: () => import('./page.tsx'), section: 'results' },
  { path: '/result/recheck', title: { zh: '成绩复查', en: 'Re-checks' }, load: () => import('./recheck-page.tsx'), section: 'results' },
])
