import { definePages } from '#web/console/page-entry.ts'

export const pages = definePages([
  { path: '/examine/review', title: { zh: '资格复审', en: 'Re-review' }, load: () => import('./recheck/page.tsx'), section: 'selection' },
  {
    path: '/result/selection',
    title: { zh: '体检考察与聘用', en: 'Medical check to hire' },
    load: () => import('./stages/page.tsx'),
    section: 'selection',
  },
])
