import { crudButtons, office } from '../access/menu-roles.ts'
import type { MenuEntry } from '../kernel/menu-entry.ts'

/** The group of these screens, and those that are no plain nouns. */
export const newsMenus: readonly MenuEntry[] = [
  {
    code: 'desk',
    after: 'results',
    zh: '通知公告',
    en: 'Notices and news',
    path: '/desk',
    icon: 'notice',
    roles: [...office, 'unit_hr', 'auditor'],
  },
  {
    code: 'notice',
    under: 'desk',
    zh: '通知公告',
    en: 'Notices',
    path: '/desk/notice',
    icon: 'notice',
    roles: [...office, 'unit_hr', 'auditor'],
    // A unit writes drafts; who publishes is the bureau (domain 2.2).
    buttons: [...crudButtons([...office, 'unit_hr'], ['auditor']), ['release', '发布与下架', 'Publish and withdraw', office]],
  },
  {
    code: 'noticeread',
    under: 'desk',
    after: 'notice',
    zh: '公告阅读情况',
    en: 'Who has read notices',
    path: '/desk/noticeRead',
    icon: 'read',
    roles: [...office, 'auditor'],
    buttons: [
      ['view', '查看', 'View', [...office, 'auditor']],
      ['export', '导出', 'Export', office],
      ['remind', '提醒未读人', 'Remind', office],
    ],
  },
  {
    code: 'notifyread',
    under: 'desk',
    after: 'noticeread',
    zh: '消息阅读情况',
    en: 'Who has read messages',
    path: '/desk/notifyRead',
    icon: 'mail',
    roles: [...office, 'auditor'],
    buttons: [
      ['view', '查看', 'View', [...office, 'auditor']],
      ['export', '导出', 'Export', office],
      ['remind', '提醒未读人', 'Remind', office],
    ],
  },
]
