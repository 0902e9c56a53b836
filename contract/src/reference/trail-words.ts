import { importVerbs } from '../kernel/import-kind.ts'
import type { TrailWords } from '../kernel/trail-words.ts'
import { referenceImports } from './import-kinds.ts'

/** How the audit trail names what this context does. */
export const trailWords: TrailWords = {
  nouns: {
    dict: { zh: '系统字典', en: 'System dictionary' },
    dictbiz: { zh: '业务字典', en: 'Business dictionary' },
    region: { zh: '行政区划', en: 'Region' },
  },
  verbs: importVerbs(referenceImports),
  entities: ['dict', 'dictbiz', 'region'],
}
