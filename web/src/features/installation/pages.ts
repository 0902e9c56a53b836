import { definePages } from '#web/console/page-entry.ts'

export const pages = definePages([
  { path: '/monitor/invariant', title: { zh: '数据核对', en: 'Data checks' }, load: () => import('./invariant-page.tsx') },
])
