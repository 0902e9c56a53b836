import { importVerbs } from '../kernel/import-kind.ts'
import type { TrailWords } from '../kernel/trail-words.ts'
import { messageImports } from './import-kinds.ts'

/** How the audit trail names what this context does. */
export const trailWords: TrailWords = {
  nouns: {
    notify: { zh: '通知', en: 'Notice' },
    send: { zh: '发送任务', en: 'Task of messages' },
    'person-notice': { zh: '对本人的告知', en: 'Notice to a person' },
    told: { zh: '告知本人', en: 'Telling a person' },
  },
  verbs: {
    ...importVerbs(messageImports),
    called: { zh: '登记通话', en: 'call noted' },
    credited: { zh: '到账', en: 'credited' },
    drafted: { zh: '拟稿', en: 'drafted' },
    expired: { zh: '到期作废', en: 'run out' },
    'messages-removed': { zh: '删除消息', en: 'messages removed' },
    requested: { zh: '申请', en: 'asked for' },
    resent: { zh: '重发失败消息', en: 'failed ones sent again' },
    resumed: { zh: '继续', en: 'gone on with' },
    started: { zh: '开始发送', en: 'sending begun' },
    submitted: { zh: '提交审批', en: 'submitted' },
    'template-exported': { zh: '下载导入模板', en: 'workbook taken' },
    tested: { zh: '试发', en: 'tested' },
  },
  entities: ['notify', 'person_notice', 'send'],
}
