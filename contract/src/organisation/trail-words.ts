import { importVerbs } from '../kernel/import-kind.ts'
import type { TrailWords } from '../kernel/trail-words.ts'
import { organisationImports } from './import-kinds.ts'

/** How the audit trail names what this context does. */
export const trailWords: TrailWords = {
  nouns: {
    account: { zh: '账号', en: 'Account' },
    candidate: { zh: '考生', en: 'Candidate' },
    dept: { zh: '部门', en: 'Department' },
  },
  verbs: {
    ...importVerbs(organisationImports),
    'work-given-up': { zh: '交出待办', en: 'gave up work' },
    T0p: { zh: '职务', en: 'duty posts' },
  },
  rows: {
    user: 'account',
  },
  entities: ['account', 'dept'],
}
