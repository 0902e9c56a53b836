import type { TrailWords } from '../kernel/trail-words.ts'

/** How the audit trail names what this context does. */
export const trailWords: TrailWords = {
  nouns: {},
  verbs: {
    checked: { zh: '测试连接', en: 'tested' },
    'fields-set': { zh: '设置字段', en: 'columns set' },
    refreshed: { zh: '重新读取表结构', en: 'table read anew' },
    generated: { zh: '生成代码', en: 'generated' },
  },
  entities: [],
}
