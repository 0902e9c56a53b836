import type { ImportKind } from '../kernel/import-kind.ts'

/** What comes into this context by workbooks. */
export const messageImports = {
  people: {
    kind: 'T9',
    label: { zh: '短信名单导入', en: 'Import of people to write to' },
    trail: { zh: '短信名单', en: 'people to write to' },
    permission: 'send_import',
    path: '/blade-send/send/importMessage',
    partial: true,
  },
} as const satisfies Record<string, ImportKind>
