import { importVerbs } from '../kernel/import-kind.ts'
import type { TrailWords } from '../kernel/trail-words.ts'
import { examImports } from './import-kinds.ts'

/** How the audit trail names what this context does. */
export const trailWords: TrailWords = {
  nouns: {
    'exam-item': { zh: '考试项目', en: 'Examination paper' },
    examination: { zh: '考试', en: 'Examination' },
    examitem: { zh: '考试科目', en: 'Paper' },
    'file-kind': { zh: '材料', en: 'File kind' },
    'sign-file': { zh: '考试材料', en: 'Required file' },
    'sign-item': { zh: '考试报名项', en: 'Examination form field' },
    'type-code': { zh: '岗位代码', en: 'Post code' },
  },
  verbs: importVerbs(examImports),
  entities: ['examination', 'examitem'],
}
