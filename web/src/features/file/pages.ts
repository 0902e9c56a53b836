import { definePages } from '#web/console/page-entry.ts'

export const pages = definePages([
  { path: '/resource/oss', title: { zh: '存储管理', en: 'Storage' }, load: () => import('./storage-page.tsx') },
  { path: '/resource/attach', title: { zh: '附件管理', en: 'Attachments' }, load: () => import('./attach-page.tsx') },
])
