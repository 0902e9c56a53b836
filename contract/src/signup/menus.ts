import { office } from '../access/menu-roles.ts'
import type { MenuEntry } from '../kernel/menu-entry.ts'

/** The menus of this context with their buttons, and the roles of a new tenant that hold them. */
export const signupMenus: readonly MenuEntry[] = [
  {
    code: 'review',
    after: 'exam',
    zh: '报名审核',
    en: 'Review',
    path: '/examine',
    icon: 'review',
    roles: ['exam_admin', 'unit_hr', 'reviewer1', 'reviewer2', 'recheck', 'school'],
  },
  {
    code: 'examine',
    under: 'review',
    zh: '资格审核',
    en: 'Eligibility review',
    path: '/examine/list',
    icon: 'check',
    roles: ['exam_admin', 'unit_hr', 'reviewer1', 'reviewer2'],
    buttons: [
      ['view', '查看', 'View', [...office, 'unit_hr', 'reviewer1', 'reviewer2', 'auditor']],
      ['first', '初审', 'First review', ['exam_admin', 'reviewer1']],
      ['second', '复核', 'Second review', ['exam_admin', 'reviewer2']],
      ['allotview', '查看审核分配', 'See the allotment', [...office, 'auditor']],
      ['allot', '审核分配', 'Allot sign-ups', office],
    ],
  },
  {
    code: 'groupsignup',
    under: 'review',
    after: 'signup',
    zh: '集体报名',
    en: 'Sign-ups of groups',
    path: '/examine/group',
    icon: 'people',
    roles: [...office, 'school'],
    buttons: [
      ['view', '查看', 'View', [...office, 'school', 'auditor']],
      ['import', '导入', 'Import', [...office, 'school']],
    ],
  },
  {
    code: 'signup',
    under: 'review',
    after: 'examine',
    zh: '报名信息',
    en: 'Sign-ups',
    path: '/examine/signup',
    icon: 'people',
    roles: [...office, 'unit_hr'],
    buttons: [
      ['view', '查看', 'View', [...office, 'unit_hr', 'reviewer1', 'reviewer2', 'recheck', 'auditor']],
      ['export', '导出', 'Export', [...office, 'unit_hr']],
      ['files', '导出材料', 'Export files', [...office, 'unit_hr', 'recheck']],
      ['approve', '审批材料导出', 'Approve exports of files', office],
      ['reveal', '查看完整证件号', 'Reveal id number', [...office, 'unit_hr', 'reviewer1', 'reviewer2']],
    ],
  },
  {
    code: 'allot',
    under: 'review',
    after: 'signup',
    zh: '审核人员与分配',
    en: 'Reviewers and allotment',
    path: '/examine/allot',
    icon: 'people',
    roles: [...office, 'auditor'],
  },
]
