import { definePages } from '#web/console/page-entry.ts'

export const pages = definePages([
  { path: '/ticket/ticket', title: { zh: '编排与发布', en: 'Seating and release' }, load: () => import('./page.tsx'), section: 'tickets' },
  { path: '/ticket/remark', title: { zh: '准考证备注', en: 'Ticket remarks' }, section: 'tickets' },
  { path: '/ticket/day', title: { zh: '考试当天', en: 'Exam day' }, load: () => import('./day-page.tsx'), section: 'tickets' },
  {
    path: '/ticket/accommodation',
    title: { zh: '合理便利申请', en: 'Requests for help' },
    load: () => import('./help-page.tsx'),
    section: 'tickets',
  },
  {
    path: '/ticket/notice',
    title: { zh: '考生须知', en: 'Rules for candidates' },
    load: () => import('./notice-page.tsx'),
    section: 'tickets',
  },
  {
    path: '/ticket/down',
    title: { zh: '下载与防疫材料', en: 'Downloads and health documents' },
    load: () => import('./down-page.tsx'),
    section: 'tickets',
  },
  {
    path: '/ticket/seats/:examId/:itemId',
    title: { zh: '座位图', en: 'Seats' },
    access: { under: '/ticket/ticket' },
    load: () => import('./seats-page.tsx'),
  },
])
