import type { TrailWords } from '../kernel/trail-words.ts'

/** How the audit trail names what this context does. */
export const trailWords: TrailWords = {
  nouns: {
    person: { zh: '个人数据', en: 'Personal data' },
    'identity-appeal': { zh: '身份申诉', en: 'Appeal about a number' },
    appeal: { zh: '身份申诉', en: 'Appeal about a number' },
    'verified-change': { zh: '信息变更申请', en: 'Request for a change' },
  },
  verbs: { objected: { zh: '反对', en: 'objected to' }, 'looked-up': { zh: '查找', en: 'looked up' } },
  entities: ['person', 'identity_appeal', 'verified_change'],
}
