import { definePages } from '#web/console/page-entry.ts'

export const pages = definePages([
  { path: '/system/dept', title: { zh: '部门管理', en: 'Departments' }, load: () => import('./dept/page.tsx') },
  { path: '/system/user', title: { zh: '用户管理', en: 'Users' }, load: () => import('./user/page.tsx') },
  {
    path: '/system/user/:id',
    title: { zh: '用户详情', en: 'User' },
    access: { under: '/system/user' },
    load: () => import('./user/user-page.tsx'),
  },
])
