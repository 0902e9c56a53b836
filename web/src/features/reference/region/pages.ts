import { definePages } from '#web/console/page-entry.ts'

export const pages = definePages([{ path: '/base/region', title: { zh: '行政区划', en: 'Regions' }, load: () => import('./page.tsx') }])
