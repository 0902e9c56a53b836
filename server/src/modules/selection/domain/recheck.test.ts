import { describe, expect, test } from 'vitest'
import { isRefusal } from '#contract/kernel/refusal.ts'
import type { RecheckState } from '#contract/selection/selection.state.ts'
import { decideRecheck, isProven, type RecheckFacts, type RecheckResult } from './recheck.ts'
import { nextStep, type StageResult } from './step.ts'

const fine: RecheckFacts = {
  ...{ name: '王测', state: 'waiting', result: 1, remark: '', advices: 0, didReview: false, allowSameReviewer: false },
  ...{ proof: undefined, contacts: 3, missing: [], say: label => label.en },
}
const decide = (more: Partial<RecheckFacts>): string => {
  const outcome = decideRecheck({ ...fine, ...more })
  return isRefusal(outcome) ? outcome.reason : outcome
}

test('what proves that somebody was told (amendment A13)', () => {
  const nothing = { hasReceipt: false, sms: null, contacts: [] }
  const cases: readonly [boolean, Parameters<typeof isProven>[0]][] = [
    [false, nothing],
    [true, { ...nothing, hasReceipt: true }],
    [false, { ...nothing, sms: 2 }],
    [true, { ...nothing, sms: 2, contacts: [2] }],
    [false, { ...nothing, sms: 1, contacts: [2, 3] }],
    [true, { ...nothing, contacts: [2, 3, 2] }],
    [true, { ...nothing, contacts: [1] }],
    [true, { ...nothing, contacts: [4] }],
  ]
  expect(cases.map(([, proof]) => isProven(proof, 3))).toEqual(cases.map(([proven]) => proven))
})

describe('a decision of the re-review', () => {
  const states: readonly RecheckState[] = ['none', 'waiting', 'supplement', 'passed', 'refused', 'gaveUp']
  const results: readonly RecheckResult[] = [1, 2, 3, 4]
  test('every state with every result', () => {
    expect(states.map(state => results.map(result => decide({ state, result, remark: 'because', advices: 1 })))).toEqual([
      ['selection/state', 'selection/state', 'selection/state', 'selection/state'],
      ['passed', 'supplement', 'refused', 'gaveUp'],
      ['selection/state', 'selection/state', 'refused', 'gaveUp'],
      ['selection/state', 'selection/state', 'selection/state', 'gaveUp'],
      ['selection/state', 'selection/state', 'selection/state', 'selection/state'],
      ['selection/state', 'selection/state', 'selection/state', 'selection/state'],
    ])
  })
  test('reasons, advice, levels apart, and no giving up by silence that is not proven', () => {
    const missing = [{ zh: '学历证书', en: 'Diploma' }]
    expect([decide({ missing }), decide({ missing, remark: 'seen on paper' }), decide({ missing, result: 2, advices: 1 })]).toEqual([
      'selection/papers-missing',
      'passed',
      'supplement',
    ])
    const unproven = { hasReceipt: false, sms: null, contacts: [] }
    expect([
      decide({ result: 2 }),
      decide({ result: 3 }),
      decide({ result: 4 }),
      decide({ result: 4, remark: 'no answer', proof: unproven }),
      decide({ result: 4, remark: 'no answer', proof: { ...unproven, hasReceipt: true } }),
      decide({ result: 3, remark: 'degree', proof: unproven }),
      decide({ didReview: true }),
      decide({ didReview: true, allowSameReviewer: true }),
    ]).toEqual([
      'selection/advice-required',
      'selection/remark-required',
      'selection/remark-required',
      'selection/not-proven',
      'gaveUp',
      'refused',
      'selection/same-reviewer',
      'passed',
    ])
  })
})

test('an outcome of a stage: only a first medical check may be repeated', () => {
  const results: readonly StageResult[] = [1, 2, 3, 4]
  const of = (stage: number, step: Parameters<typeof nextStep>[1]['step'], rechecked = false) =>
    results.map(result => nextStep(result, { stage, step, rechecked }))
  expect(of(5, 'open')).toEqual(['passed', 'failing', 'gaveUp', undefined])
  expect(of(5, 'failing')).toEqual([undefined, undefined, 'gaveUp', 'rechecking'])
  expect(of(5, 'rechecking', true)).toEqual(['passed', 'failed', 'gaveUp', undefined])
  expect(of(6, 'open')).toEqual(['passed', 'failed', 'gaveUp', undefined])
  for (const step of ['failed', 'gaveUp'] as const) expect(of(5, step)).toEqual([undefined, undefined, undefined, undefined])
})
