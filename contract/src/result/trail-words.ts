import { importVerbs } from '../kernel/import-kind.ts'
import type { TrailWords } from '../kernel/trail-words.ts'
import { resultImports } from './import-kinds.ts'

/** How the audit trail names what this context does. */
export const trailWords: TrailWords = {
  nouns: {
    result: { zh: '成绩', en: 'Result' },
    'score-recheck': { zh: '成绩复查', en: 'Score re-check' },
    'score-root': { zh: '成绩核验值', en: 'Root of the scores' },
  },
  verbs: {
    ...importVerbs(resultImports),
    asked: { zh: '申请', en: 'asked for' },
    answered: { zh: '答复', en: 'answered' },
    imported: { zh: '导入', en: 'imported' },
    'window-set': { zh: '设置申请时间', en: 'time set' },
  },
  entities: ['result'],
}
