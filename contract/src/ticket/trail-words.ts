import { importVerbs } from '../kernel/import-kind.ts'
import type { TrailWords } from '../kernel/trail-words.ts'
import { ticketImports } from './import-kinds.ts'

/** How the audit trail names what this context does. */
export const trailWords: TrailWords = {
  nouns: {
    'ticket-health': { zh: '健康申报', en: 'Health report' },
    'ticket-notice': { zh: '考生须知', en: 'Ticket notice' },
    ticket: { zh: '准考证', en: 'Ticket' },
  },
  verbs: importVerbs(ticketImports),
  rows: {
    'ticket-render': 'ticket',
  },
  entities: ['ticket', 'ticket_notice', 'ticket_render'],
}
