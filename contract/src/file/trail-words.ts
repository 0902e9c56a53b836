import type { TrailWords } from '../kernel/trail-words.ts'

/** How the audit trail names what this context does. */
export const trailWords: TrailWords = {
  nouns: {
    file: { zh: '文件', en: 'File' },
  },
  rows: {
    'stored-file': 'file',
  },
  entities: ['stored_file'],
}
