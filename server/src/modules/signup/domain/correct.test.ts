import { describe, expect, test } from 'vitest'
import { isRefusal } from '#contract/kernel/refusal.ts'
import { type CorrectFacts, decideCorrection } from './correct.ts'

const facts: CorrectFacts = {
  now: new Date('2026-03-19T10:00:00+08:00'),
  exam: { state: 'released', signEnd: new Date('2026-03-20T17:00:00+08:00'), modifyEnd: new Date('2026-03-21T12:00:00+08:00') },
  signup: { state: 'passed', signVersion: 2, payState: 'due', reductionState: 0, extendUntil: null },
  signVersion: 2,
  result: 2,
  remark: '学位证书不清晰',
  adviceCount: 1,
  extendHours: undefined,
  hasTicket: false,
}
const code = (of: Partial<CorrectFacts>, signup: Partial<CorrectFacts['signup']> = {}) => {
  const decision = decideCorrection({ ...facts, ...of, signup: { ...facts.signup, ...signup } })
  return isRefusal(decision) ? [decision.code, decision.text.en] : decision
}

describe('[4.2] correction of a sign-up that has passed', () => {
  test('it goes back while nothing is paid and no seat is given', () => {
    expect(code({})).toEqual({ kind: 'return', to: 'returned', extendUntil: null })
    for (const payState of ['none', 'overdue'] as const) expect(code({}, { payState })).toMatchObject({ kind: 'return' })
    for (const payState of ['paid', 'refunding', 'refunded'] as const)
      expect(code({}, { payState })).toEqual([2201, expect.stringMatching(/paid or has a seat/)])
    expect(code({ hasTicket: true })).toEqual([2201, expect.stringMatching(/paid or has a seat/)])
  })
  test('after the time for corrections only with one of the person’s own', () => {
    const now = new Date('2026-03-21T12:00:00+08:00')
    expect(code({ now })).toEqual([2206, expect.stringMatching(/ended/)])
    expect(code({ now, extendHours: 24 })).toEqual({ kind: 'return', to: 'returned', extendUntil: new Date('2026-03-22T12:00:00+08:00') })
  })
  test('disqualification is proposed, also of somebody who has paid', () => {
    expect(code({ result: 3, hasTicket: true, adviceCount: 0 }, { payState: 'paid' })).toEqual({ kind: 'propose' })
  })
  test('and each fault is named', () => {
    expect(code({ exam: { ...facts.exam, state: 'closed' } })).toEqual([2101, expect.any(String)])
    for (const state of ['draft', 'waiting', 'second', 'returned', 'refused', 'withdrawn', 'disqualified'] as const)
      expect(code({}, { state })).toEqual([2201, expect.stringMatching(/The state has changed/)])
    expect(code({ signVersion: 1 })).toEqual([2203, expect.any(String)])
    for (const reductionState of [1, 2])
      expect(code({ result: 3 }, { reductionState })).toEqual([2201, expect.stringMatching(/moving to another post/)])
    for (const result of [0, 1]) expect(code({ result })).toEqual([400, expect.stringMatching(/nothing else/)])
    for (const result of [2, 3]) expect(code({ result, remark: ' ' })).toEqual([400, expect.stringMatching(/Say why/)])
    expect(code({ adviceCount: 0 })).toEqual([400, expect.stringMatching(/Name at least one/)])
  })
})
