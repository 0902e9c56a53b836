import type { ImportKind } from '../kernel/import-kind.ts'

/** What comes into this context by workbooks. */
export const examImports = {
  posts: {
    kind: 'T1',
    label: { zh: '岗位表', en: 'Post table' },
    trail: { zh: '岗位表', en: 'post table' },
    permission: 'typecode_import',
    path: '/blade-exam/examination/importTypeCode',
    partial: false,
  },
} as const satisfies Record<string, ImportKind>
