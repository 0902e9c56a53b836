import { defineRefTarget } from '../kernel/ref-target.ts'

/** Filled in by the server: nobody chooses one among the thousands of an examination. */
export const signupTarget = defineRefTarget({
  name: 'signup',
  label: { zh: '报名信息', en: 'Sign-up' },
  table: 'signup',
  permission: 'signup',
  title: ['signNo'],
})
