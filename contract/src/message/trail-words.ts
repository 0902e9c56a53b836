import type { TrailWords } from '../kernel/trail-words.ts'

/** How the audit trail names what this context does. */
export const trailWords: TrailWords = {
  nouns: {
    notify: { zh: '通知', en: 'Notice' },
  },
  verbs: {
    'switched-on': { zh: '启用', en: 'switched on' },
    'switched-off': { zh: '停用', en: 'switched off' },
    tested: { zh: '试发', en: 'tested' },
  },
  entities: ['notify'],
}
