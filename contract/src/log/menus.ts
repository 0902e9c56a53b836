import { administrators, administratorsAndAuditor, operator } from '../access/menu-roles.ts'
import type { MenuEntry } from '../kernel/menu-entry.ts'

/** The menus of this context with their buttons, and the roles of a new tenant that hold them. */
export const logMenus: readonly MenuEntry[] = [
  {
    code: 'log_usual',
    under: 'monitor',
    after: 'watchrule',
    zh: '通用日志',
    en: 'Program log',
    path: '/monitor/log/usual',
    icon: 'list',
    roles: administratorsAndAuditor,
    buttons: [
      ['view', '查看', 'View', administratorsAndAuditor],
      ['export', '导出', 'Export', administratorsAndAuditor],
      ['purge', '清理', 'Purge', administrators],
      ['other', '查看其他租户', 'Other tenants', operator],
    ],
  },
  {
    code: 'log_api',
    under: 'monitor',
    after: 'log_usual',
    zh: '接口日志',
    en: 'Calls',
    path: '/monitor/log/api',
    icon: 'list',
    roles: administratorsAndAuditor,
    buttons: [
      ['view', '查看', 'View', administratorsAndAuditor],
      ['export', '导出', 'Export', administratorsAndAuditor],
      ['purge', '清理', 'Purge', administrators],
      ['other', '查看其他租户', 'Other tenants', operator],
    ],
  },
  {
    code: 'log_error',
    under: 'monitor',
    after: 'log_api',
    zh: '错误日志',
    en: 'Errors',
    path: '/monitor/log/error',
    icon: 'alert',
    roles: administratorsAndAuditor,
    buttons: [
      ['view', '查看', 'View', administratorsAndAuditor],
      ['export', '导出', 'Export', administratorsAndAuditor],
      ['purge', '清理', 'Purge', administrators],
      ['other', '查看其他租户', 'Other tenants', operator],
    ],
  },
]
