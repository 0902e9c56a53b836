import { definePages } from '#web/console/page-entry.ts'

export const pages = definePages([
  {
    path: '/examine/userappeal',
    title: { zh: '身份申诉', en: 'Appeals about numbers' },
    load: () => import('./page.tsx'),
  },
])
