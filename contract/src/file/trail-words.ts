import type { TrailWords } from '../kernel/trail-words.ts'

/** How the audit trail names what this context does. */
export const trailWords: TrailWords = {
  nouns: {
    file: { zh: '文件', en: 'File' },
    'file-move': { zh: '文件迁移', en: 'Move of files' },
  },
  verbs: {
    enabled: { zh: '启用', en: 'switched on' },
    'bucket-made': { zh: '新建存储桶', en: 'bucket made' },
    'bucket-removed': { zh: '删除存储桶', en: 'bucket removed' },
    begun: { zh: '开始', en: 'begun' },
    swept: { zh: '清理', en: 'swept' },
  },
  rows: {
    'stored-file': 'file',
  },
  entities: ['stored_file', 'file-move'],
}
