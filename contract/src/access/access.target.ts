import { defineRefTarget } from '../kernel/ref-target.ts'

export const roleTarget = defineRefTarget({
  name: 'role',
  label: { zh: '角色', en: 'Role' },
  table: 'role',
  permission: 'role',
  title: ['roleName'],
  list: '/blade-system/role/list',
  search: 'roleName',
  detail: '/blade-system/role/detail',
})
/** Filled in by the server. */
export const menuTarget = defineRefTarget({
  name: 'menu',
  label: { zh: '菜单', en: 'Menu' },
  table: 'menu',
  permission: 'menu',
  title: ['name'],
})
