import { definePages } from '#web/console/page-entry.ts'

export const pages = definePages([
  { path: '/monitor/alert', title: { zh: '异常告警', en: 'Alerts' }, load: () => import('./alert-page.tsx') },
  { path: '/monitor/watchRule', title: { zh: '告警规则', en: 'Rules of alerts' }, load: () => import('./rule-page.tsx') },
])
