import { definePages } from '#web/console/page-entry.ts'

export const pages = definePages([
  { path: '/job/jobserver', title: { zh: '任务服务', en: 'Job servers' }, load: () => import('./servers-page.tsx') },
  { path: '/job/jobinfo', title: { zh: '定时任务', en: 'Scheduled jobs' }, load: () => import('./jobs-page.tsx') },
])
