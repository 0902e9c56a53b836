import { importVerbs } from '../kernel/import-kind.ts'
import type { TrailWords } from '../kernel/trail-words.ts'
import { ticketImports } from './import-kinds.ts'

/** How the audit trail names what this context does. */
export const trailWords: TrailWords = {
  nouns: {
    accommodation: { zh: '合理便利申请', en: 'Request for help' },
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
    'mark-conflict': { zh: '标记编号重复', en: 'one number for two marks' },
    marked: { zh: '登记到考', en: 'attendance marked' },
    asked: { zh: '提交申请', en: 'asked for' },
    'interview-drawn': { zh: '面试抽签', en: 'interview order drawn' },
    'draw-read': { zh: '下载抽签记录', en: 'record of a draw read' },
    reissued: { zh: '重新发放', en: 'given out again' },
    withdrawn: { zh: '撤回', en: 'withdrawn' },
    filed: { zh: '登记', en: 'filed' },
    decided: { zh: '认定', en: 'decided' },
  },
  rows: {
    'ticket-render': 'ticket',
  },
  entities: ['accommodation', 'ticket', 'ticket_health', 'ticket_notice', 'ticket_render'],
}
