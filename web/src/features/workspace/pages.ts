import { definePages } from '#web/console/page-entry.ts'

export const pages = definePages([
  {
    path: '/exam/examination/:id',
    title: { zh: '考试', en: 'Examination' },
    // What somebody sees there is settled by their rights to each of the sections.
    access: 'open',
    hasParts: true,
    load: () => import('./page.tsx'),
  },
])
