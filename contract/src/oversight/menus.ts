import { administrators, alertReaders, keepers, watchers } from '../access/menu-roles.ts'
import type { MenuEntry } from '../kernel/menu-entry.ts'

/** The menus of this context with their buttons, and the roles of a new tenant that hold them. */
export const oversightMenus: readonly MenuEntry[] = [
  {
    code: 'monitor',
    after: 'system',
    zh: '安全审计',
    en: 'Security and audit',
    path: '/monitor',
    icon: 'monitor',
    roles: watchers,
  },
  {
    code: 'online',
    under: 'monitor',
    zh: '在线用户',
    en: 'Online users',
    path: '/monitor/online',
    icon: 'people',
    roles: watchers,
    buttons: [
      ['view', '查看', 'View', watchers],
      ['kick', '强制下线', 'End sessions', keepers],
    ],
  },
  {
    code: 'authlog',
    under: 'monitor',
    after: 'online',
    zh: '登录日志',
    en: 'Log-ins',
    path: '/monitor/authLog',
    icon: 'list',
    roles: watchers,
    buttons: [
      ['view', '查看', 'View', watchers],
      ['export', '导出', 'Export', watchers],
      ['purge', '清理', 'Purge', administrators],
    ],
  },
  {
    code: 'authlock',
    under: 'monitor',
    after: 'authlog',
    zh: '锁定名单',
    en: 'Locks',
    path: '/monitor/authLock',
    icon: 'key',
    roles: watchers,
    buttons: [
      ['view', '查看', 'View', watchers],
      ['export', '导出', 'Export', watchers],
    ],
  },
  {
    code: 'auditlog',
    under: 'monitor',
    after: 'authlock',
    zh: '审计日志',
    en: 'Audit trail',
    path: '/monitor/audit',
    icon: 'check',
    roles: ['auditor'],
    buttons: [
      ['view', '查看', 'View', ['auditor']],
      ['export', '导出', 'Export', ['auditor']],
    ],
  },
  {
    code: 'alert',
    under: 'monitor',
    after: 'auditlog',
    zh: '异常告警',
    en: 'Alerts',
    path: '/monitor/alert',
    icon: 'alert',
    roles: alertReaders,
    buttons: [
      ['view', '查看', 'View', alertReaders],
      ['handle', '处理', 'Handle', alertReaders],
    ],
  },
  {
    code: 'watchrule',
    under: 'monitor',
    after: 'alert',
    zh: '告警规则',
    en: 'Rules of alerts',
    path: '/monitor/watchRule',
    icon: 'param',
    roles: alertReaders,
    buttons: [
      ['view', '查看', 'View', alertReaders],
      ['edit', '修改', 'Edit', ['secadmin']],
    ],
  },
]
