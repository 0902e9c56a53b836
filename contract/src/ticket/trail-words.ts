import { importVerbs } from '../kernel/import-kind.ts'
import type { TrailWords } from '../kernel/trail-words.ts'
import { ticketImports } from './import-kinds.ts'

/** How the audit trail names what this context does. */
export const trailWords: TrailWords = {
  nouns: {
    'ticket-down': { zh: '准考证下载情况', en: 'Downloads of tickets' },
    'ticket-health': { zh: '防疫材料', en: 'Health documents' },
    'ticket-notice': { zh: '考生须知', en: 'Ticket notice' },
    'exam-day': { zh: '考试当天', en: 'Exam day' },
    violation: { zh: '违纪记录', en: 'Violation' },
    ticket: { zh: '准考证', en: 'Ticket' },
  },
  verbs: {
    ...importVerbs(ticketImports),
    'pack-read': { zh: '下载考场包', en: 'room kept on a device' },
    marked: { zh: '登记到考', en: 'attendance marked' },
    filed: { zh: '登记', en: 'filed' },
    decided: { zh: '认定', en: 'decided' },
  },
  rows: {
    'ticket-render': 'ticket',
  },
  entities: ['ticket', 'ticket_health', 'ticket_notice', 'ticket_render'],
}
