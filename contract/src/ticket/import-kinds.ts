import type { ImportKind } from '../kernel/import-kind.ts'

/** What comes into this context by workbooks: seat plans made outside, and the groups of an interview. Half a plan is unfair, so all rows or none. */
export const ticketImports = {
  plan: {
    kind: 'T4',
    label: { zh: '座位导入', en: 'Import of a seat plan' },
    trail: { zh: '座位编排', en: 'a seat plan' },
    permission: 'ticket_generate',
    path: '/blade-exam/examination/importTicket',
    partial: false,
  },
  interview: {
    kind: 'T5',
    label: { zh: '面试分组导入', en: 'Import of interview groups' },
    trail: { zh: '面试分组', en: 'interview groups' },
    permission: 'ticket_generate',
    path: '/blade-exam/examination/importMsTicket',
    partial: false,
  },
} as const satisfies Record<string, ImportKind>
