import { defineMachine, defineStates } from '../kernel/machine.ts'

export type FlowInstanceState = 'running' | 'returned' | 'finished' | 'cancelled' | 'withdrawn'
export type FlowInstanceEvent = 'return' | 'resubmit' | 'end' | 'cancel' | 'withdraw'

/** A process that was started. Returned to the applicant, it waits until they send it again. */
export const flowInstanceMachine = defineMachine<FlowInstanceState, FlowInstanceEvent>({
  name: 'flowInstance',
  initial: 'running',
  on: {
    running: { return: 'returned', end: 'finished', cancel: 'cancelled', withdraw: 'withdrawn' },
    returned: { resubmit: 'running', end: 'finished', cancel: 'cancelled', withdraw: 'withdrawn' },
    finished: {},
    cancelled: {},
    withdrawn: {},
  },
  wire: { running: 0, returned: 1, finished: 2, cancelled: 3, withdrawn: 4 },
  label: {
    running: { zh: '审批中', en: 'In progress' },
    returned: { zh: '已退回申请人', en: 'Returned to the applicant' },
    finished: { zh: '已结束', en: 'Ended' },
    cancelled: { zh: '已终止', en: 'Cancelled' },
    withdrawn: { zh: '已撤回', en: 'Withdrawn' },
  },
  tone: { running: 'active', returned: 'waiting', finished: 'closed', cancelled: 'closed', withdrawn: 'closed' },
})

export type FlowTaskState = 'open' | 'done' | 'closed'
export type FlowTaskEvent = 'complete' | 'close'

/** One person's part of a step. `closed`: it was overtaken, by a return, a time limit, the votes of others or the end of the process. */
export const flowTaskMachine = defineMachine<FlowTaskState, FlowTaskEvent>({
  name: 'flowTask',
  initial: 'open',
  on: { open: { complete: 'done', close: 'closed' }, done: {}, closed: {} },
  wire: { open: 0, done: 1, closed: 2 },
  label: {
    open: { zh: '待办', en: 'To do' },
    done: { zh: '已办', en: 'Done' },
    closed: { zh: '已关闭', en: 'Closed' },
  },
  tone: { open: 'waiting', done: 'passed', closed: 'closed' },
})

/** A process that is drawn and deployed: started by people, or not for now (`suspensionState`). */
export const definitionStates = defineStates({
  wire: { active: 1, suspended: 2 },
  label: { active: { zh: '激活', en: 'Active' }, suspended: { zh: '挂起', en: 'Suspended' } },
  tone: { active: 'passed', suspended: 'closed' },
})
