import { definePages } from '#web/console/page-entry.ts'

export const pages = definePages([
  {
    path: '/examine/userupdate',
    title: { zh: '信息变更申请', en: 'Verified data changes' },
    load: () => import('./page.tsx'),
  },
])
