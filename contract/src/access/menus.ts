import type { MenuEntry } from '../kernel/menu-entry.ts'
import { administrators, alertReaders, crudButtons, keepers, watchers } from './menu-roles.ts'

/** The menus of this context with their buttons, and the roles of a new tenant that hold them. */
export const accessMenus: readonly MenuEntry[] = [
  {
    code: 'role',
    under: 'system',
    after: 'dictvertical',
    zh: '角色管理',
    en: 'Roles',
    path: '/authority/role',
    icon: 'people',
    roles: keepers,
    buttons: [
      ...crudButtons(keepers, ['auditor']),
      ['setting', '权限设置', 'Set rights', keepers],
      ['back', '撤回权限', 'Right to pull back', keepers],
      ['viewas', '查看用户权限', 'See a person’s rights', watchers],
    ],
  },
  {
    code: 'viewas',
    under: 'system',
    after: 'role',
    zh: '查看用户权限',
    en: 'Rights of a person',
    path: '/system/viewAs',
    icon: 'people',
    roles: watchers,
  },
  {
    code: 'fieldrule',
    under: 'system',
    after: 'viewas',
    zh: '字段权限',
    en: 'Fields by role',
    path: '/system/fieldRule',
    icon: 'field',
    roles: keepers,
    buttons: [
      ['view', '查看', 'View', watchers],
      ['edit', '编辑', 'Edit', keepers],
    ],
  },
  {
    code: 'menu',
    under: 'system',
    after: 'fieldrule',
    zh: '菜单管理',
    en: 'Menus',
    path: '/system/menu',
    icon: 'menu',
    roles: keepers,
    buttons: [...crudButtons(administrators, alertReaders)],
  },
]
