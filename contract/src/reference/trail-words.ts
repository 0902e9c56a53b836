import type { TrailWords } from '../kernel/trail-words.ts'

/** How the audit trail names what this context does. */
export const trailWords: TrailWords = {
  nouns: {
    dict: { zh: '系统字典', en: 'System dictionary' },
    dictbiz: { zh: '业务字典', en: 'Business dictionary' },
    region: { zh: '行政区划', en: 'Region' },
  },
  verbs: {
    T0b: { zh: '业务字典', en: 'business dictionary' },
    T0r: { zh: '行政区划', en: 'regions' },
    T0s: { zh: '系统字典', en: 'system dictionary' },
  },
  entities: ['dict', 'dictbiz', 'region'],
}
