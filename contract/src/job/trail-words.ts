import type { TrailWords } from '../kernel/trail-words.ts'

/** How the audit trail names what this context does. */
export const trailWords: TrailWords = {
  nouns: { 'job-instance': { zh: '任务执行', en: 'Run of a job' } },
  verbs: {
    ran: { zh: '手动运行', en: 'run by hand' },
    repeated: { zh: '重试', en: 'repeated' },
    stopped: { zh: '停止', en: 'stopped' },
    synchronised: { zh: '同步', en: 'synchronised' },
  },
  entities: ['job-instance'],
}
