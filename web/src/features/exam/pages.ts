import { definePages } from '#web/console/page-entry.ts'

const title = (zh: string, en: string) => ({ zh, en })

export const pages = definePages([
  { path: '/exam/examination', title: title('考试列表', 'Examinations'), load: () => import('./examination/page.tsx') },
  {
    path: '/exam/edit/:id',
    title: title('编辑考试', 'Edit examination'),
    access: { under: '/exam/examination' },
    load: () => import('./edit/page.tsx'),
    section: 'setup',
  },
  { path: '/exam/examitem', title: title('考试项目', 'Papers'), load: () => import('./papers/page.tsx'), section: 'setup' },
  {
    path: '/exam/rooms',
    title: title('考场', 'Rooms'),
    access: { under: '/exam/examitem' },
    load: () => import('./papers/rooms-page.tsx'),
    section: 'setup',
  },
  { path: '/exam/typeCode', title: title('岗位代码', 'Posts'), load: () => import('./posts/page.tsx'), section: 'setup' },
  { path: '/exam/items', title: title('报名项库', 'Form fields'), load: () => import('./library/items-page.tsx') },
  { path: '/exam/files', title: title('材料库', 'Required files'), load: () => import('./library/files-page.tsx') },
  {
    path: '/exam/signitems',
    title: title('考试报名项', 'Exam form fields'),
    load: () => import('./library/sign-items-page.tsx'),
    section: 'setup',
  },
  {
    path: '/exam/signfiles',
    title: title('考试材料', 'Exam files'),
    load: () => import('./library/sign-files-page.tsx'),
    section: 'setup',
  },
  { path: '/examine/signup', title: title('报名信息', 'Sign-ups'), load: () => import('./signups/page.tsx'), section: 'signups' },
])
