import { definePages } from '#web/console/page-entry.ts'

export const pages = definePages([
  { path: '/stat/report', title: { zh: '报表', en: 'Reports' }, load: () => import('./list/page.tsx') },
  {
    path: '/stat/report/design/:id',
    title: { zh: '设计报表', en: 'Design a report' },
    load: () => import('./design/page.tsx'),
    access: { under: '/stat/report' },
  },
  // Whoever was sent a result has a link to it and need not have the menu.
  { path: '/stat/report/open', title: { zh: '报表结果', en: 'Result of a report' }, load: () => import('./view/page.tsx'), access: 'open' },
])
