import { definePages } from '#web/console/page-entry.ts'

export const pages = definePages([
  {
    path: '/examine/userupdate',
    title: { zh: '信息变更申请', en: 'Changes of verified data' },
    load: () => import('./page.tsx'),
  },
])
