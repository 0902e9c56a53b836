import type { TrailWords } from '../kernel/trail-words.ts'

/** How the audit trail names what this context does. */
export const trailWords: TrailWords = {
  nouns: {
    file: { zh: '文件', en: 'File' },
    'file-move': { zh: '文件迁移', en: 'Move of files' },
  },
  verbs: {
    enabled: { zh: '启用', en: 'switched on' },
    begun: { zh: '开始', en: 'begun' },
  },
  rows: {
    'stored-file': 'file',
  },
  entities: ['stored_file', 'file-move'],
}
