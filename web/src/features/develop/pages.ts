import { definePages } from '#web/console/page-entry.ts'

export const pages = definePages([
  { path: '/tool/model', title: { zh: '数据模型', en: 'Data models' }, load: () => import('./models-page.tsx') },
  {
    path: '/tool/model/:id',
    title: { zh: '模型字段', en: 'Columns of a model' },
    load: () => import('./fields-page.tsx'),
    access: { under: '/tool/model' },
  },
  { path: '/tool/code', title: { zh: '代码生成', en: 'Code generation' }, load: () => import('./codes-page.tsx') },
  {
    path: '/tool/code/:id',
    title: { zh: '代码预览', en: 'Preview of code' },
    load: () => import('./preview-page.tsx'),
    access: { under: '/tool/code' },
  },
])
