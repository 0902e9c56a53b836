import type { TrailWords } from '../kernel/trail-words.ts'

/** How the audit trail names what this context does. */
export const trailWords: TrailWords = {
  nouns: {
    'notice-read': { zh: '公告阅读情况', en: 'Who has read notices' },
    'notify-read': { zh: '消息阅读情况', en: 'Who has read messages' },
  },
  verbs: {
    published: { zh: '发布', en: 'published' },
    withdrawn: { zh: '下架', en: 'withdrawn' },
    revised: { zh: '改为草稿', en: 'made a draft again' },
    'put-on-top': { zh: '置顶', en: 'put on top' },
    'taken-from-top': { zh: '取消置顶', en: 'taken from the top' },
    'made-from-results': { zh: '由成绩生成公示', en: 'made from results' },
    reminded: { zh: '提醒', en: 'reminded' },
  },
}
