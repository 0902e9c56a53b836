import type { MenuEntry } from '../kernel/menu-entry.ts'

/** The group of the screens about messages; those of declared nouns stand with them. */
export const messageMenus: readonly MenuEntry[] = [
  {
    code: 'send',
    after: 'pay',
    zh: '消息',
    en: 'Messages',
    path: '/send',
    icon: 'send',
    roles: ['administrator', 'admin', 'exam_admin', 'finance', 'auditor'],
  },
]
