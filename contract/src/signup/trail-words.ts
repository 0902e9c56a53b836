import { importVerbs } from '../kernel/import-kind.ts'
import type { TrailWords } from '../kernel/trail-words.ts'
import { signupImports } from './import-kinds.ts'

/** How the audit trail names what this context does. */
export const trailWords: TrailWords = {
  nouns: {
    'exam-user': { zh: '考试人员', en: 'Examination staff' },
    integrity: { zh: '诚信档案', en: 'Archive of integrity' },
    recusal: { zh: '审核回避', en: 'Recusal' },
    signup: { zh: '报名', en: 'Sign-up' },
  },
  verbs: {
    ...importVerbs(signupImports),
    'group-reminded': { zh: '提醒集体报名考生', en: 'people of a group reminded' },
    'group-checked': { zh: '核对集体报名名单', en: 'a group’s list checked' },
    corrected: { zh: '更正退回', en: 'returned after it had passed' },
    transferred: { zh: '改报', en: 'moved to another post' },
    'taken-over': { zh: '本人接收代填报名', en: 'taken over by the person' },
    'photo-set': { zh: '导入照片', en: 'photo set' },
    recounted: { zh: '校正计数', en: 'counted anew' },
    erased: { zh: '到期清除', en: 'erased' },
    'photos-marked': { zh: '标记照片', en: 'photos marked' },
    'files-exported': { zh: '导出材料', en: 'files exported' },
    proposed: { zh: '拟记入', en: 'proposed' },
    recorded: { zh: '记入', en: 'recorded' },
    dismissed: { zh: '不予记入', en: 'not recorded' },
    lifted: { zh: '解除', en: 'lifted' },
    intended: { zh: '截止前确认', en: 'confirmed before the end' },
  },
  rows: {
    'sign-up': 'signup',
  },
  entities: ['signup'],
}
