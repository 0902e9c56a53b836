import { defineMachine } from '../kernel/machine.ts'

export type AppealState = 'begun' | 'waiting' | 'upheld' | 'refused'
export type AppealEvent = 'send' | 'uphold' | 'refuse'

/** Somebody says that a number is theirs (domain 4.10): begun by a refusal, sent with reasons and proofs, decided by staff. */
export const appealMachine = defineMachine<AppealState, AppealEvent>({
  name: 'appeal',
  initial: 'begun',
  on: {
    begun: { send: 'waiting' },
    waiting: { uphold: 'upheld', refuse: 'refused' },
    upheld: {},
    refused: {},
  },
  wire: { begun: 0, waiting: 1, upheld: 2, refused: 3 },
  label: {
    begun: { zh: '未提交', en: 'Not sent' },
    waiting: { zh: '待审', en: 'Waiting' },
    upheld: { zh: '通过', en: 'Upheld' },
    refused: { zh: '驳回', en: 'Refused' },
  },
  tone: { begun: 'draft', waiting: 'waiting', upheld: 'passed', refused: 'refused' },
})

/** Pictures or documents that prove it, at most. */
export const mostAppealProofs = 5
