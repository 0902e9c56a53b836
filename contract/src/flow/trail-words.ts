import type { TrailWords } from '../kernel/trail-words.ts'

/** How the audit trail names what this context does. */
export const trailWords: TrailWords = {
  nouns: {
    'flow-model': { zh: '流程模型', en: 'Model of a process' },
    'flow-definition': { zh: '流程定义', en: 'Process definition' },
    'flow-instance': { zh: '流程', en: 'Process' },
    'flow-task': { zh: '流程任务', en: 'Task of a process' },
    leave: { zh: '请假申请', en: 'Request for leave' },
  },
  verbs: {
    activated: { zh: '激活', en: 'activated' },
    assigned: { zh: '指派', en: 'assigned' },
    claimed: { zh: '签收', en: 'claimed' },
    completed: { zh: '办理', en: 'completed' },
    copied: { zh: '抄送', en: 'copied to others' },
    delegated: { zh: '委派', en: 'delegated' },
    deployed: { zh: '部署', en: 'deployed' },
    ended: { zh: '结束', en: 'ended' },
    reminded: { zh: '催办', en: 'reminded' },
    resolved: { zh: '受托办结', en: 'answered for its owner' },
    resubmitted: { zh: '重新提交', en: 'sent again' },
    returned: { zh: '退回', en: 'returned' },
    'signer-added': { zh: '加签', en: 'signer added' },
    started: { zh: '发起', en: 'started' },
    suspended: { zh: '挂起', en: 'suspended' },
    'timed-out': { zh: '超时流转', en: 'moved on by its time limit' },
    transferred: { zh: '转办', en: 'transferred' },
  },
  entities: ['flow_definition', 'flow_instance', 'flow_model', 'flow_task', 'leave_request'],
  rows: { 'leave-request': 'leave' },
}
