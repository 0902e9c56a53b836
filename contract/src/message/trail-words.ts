import type { TrailWords } from '../kernel/trail-words.ts'

/** How the audit trail names what this context does. */
export const trailWords: TrailWords = {
  nouns: {
    notify: { zh: '通知', en: 'Notice' },
  },
  entities: ['notify'],
}
