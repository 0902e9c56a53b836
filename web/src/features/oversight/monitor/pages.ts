import { definePages } from '#web/console/page-entry.ts'

export const pages = definePages([
  { path: '/monitor/online', title: { zh: '在线用户', en: 'Online users' }, load: () => import('./online-page.tsx') },
  { path: '/monitor/authLog', title: { zh: '登录日志', en: 'Log-ins' }, load: () => import('./auth-log-page.tsx') },
  { path: '/monitor/authLock', title: { zh: '锁定名单', en: 'Locks' }, load: () => import('./auth-lock-page.tsx') },
  { path: '/monitor/audit', title: { zh: '审计日志', en: 'Audit trail' }, load: () => import('./audit-page.tsx') },
  { path: '/monitor/log/usual', title: { zh: '通用日志', en: 'Program log' }, load: () => import('./usual-page.tsx') },
  { path: '/monitor/log/api', title: { zh: '接口日志', en: 'Calls' }, load: () => import('./api-page.tsx') },
  { path: '/monitor/log/error', title: { zh: '错误日志', en: 'Errors' }, load: () => import('./error-page.tsx') },
])
