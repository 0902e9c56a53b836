import { definePages } from '#web/console/page-entry.ts'

export const pages = definePages([
  {
    path: '/send/send',
    title: { zh: '短信发送', en: 'Send messages' },
    load: () => import('./tasks-page.tsx'),
    section: 'messages',
    alsoAlone: true,
  },
  {
    path: '/send/new',
    title: { zh: '新建发送', en: 'New task' },
    load: () => import('./wizard-page.tsx'),
    access: { under: '/send/send' },
  },
  { path: '/send/balance', title: { zh: '套餐充值', en: 'Packages and balance' }, load: () => import('./balance-page.tsx') },
])
