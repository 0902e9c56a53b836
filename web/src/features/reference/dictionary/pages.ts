import { definePages } from '#web/console/page-entry.ts'

const title = (zh: string, en: string) => ({ zh, en })

/** The two dictionaries as trees, and both side by side or stacked (S2.10). */
export const pages = definePages([
  { path: '/system/dict', title: title('系统字典', 'System dictionary'), load: () => import('./system-page.tsx') },
  {
    path: '/system/dictbiz',
    title: title('业务字典', 'Business dictionary'),
    load: () => import('./business-page.tsx'),
    views: { title: title('字典', 'Dictionaries'), others: ['/system/dict', '/dict-horizontal/index', '/dict-vertical/index'] },
  },
  { path: '/dict-horizontal/index', title: title('字典（左右）', 'Dictionaries, columns'), load: () => import('./side-page.tsx') },
  { path: '/dict-vertical/index', title: title('字典（上下）', 'Dictionaries, stacked'), load: () => import('./stack-page.tsx') },
])
