import { importVerbs } from '../kernel/import-kind.ts'
import type { TrailWords } from '../kernel/trail-words.ts'
import { resultImports } from './import-kinds.ts'

/** How the audit trail names what this context does. */
export const trailWords: TrailWords = {
  nouns: {
    result: { zh: '成绩', en: 'Result' },
  },
  verbs: importVerbs(resultImports),
  entities: ['result'],
}
