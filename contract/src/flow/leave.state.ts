import { defineMachine } from '../kernel/machine.ts'

export type LeaveState = 'waiting' | 'returned' | 'passed' | 'refused' | 'withdrawn' | 'cancelled'
export type LeaveEvent = 'return' | 'resubmit' | 'pass' | 'refuse' | 'withdraw' | 'cancel'

/** A request for leave follows its process. */
export const leaveMachine = defineMachine<LeaveState, LeaveEvent>({
  name: 'leave',
  initial: 'waiting',
  on: {
    waiting: { return: 'returned', pass: 'passed', refuse: 'refused', withdraw: 'withdrawn', cancel: 'cancelled' },
    returned: { resubmit: 'waiting', pass: 'passed', refuse: 'refused', withdraw: 'withdrawn', cancel: 'cancelled' },
    passed: {},
    refused: {},
    withdrawn: {},
    cancelled: {},
  },
  wire: { waiting: 0, returned: 1, passed: 2, refused: 3, withdrawn: 4, cancelled: 5 },
  label: {
    waiting: { zh: '审批中', en: 'Waiting' },
    returned: { zh: '已退回', en: 'Returned' },
    passed: { zh: '已同意', en: 'Granted' },
    refused: { zh: '未同意', en: 'Refused' },
    withdrawn: { zh: '已撤回', en: 'Withdrawn' },
    cancelled: { zh: '已终止', en: 'Cancelled' },
  },
  tone: { waiting: 'active', returned: 'waiting', passed: 'passed', refused: 'refused', withdrawn: 'closed', cancelled: 'closed' },
})
