import type { ImportKind } from '../kernel/import-kind.ts'

/** What comes into this context by workbooks, beside its plain nouns. */
export const organisationImports = {
  users: {
    kind: 'T0',
    label: { zh: '用户', en: 'Users' },
    trail: { zh: '人员', en: 'people' },
    permission: 'user_import',
    path: '/blade-system/user/import-user',
    partial: true,
  },
  depts: {
    kind: 'T0d',
    label: { zh: '部门', en: 'Departments' },
    trail: { zh: '部门', en: 'departments' },
    permission: 'dept_import',
    path: '/blade-system/dept/import-dept',
    partial: true,
  },
} as const satisfies Record<string, ImportKind>
