import type { TrailWords } from '../kernel/trail-words.ts'

/** How the audit trail names what this context does. */
export const trailWords: TrailWords = {
  nouns: { report: { zh: '报表', en: 'Report' } },
  verbs: {
    ran: { zh: '运行', en: 'run' },
    scheduled: { zh: '设置定时发送', en: 'put on a schedule' },
    sent: { zh: '发送', en: 'sent' },
    opened: { zh: '打开', en: 'opened' },
  },
  entities: ['report'],
}
