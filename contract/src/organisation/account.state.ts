import { defineMachine } from '../kernel/machine.ts'

export type AccountState = 'pending' | 'normal' | 'disabled' | 'refused' | 'locked' | 'closed'
export type AccountEvent = 'pass' | 'refuse' | 'disable' | 'enable' | 'lock' | 'unlock' | 'close'

/** An account (domain 4.9, S4.06). The lock after wrong passwords is a time beside it; `locked` is what an administrator sets. */
export const accountMachine = defineMachine<AccountState, AccountEvent>({
  name: 'account',
  initial: 'pending',
  on: {
    pending: { pass: 'normal', refuse: 'refused' },
    normal: { disable: 'disabled', lock: 'locked', close: 'closed' },
    disabled: { enable: 'normal', close: 'closed' },
    locked: { unlock: 'normal', disable: 'disabled', close: 'closed' },
    refused: {},
    closed: {},
  },
  wire: { pending: 0, normal: 1, disabled: 2, refused: 3, locked: 4, closed: 5 },
  label: {
    pending: { zh: '待审核', en: 'Waiting for approval' },
    normal: { zh: '正常', en: 'Normal' },
    disabled: { zh: '停用', en: 'Disabled' },
    refused: { zh: '已拒绝', en: 'Refused' },
    locked: { zh: '锁定', en: 'Locked' },
    closed: { zh: '已注销', en: 'Closed' },
  },
  tone: { pending: 'waiting', normal: 'passed', disabled: 'closed', refused: 'refused', locked: 'refused', closed: 'closed' },
})
