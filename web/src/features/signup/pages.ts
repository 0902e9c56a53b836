import { definePages } from '#web/console/page-entry.ts'

export const pages = definePages([
  { path: '/examine/list', title: { zh: '资格审核', en: 'Eligibility review' }, load: () => import('./list/page.tsx'), section: 'review' },
  {
    path: '/examine/signup/:id',
    title: { zh: '报名详情', en: 'Sign-up' },
    // Found from several menus: what it shows is settled by the rights to sign-ups.
    access: 'open',
    load: () => import('./course/page.tsx'),
  },
  {
    path: '/examine/work/:signupId',
    title: { zh: '审核', en: 'Review' },
    access: { under: '/examine/list' },
    load: () => import('./work/page.tsx'),
  },
  {
    path: '/examine/allot',
    title: { zh: '审核人员与分配', en: 'Reviewers and allotment' },
    load: () => import('./allot/page.tsx'),
    section: 'review',
  },
  {
    path: '/examine/photos',
    title: { zh: '照片墙', en: 'Photo wall' },
    access: { under: '/examine/list' },
    load: () => import('./photos/page.tsx'),
    section: 'review',
  },
  {
    path: '/examine/integrity',
    title: { zh: '诚信档案', en: 'Archive of integrity' },
    load: () => import('./integrity/page.tsx'),
  },
  {
    path: '/examine/export',
    title: { zh: '导出审批', en: 'Approvals of exports' },
    access: 'open',
    load: () => import('./approvals/page.tsx'),
  },
  {
    path: '/examine/group',
    title: { zh: '集体报名', en: 'Sign-ups of groups' },
    load: () => import('./group/page.tsx'),
    section: 'signups',
  },
])
