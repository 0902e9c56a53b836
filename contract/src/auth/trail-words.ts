import type { TrailWords } from '../kernel/trail-words.ts'

/** How the audit trail names what this context does. */
export const trailWords: TrailWords = {
  nouns: {
    session: { zh: '会话', en: 'Session' },
  },
  rows: {
    'login-log': 'authlog',
  },
  entities: ['login_log', 'session'],
}
