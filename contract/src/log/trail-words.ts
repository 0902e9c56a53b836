import type { TrailWords } from '../kernel/trail-words.ts'

/** How the audit trail names what this context does. */
export const trailWords: TrailWords = {
  nouns: {
    installation: { zh: '系统', en: 'Installation' },
    log: { zh: '日志', en: 'Log' },
  },
  entities: ['installation', 'log_api', 'log_error', 'log_usual'],
}
