import type { TrailWords } from '../kernel/trail-words.ts'

/** How the audit trail names what this context does. */
export const trailWords: TrailWords = {
  nouns: {
    selection: { zh: '入围与聘用', en: 'Selection' },
    recheck: { zh: '资格复审', en: 'Re-review' },
  },
  verbs: {
    called: { zh: '通知入围', en: 'called' },
    substituted: { zh: '递补', en: 'moved up' },
    rechecked: { zh: '复审', en: 're-reviewed' },
    answered: { zh: '确认', en: 'answered' },
    lapsed: { zh: '逾期视为放弃', en: 'lapsed' },
    kept: { zh: '保留名额', en: 'kept the place of' },
    contacted: { zh: '电话登记', en: 'noted a call to' },
    'handed-in': { zh: '提交材料', en: 'handed in papers' },
    entered: { zh: '进入环节', en: 'entered a stage' },
    judged: { zh: '登记结果', en: 'recorded the outcome of' },
    'recheck-asked': { zh: '申请复检', en: 'asked for a second check' },
    objected: { zh: '登记异议', en: 'recorded an objection to' },
    'objection-ended': { zh: '核查异议', en: 'decided an objection to' },
    ended: { zh: '结束', en: 'ended' },
    'restore-proposed': { zh: '提议恢复资格', en: 'proposed to restore' },
    restored: { zh: '恢复资格', en: 'restored' },
    'restore-dismissed': { zh: '维持取消资格', en: 'kept disqualified' },
    'disqualify-proposed': { zh: '提议取消资格', en: 'proposed to disqualify' },
    'disqualify-answered': { zh: '陈述申辩', en: 'answered to being disqualified' },
    disqualified: { zh: '取消资格', en: 'disqualified' },
    'disqualify-dismissed': { zh: '不予取消资格', en: 'did not disqualify' },
    ruled: { zh: '设置', en: 'set' },
  },
}
