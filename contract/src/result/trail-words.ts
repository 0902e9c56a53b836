import type { TrailWords } from '../kernel/trail-words.ts'

/** How the audit trail names what this context does. */
export const trailWords: TrailWords = {
  nouns: {
    result: { zh: '成绩', en: 'Result' },
  },
  verbs: {
    T6: { zh: '成绩', en: 'results' },
  },
  entities: ['result'],
}
