import { office } from '../access/menu-roles.ts'
import type { MenuEntry } from '../kernel/menu-entry.ts'

/** The menus of this context with their buttons, and the roles of a new tenant that hold them. */
export const ticketMenus: readonly MenuEntry[] = [
  {
    code: 'tickets',
    after: 'review',
    zh: '准考证',
    en: 'Tickets',
    path: '/ticket',
    icon: 'ticket',
    roles: ['exam_admin', 'site'],
  },
  {
    code: 'ticket',
    under: 'tickets',
    zh: '编排与发布',
    en: 'Seating and release',
    path: '/ticket/ticket',
    icon: 'seat',
    roles: ['exam_admin', 'site'],
    buttons: [
      ['view', '查看', 'View', [...office, 'unit_hr', 'auditor', 'site']],
      ['generate', '编排', 'Allocate', ['exam_admin']],
      ['edit', '调整', 'Adjust', ['exam_admin']],
      ['delete', '作废', 'Void', ['exam_admin']],
      ['release', '发布', 'Release', ['exam_admin']],
      ['print', '打印', 'Print', ['exam_admin', 'site']],
    ],
  },
  {
    code: 'examday',
    under: 'tickets',
    after: 'ticketdown',
    zh: '考试当天',
    en: 'Exam day',
    path: '/ticket/day',
    icon: 'seat',
    roles: ['exam_admin', 'site'],
    buttons: [
      ['view', '查看', 'View', [...office, 'site', 'auditor']],
      ['mark', '登记到考', 'Mark attendance', ['exam_admin', 'site']],
      ['decide', '认定违纪', 'Decide violations', ['exam_admin']],
    ],
  },
  {
    code: 'ticketnotice',
    under: 'tickets',
    after: 'ticket',
    zh: '考生须知',
    en: 'Rules for candidates',
    path: '/ticket/notice',
    icon: 'notice',
    roles: ['exam_admin'],
  },
  {
    code: 'ticketdown',
    under: 'tickets',
    after: 'ticketnotice',
    zh: '下载与防疫材料',
    en: 'Downloads and health documents',
    path: '/ticket/down',
    icon: 'download',
    roles: ['exam_admin', 'site'],
    buttons: [
      ['view', '查看', 'View', ['exam_admin', 'site', 'auditor']],
      ['check', '核验', 'Check', ['exam_admin', 'site']],
      ['export', '导出', 'Export', ['exam_admin', 'site']],
    ],
  },
]
