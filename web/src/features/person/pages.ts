import { definePages } from '#web/console/page-entry.ts'

export const pages = definePages([
  { path: '/info/index', title: { zh: '个人信息', en: 'Personal info' }, access: 'open', load: () => import('./info/page.tsx') },
  { path: '/problem/problem', title: { zh: '常见问题', en: 'Common questions' }, access: 'open', load: () => import('./problem/page.tsx') },
])
