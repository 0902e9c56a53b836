import type { TrailWords } from '../kernel/trail-words.ts'

/** How the audit trail names what this context does. */
export const trailWords: TrailWords = {
  nouns: {
    export: { zh: '导出文件', en: 'Export' },
    import: { zh: '导入', en: 'Import' },
  },
  rows: {
    'export-job': 'export',
    'import-job': 'import',
  },
  entities: ['export_job', 'import', 'import_job'],
}
