import { definePages } from '#web/console/page-entry.ts'

export const pages = definePages([
  { path: '/system/role', title: { zh: '角色管理', en: 'Roles' }, load: () => import('./role/page.tsx') },
  { path: '/system/menu', title: { zh: '菜单管理', en: 'Menus' }, load: () => import('./menu/page.tsx') },
])
