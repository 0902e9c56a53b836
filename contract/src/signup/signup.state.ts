import { defineMachine } from '../kernel/machine.ts'

export type SignupState = 'draft' | 'waiting' | 'second' | 'returned' | 'refused' | 'passed' | 'withdrawn' | 'disqualified'
export type SignupEvent =
  | 'submit'
  | 'withdraw'
  /** The first reviewer passes it on to the second. */
  | 'passOn'
  | 'pass'
  | 'return'
  | 'refuse'
  /** The second reviewer gives it back to the first. */
  | 'sendBack'
  | 'disqualify'
  /** A decision of the first or second level is taken back: the sign-up is where it was before it. */
  | 'undoFirst'
  | 'undoSecond'
  /** The return of a sign-up that had passed is taken back: it has passed again. */
  | 'undoCorrection'
  /** Another post in the place of a cancelled one: its conditions are reviewed anew. */
  | 'transfer'
  | 'restore'

/** A sign-up from first draft to the end of its review (domain 4.2, `signup.examine`). */
export const signupMachine = defineMachine<SignupState, SignupEvent>({
  name: 'signup',
  initial: 'draft',
  on: {
    draft: { submit: 'waiting', withdraw: 'withdrawn' },
    waiting: {
      submit: 'waiting',
      withdraw: 'withdrawn',
      passOn: 'second',
      pass: 'passed',
      return: 'returned',
      refuse: 'refused',
      undoSecond: 'second',
      transfer: 'waiting',
    },
    second: { pass: 'passed', return: 'returned', refuse: 'refused', sendBack: 'waiting', undoFirst: 'waiting' },
    returned: {
      submit: 'waiting',
      withdraw: 'withdrawn',
      undoFirst: 'waiting',
      undoSecond: 'second',
      undoCorrection: 'passed',
      transfer: 'waiting',
    },
    refused: { submit: 'waiting', withdraw: 'withdrawn', undoFirst: 'waiting', undoSecond: 'second', transfer: 'waiting' },
    passed: {
      withdraw: 'withdrawn',
      return: 'returned',
      disqualify: 'disqualified',
      undoFirst: 'waiting',
      undoSecond: 'second',
      transfer: 'waiting',
    },
    withdrawn: { submit: 'waiting' },
    disqualified: { restore: 'passed' },
  },
  wire: { draft: 0, waiting: 1, second: 2, returned: 3, refused: 4, passed: 5, withdrawn: 6, disqualified: 7 },
  label: {
    draft: { zh: '未提交', en: 'Not submitted' },
    waiting: { zh: '待初审', en: 'Waiting for first review' },
    second: { zh: '待复核', en: 'Waiting for second review' },
    returned: { zh: '退回修改', en: 'Returned for correction' },
    refused: { zh: '审核不通过', en: 'Refused' },
    passed: { zh: '审核通过', en: 'Passed' },
    withdrawn: { zh: '已撤回', en: 'Withdrawn' },
    disqualified: { zh: '取消资格', en: 'Disqualified' },
  },
  tone: {
    draft: 'draft',
    waiting: 'waiting',
    second: 'active',
    returned: 'waiting',
    refused: 'refused',
    passed: 'passed',
    withdrawn: 'closed',
    disqualified: 'refused',
  },
})

/**
 * States in which a sign-up keeps everybody else with the same id number out of the examination. What was taken back or refused keeps nobody
 * out: its owner comes back by submitting again, and then the number has to be free. The index `signup_id_card_uq` says the same.
 */
export const holdsNumber: Readonly<Record<SignupState, boolean>> = {
  draft: false,
  waiting: true,
  second: true,
  returned: true,
  refused: false,
  passed: true,
  withdrawn: false,
  disqualified: true,
}

/** States in which a sign-up occupies one of the places of its post (domain 4.10). */
export const holdsPlace: Readonly<Record<SignupState, boolean>> = {
  draft: false,
  waiting: true,
  second: true,
  returned: true,
  refused: false,
  passed: true,
  withdrawn: false,
  disqualified: false,
}
