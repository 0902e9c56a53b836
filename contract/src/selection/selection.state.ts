import { label } from '../kernel/label.ts'
import { defineMachine, defineStates } from '../kernel/machine.ts'

export type RecheckState = 'none' | 'waiting' | 'passed' | 'refused' | 'gaveUp' | 'supplement'
export type RecheckEvent = 'call' | 'pass' | 'refuse' | 'giveUp' | 'askMore' | 'handIn' | 'disqualify' | 'restore'

/** The re-review of whoever is on the shortlist (domain 4.3, `signup.reviewState`). */
export const recheckMachine = defineMachine<RecheckState, RecheckEvent>({
  name: 'recheck',
  initial: 'none',
  on: {
    none: { call: 'waiting' },
    waiting: { pass: 'passed', refuse: 'refused', giveUp: 'gaveUp', askMore: 'supplement', disqualify: 'refused' },
    supplement: { handIn: 'waiting', refuse: 'refused', giveUp: 'gaveUp', disqualify: 'refused' },
    // Who has passed may still stay away from the interview and say so.
    passed: { giveUp: 'gaveUp', disqualify: 'refused' },
    // An objection to the decision was upheld: the re-review begins anew.
    refused: { restore: 'waiting' },
    gaveUp: {},
  },
  wire: { none: 0, waiting: 1, passed: 2, refused: 3, gaveUp: 4, supplement: 5 },
  label: {
    none: { zh: '未进入', en: 'Not called' },
    waiting: { zh: '待复审', en: 'Waiting for re-review' },
    passed: { zh: '复审通过', en: 'Passed' },
    refused: { zh: '复审不通过', en: 'Not passed' },
    gaveUp: { zh: '放弃', en: 'Gave up' },
    supplement: { zh: '补充材料', en: 'More papers asked for' },
  },
  tone: { none: 'draft', waiting: 'waiting', passed: 'passed', refused: 'refused', gaveUp: 'closed', supplement: 'waiting' },
})

export type RestorationState = 'proposed' | 'granted' | 'dismissed'
export type RestorationEvent = 'grant' | 'dismiss'

/** Whether somebody who was disqualified has the sign-up back: proposed by one person, decided by another (domain 4.2, 7 → 5). */
export const restorationMachine = defineMachine<RestorationState, RestorationEvent>({
  name: 'restoration',
  initial: 'proposed',
  on: { proposed: { grant: 'granted', dismiss: 'dismissed' }, granted: {}, dismissed: {} },
  wire: { proposed: 0, granted: 1, dismissed: 2 },
  label: {
    proposed: { zh: '待决定', en: 'Waiting' },
    granted: { zh: '已恢复资格', en: 'Restored' },
    dismissed: { zh: '维持取消资格', en: 'Stays disqualified' },
  },
  tone: { proposed: 'waiting', granted: 'passed', dismissed: 'closed' },
})

export type DisqualificationState = 'proposed' | 'disqualified' | 'dismissed'
export type DisqualificationEvent = 'disqualify' | 'dismiss'

/** Whether somebody whose sign-up has passed is disqualified: proposed, the person answers, decided by somebody else (domain 4.2, 5 → 7; amendment A8). */
export const disqualificationMachine = defineMachine<DisqualificationState, DisqualificationEvent>({
  name: 'disqualification',
  initial: 'proposed',
  on: { proposed: { disqualify: 'disqualified', dismiss: 'dismissed' }, disqualified: {}, dismissed: {} },
  wire: { proposed: 0, disqualified: 1, dismissed: 2 },
  label: {
    proposed: { zh: '待决定', en: 'Waiting' },
    disqualified: { zh: '已取消资格', en: 'Disqualified' },
    dismissed: { zh: '不予取消', en: 'Not disqualified' },
  },
  tone: { proposed: 'waiting', disqualified: 'refused', dismissed: 'closed' },
})

export type StepState = 'open' | 'passed' | 'failed' | 'gaveUp' | 'rechecking' | 'failing'
export type StepEvent = 'enter' | 'pass' | 'fail' | 'failOnce' | 'giveUp' | 'askRecheck' | 'lapse' | 'disqualify'

/**
 * Where a person stands within a stage after the interview (domain 4.11; amendment A10). Only the medical check knows a second try: whoever fails
 * it the first time may ask for it until a deadline.
 */
export const stepMachine = defineMachine<StepState, StepEvent>({
  name: 'selection-step',
  initial: 'open',
  on: {
    open: { pass: 'passed', fail: 'failed', failOnce: 'failing', giveUp: 'gaveUp', disqualify: 'failed' },
    failing: { askRecheck: 'rechecking', lapse: 'failed', giveUp: 'gaveUp', disqualify: 'failed' },
    rechecking: { pass: 'passed', fail: 'failed', giveUp: 'gaveUp', disqualify: 'failed' },
    // The next stage begins with everything before it passed.
    passed: { enter: 'open', disqualify: 'failed' },
    failed: {},
    gaveUp: {},
  },
  wire: { open: 0, passed: 1, failed: 2, gaveUp: 3, rechecking: 4, failing: 5 },
  label: {
    open: { zh: '待定', en: 'Open' },
    passed: { zh: '合格', en: 'Passed' },
    failed: { zh: '不合格', en: 'Not passed' },
    gaveUp: { zh: '放弃', en: 'Gave up' },
    rechecking: { zh: '复检中', en: 'Second check under way' },
    failing: { zh: '不合格，可申请复检', en: 'Not passed; a second check may be asked for' },
  },
  tone: { open: 'waiting', passed: 'passed', failed: 'refused', gaveUp: 'closed', rechecking: 'active', failing: 'refused' },
})

export type CallState = 'waiting' | 'confirmed' | 'declined' | 'lapsed' | 'ended'
export type CallEvent = 'confirm' | 'decline' | 'lapse' | 'end'

/** A call to somebody who has to answer until a deadline. */
export const callMachine = defineMachine<CallState, CallEvent>({
  name: 'selection-call',
  initial: 'waiting',
  on: {
    waiting: { confirm: 'confirmed', decline: 'declined', lapse: 'lapsed', end: 'ended' },
    confirmed: { decline: 'declined' },
    declined: {},
    lapsed: {},
    ended: {},
  },
  wire: { waiting: 0, confirmed: 1, declined: 2, lapsed: 3, ended: 4 },
  label: {
    waiting: { zh: '待确认', en: 'Waiting for an answer' },
    confirmed: { zh: '已确认参加', en: 'Will take part' },
    declined: { zh: '已放弃', en: 'Gave up' },
    lapsed: { zh: '逾期未确认', en: 'Not answered in time' },
    // A decision was taken before anybody answered.
    ended: { zh: '已处理', en: 'Dealt with' },
  },
  tone: { waiting: 'waiting', confirmed: 'passed', declined: 'closed', lapsed: 'refused', ended: 'closed' },
})

/** An objection to somebody whose list is public. */
export const objectionStates = defineStates({
  wire: { open: 1, unfounded: 2, upheld: 3 },
  label: { open: label('待核查', 'Open'), unfounded: label('不成立', 'Unfounded'), upheld: label('成立', 'Upheld') },
  tone: { open: 'waiting', unfounded: 'passed', upheld: 'refused' },
})
