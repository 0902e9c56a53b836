import type { ImportKind } from '../kernel/import-kind.ts'

/** What comes into this context by workbooks. */
export const resultImports = {
  results: {
    kind: 'T6',
    label: { zh: '成绩导入', en: 'Result import' },
    trail: { zh: '成绩', en: 'results' },
    permission: 'result_import',
    path: '/blade-exam/examination/importResult',
    partial: true,
  },
} as const satisfies Record<string, ImportKind>
