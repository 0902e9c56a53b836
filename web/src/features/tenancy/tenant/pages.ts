import { definePages } from '#web/console/page-entry.ts'

const title = (zh: string, en: string) => ({ zh, en })

export const pages = definePages([
  { path: '/system/tenant', title: title('租户管理', 'Tenants'), load: () => import('./tenants-page.tsx') },
  { path: '/system/tenant-package', title: title('租户套餐', 'Tenant packages'), load: () => import('./packages-page.tsx') },
  { path: '/system/topmenu', title: title('顶部菜单', 'Top menus'), load: () => import('./topmenus-page.tsx') },
  { path: '/system/client', title: title('客户端管理', 'Clients'), load: () => import('./clients-page.tsx') },
  { path: '/tool/datasource', title: title('数据源', 'Data sources'), load: () => import('./sources-page.tsx') },
])
