import type { TrailWords } from '../kernel/trail-words.ts'

/** How the audit trail names what this context does. */
export const trailWords: TrailWords = {
  nouns: {
    reduction: { zh: '岗位核减', en: 'Reduction of a post' },
    transfer: { zh: '岗位改报', en: 'Transfer to another post' },
  },
  verbs: {
    drafted: { zh: '保存草稿', en: 'drafted' },
    published: { zh: '公布', en: 'published' },
    ended: { zh: '结束', en: 'ended' },
    joined: { zh: '加入名单', en: 'put on the list' },
    removed: { zh: '移出名单', en: 'taken off the list' },
    chosen: { zh: '选择', en: 'chosen' },
    lapsed: { zh: '逾期未选', en: 'not chosen in time' },
    settled: { zh: '办结', en: 'settled' },
    reopened: { zh: '重新选择', en: 'to be chosen again' },
  },
  rows: { 'post-reduction': 'reduction', 'reduction-name': 'transfer' },
  entities: ['post_reduction', 'reduction_name'],
}
