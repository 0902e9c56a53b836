import type { TrailWords } from '../kernel/trail-words.ts'

export const trailWords: TrailWords = {
  nouns: { invariant: { zh: '数据核对', en: 'Data check' }, setup: { zh: '安装检查', en: 'Set-up' } },
  verbs: {
    ordered: { zh: '开始核对', en: 'ordered' },
    stopped: { zh: '停止', en: 'stopped' },
    tried: { zh: '试用', en: 'tried' },
    leftOut: { zh: '标记为不需要', en: 'left out' },
    healed: { zh: '修复', en: 'set right' },
  },
  entities: ['invariant', 'setup'],
}
