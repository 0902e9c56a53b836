import { definePages } from '../../console/page-entry.ts'

export const pages = definePages([{ path: '/test/index', title: { zh: '组件示例', en: 'Components' }, load: () => import('./page.tsx') }])
