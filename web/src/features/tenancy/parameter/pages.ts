import { definePages } from '#web/console/page-entry.ts'

export const pages = definePages([
  { path: '/system/platformParam', title: { zh: '平台参数', en: 'Platform parameters' }, load: () => import('./platform-page.tsx') },
])
