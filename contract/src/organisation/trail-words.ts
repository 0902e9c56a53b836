import type { TrailWords } from '../kernel/trail-words.ts'

/** How the audit trail names what this context does. */
export const trailWords: TrailWords = {
  nouns: {
    account: { zh: '账号', en: 'Account' },
    candidate: { zh: '考生', en: 'Candidate' },
    dept: { zh: '部门', en: 'Department' },
  },
  verbs: {
    T0: { zh: '人员', en: 'people' },
    T0d: { zh: '部门', en: 'departments' },
    T0p: { zh: '职务', en: 'duty posts' },
  },
  rows: {
    user: 'account',
  },
  entities: ['account', 'dept'],
}
