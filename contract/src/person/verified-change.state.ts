import { defineMachine } from '../kernel/machine.ts'

export type VerifiedChangeState = 'waiting' | 'passed' | 'refused'
export type VerifiedChangeEvent = 'pass' | 'refuse'

/** A candidate's request to change what was verified at the registration (domain 3.17). It is taken back by removing it while it waits. */
export const verifiedChangeMachine = defineMachine<VerifiedChangeState, VerifiedChangeEvent>({
  name: 'verifiedChange',
  initial: 'waiting',
  on: {
    waiting: { pass: 'passed', refuse: 'refused' },
    passed: {},
    refused: {},
  },
  wire: { waiting: 0, passed: 1, refused: 2 },
  label: {
    waiting: { zh: '待审', en: 'Waiting' },
    passed: { zh: '通过', en: 'Approved' },
    refused: { zh: '驳回', en: 'Refused' },
  },
  tone: { waiting: 'waiting', passed: 'passed', refused: 'refused' },
})

/** What was verified when a candidate registered. */
export const verifiedFields = ['name', 'idCard', 'phone'] as const
export type VerifiedField = (typeof verifiedFields)[number]
/** Pictures or documents that prove a change, at most. */
export const maxProofs = 5
