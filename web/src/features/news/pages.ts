import { definePages } from '#web/console/page-entry.ts'

export const pages = definePages([
  {
    path: '/desk/notice',
    title: { zh: '通知公告', en: 'Notices' },
    load: () => import('./notices-page.tsx'),
    section: 'messages',
    alsoAlone: true,
  },
  { path: '/desk/noticeRead', title: { zh: '公告阅读情况', en: 'Who has read notices' }, load: () => import('./notice-reads-page.tsx') },
  { path: '/desk/notifyRead', title: { zh: '消息阅读情况', en: 'Who has read messages' }, load: () => import('./notify-reads-page.tsx') },
  { path: '/desk/noticeFile', title: { zh: '公告附件', en: 'Files of notices' }, load: () => import('./files-page.tsx') },
  { path: '/desk/news', title: { zh: '新闻', en: 'News' }, load: () => import('./news-page.tsx') },
])
