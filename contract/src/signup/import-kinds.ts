import type { ImportKind } from '../kernel/import-kind.ts'

/** What comes into this context by workbooks. */
export const signupImports = {
  group: {
    kind: 'T2',
    label: { zh: '集体报名导入', en: 'Import of sign-ups' },
    trail: { zh: '集体报名', en: 'sign-ups of a group' },
    permission: 'groupsignup_import',
    path: '/blade-exam/examination/importSignUp',
    partial: true,
  },
} as const satisfies Record<string, ImportKind>
