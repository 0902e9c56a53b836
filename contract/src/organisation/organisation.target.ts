import { defineRefTarget } from '../kernel/ref-target.ts'

export const userTarget = defineRefTarget({
  name: 'user',
  label: { zh: '用户', en: 'User' },
  table: 'account',
  permission: 'user',
  title: ['realName', 'account'],
  list: '/blade-system/user/page',
  paged: true,
  search: 'realName',
  detail: '/blade-system/user/detail',
})
export const deptTarget = defineRefTarget({
  name: 'dept',
  label: { zh: '部门', en: 'Department' },
  table: 'dept',
  permission: 'dept',
  title: ['deptName'],
  list: '/blade-system/dept/list',
  search: 'deptName',
  detail: '/blade-system/dept/detail',
})
