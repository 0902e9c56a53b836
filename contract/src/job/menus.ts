import { administrators } from '../access/menu-roles.ts'
import type { MenuEntry } from '../kernel/menu-entry.ts'

/** The group of the two screens, which stand with their nouns. */
export const jobMenus: readonly MenuEntry[] = [
  { code: 'job', after: 'monitor', zh: '任务调度', en: 'Scheduled jobs', path: '/job', icon: 'job', roles: administrators },
]
