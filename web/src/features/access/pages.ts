import { definePages } from '#web/console/page-entry.ts'

export const pages = definePages([
  { path: '/system/viewAs', title: { zh: '查看用户权限', en: 'Rights of a person' }, load: () => import('./view-as/page.tsx') },
  { path: '/authority/datascope', title: { zh: '数据范围', en: 'Data scopes' }, load: () => import('./scope/data-page.tsx') },
  { path: '/system/fieldRule', title: { zh: '字段权限', en: 'Fields by role' }, load: () => import('./field/page.tsx') },
  { path: '/authority/apiscope', title: { zh: '接口范围', en: 'API scopes' }, load: () => import('./scope/api-page.tsx') },
  { path: '/authority/role', title: { zh: '角色管理', en: 'Roles' }, load: () => import('./role/page.tsx') },
  { path: '/system/menu', title: { zh: '菜单管理', en: 'Menus' }, load: () => import('./menu/page.tsx') },
])
