import { administrators, administratorsAndAuditor, crudButtons } from '../access/menu-roles.ts'
import type { MenuEntry } from '../kernel/menu-entry.ts'

/** The menus of this context with their buttons, and the roles of a new tenant that hold them. */
export const organisationMenus: readonly MenuEntry[] = [
  {
    code: 'system',
    after: 'pay',
    zh: '系统管理',
    en: 'System',
    path: '/system',
    icon: 'system',
    roles: administratorsAndAuditor,
  },
  {
    code: 'user',
    under: 'system',
    zh: '用户管理',
    en: 'Users',
    path: '/system/user',
    icon: 'people',
    roles: administratorsAndAuditor,
    buttons: [
      ...crudButtons(administrators, ['auditor']),
      ['audit', '审核', 'Decide registrations', administrators],
      ['role', '角色配置', 'Set roles', administrators],
      ['reset', '重置密码', 'Reset passwords', administrators],
      ['totp', '重置两步验证', 'Reset second factors', administrators],
      ['lock', '锁定与解锁', 'Lock and unlock', administrators],
      ['import', '导入', 'Import', administrators],
    ],
  },
  {
    code: 'dept',
    under: 'system',
    after: 'dictbiz',
    zh: '部门管理',
    en: 'Departments',
    path: '/system/dept',
    icon: 'unit',
    roles: administratorsAndAuditor,
    buttons: [...crudButtons(administrators, ['auditor']), ['import', '导入', 'Import', administrators]],
  },
  {
    code: 'test',
    under: 'system',
    after: 'datasource',
    zh: '组件示例',
    en: 'Components',
    path: '/test/index',
    icon: 'field',
    roles: administrators,
  },
]
