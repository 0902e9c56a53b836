import { expect, test } from 'vitest'
import { isRefusal } from '#contract/kernel/refusal.ts'
import { decideExamine, type ExamineFacts, levelOf } from './examine.ts'

const at = (time: string): Date => new Date(`2026-03-${time}+08:00`)
const advice = { kind: 'item', key: 'major', advice: '按证书填写' } as const
const fine: ExamineFacts = {
  now: at('17T10:00:00'),
  exam: {
    state: 'released',
    examineLevels: 2,
    signEnd: at('20T17:00:00'),
    modifyEnd: at('21T12:00:00'),
    allowSameReviewer: false,
  },
  signup: { state: 'waiting', signVersion: 3, reviewer1Id: null, extendUntil: null },
  reviewerId: '7',
  lock: { reviewerId: '7', reviewerName: '初审甲' },
  hasOpened: false,
  isRecused: false,
  result: 1,
  remark: '请修改',
  advisements: [advice],
  signVersion: 3,
  extendHours: undefined,
}
const second = { ...fine.signup, state: 'second', reviewer1Id: '6' } as const
const decide = (facts: Partial<ExamineFacts>) => {
  const decision = decideExamine({ ...fine, ...facts })
  return isRefusal(decision) ? [decision.reason, decision.text.en] : decision
}
const refused = (reason: string) => [reason, expect.any(String)]

test('levelOf: the state says whose turn it is', () => {
  const states = ['draft', 'waiting', 'second', 'returned', 'refused', 'passed', 'withdrawn', 'disqualified'] as const
  expect(states.map(levelOf)).toEqual([undefined, 1, 2, undefined, undefined, undefined, undefined, undefined])
})

test('[S4.10] passing ends with the last level, and every result has its state', () => {
  const one = { ...fine.exam, examineLevels: 1 } as const
  const toFirst = { kind: 'other', key: 'reviewer', advice: '请核对' } as const
  expect([
    decide({}),
    decide({ exam: one }),
    decide({ signup: second }),
    decide({ result: 2 }),
    decide({ result: 2, signup: second }),
    decide({ result: 2, signup: second, advisements: [toFirst] }),
    decide({ result: 2, advisements: [toFirst] }),
    decide({ result: 3 }),
    decide({ result: 3, signup: second }),
  ]).toEqual([
    { to: 'second', level: 1, extendUntil: null },
    { to: 'passed', level: 1, extendUntil: null },
    { to: 'passed', level: 2, extendUntil: null },
    { to: 'returned', level: 1, extendUntil: null },
    { to: 'returned', level: 2, extendUntil: null },
    { to: 'waiting', level: 2, extendUntil: null },
    { to: 'returned', level: 1, extendUntil: null },
    { to: 'refused', level: 1, extendUntil: null },
    { to: 'refused', level: 2, extendUntil: null },
  ])
})

test('[S4.10] a decision needs the lock, the version that was read and somebody without a conflict', () => {
  expect(decide({ signup: { ...fine.signup, state: 'passed' } })).toEqual(['examine/wrong-state', expect.stringContaining('Passed')])
  expect(decide({ lock: undefined, hasOpened: true })).toEqual(refused('examine/lock-ended'))
  expect(decide({ lock: undefined })).toMatchObject({ to: 'second' })
  expect(decide({ lock: { reviewerId: '8', reviewerName: '初审丙' } })).toEqual(['examine/no-lock', expect.stringContaining('初审丙')])
  expect(decide({ signVersion: 2 })).toEqual(refused('examine/stale'))
  expect(decide({ isRecused: true })).toEqual(refused('examine/recused'))
  for (const state of ['closed', 'archived']) expect(decide({ exam: { ...fine.exam, state } })).toEqual(refused('signup/exam-not-open'))
})

test('[S4.10] the second review is another person’s, unless the examination allows the same', () => {
  const own = { ...second, reviewer1Id: '7' }
  expect(decide({ signup: own })).toEqual(refused('examine/same-reviewer'))
  expect(decide({ signup: own, exam: { ...fine.exam, allowSameReviewer: true } })).toEqual({ to: 'passed', level: 2, extendUntil: null })
})

test('[S4.10] whoever does not pass says why, and a return says what', () => {
  expect(decide({ remark: '  ', advisements: [] })).toEqual({ to: 'second', level: 1, extendUntil: null })
  expect(decide({ result: 2, remark: '  ' })).toEqual(refused('examine/remark-required'))
  expect(decide({ result: 3, remark: '' })).toEqual(refused('examine/remark-required'))
  expect(decide({ result: 2, advisements: [] })).toEqual(refused('examine/advice-required'))
})

test('[S4.10] nothing is returned that could not be mended in time; an extension counts from now', () => {
  const late = { now: at('21T12:00:00'), result: 2 } as const
  expect(decide({ now: at('21T11:59:59'), result: 2 })).toMatchObject({ to: 'returned' })
  expect(decide(late)).toEqual(['examine/too-late-to-return', expect.stringContaining('2026-03-21 12:00')])
  expect(decide({ ...late, result: 3 })).toMatchObject({ to: 'refused' })
  expect(decide({ ...late, extendHours: 24 })).toEqual({ to: 'returned', level: 1, extendUntil: at('22T12:00:00') })
  const signup = { ...fine.signup, extendUntil: at('21T13:00:00') }
  expect(decide({ ...late, signup })).toEqual({ to: 'returned', level: 1, extendUntil: at('21T13:00:00') })
  expect(decide({ ...late, signup, now: at('21T13:00:00') })).toEqual(refused('examine/too-late-to-return'))
})
