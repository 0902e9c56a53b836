import { administrators } from '../access/menu-roles.ts'
import type { MenuEntry } from '../kernel/menu-entry.ts'

/** The group of the screens of storage and attachments, which stand with their nouns. */
export const fileMenus: readonly MenuEntry[] = [
  { code: 'resource', after: 'job', zh: '资源管理', en: 'Resources', path: '/resource', icon: 'unit', roles: administrators },
]
