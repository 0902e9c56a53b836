import { definePages } from '#web/console/page-entry.ts'

export const pages = definePages([
  {
    path: '/examine/reduction',
    title: { zh: '岗位核减与改报', en: 'Reductions and transfers' },
    load: () => import('./page.tsx'),
    section: 'reduction',
  },
])
