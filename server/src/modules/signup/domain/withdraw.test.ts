import { expect, test } from 'vitest'
import { isRefusal } from '#contract/kernel/refusal.ts'
import { decideWithdraw, offersWithdraw, type WithdrawFacts } from './withdraw.ts'

const at = (time: string): Date => new Date(`2026-03-${time}+08:00`)
const fine: WithdrawFacts = {
  now: at('17T10:00:00'),
  exam: { state: 'released', signBegin: at('16T09:00:00'), signEnd: at('20T17:00:00'), payEnd: at('22T17:00:00') },
  state: 'waiting',
  payState: 'none',
  isOpenAtReviewer: false,
}
const decide = (facts: Partial<WithdrawFacts>) => {
  const to = decideWithdraw({ ...fine, ...facts })
  return isRefusal(to) ? to.reason : to
}

test('states that may be taken back, while the examination is open', () => {
  const states = ['draft', 'waiting', 'second', 'returned', 'refused', 'passed', 'withdrawn', 'disqualified'] as const
  expect(states.map(state => [state, decide({ state })])).toEqual([
    ['draft', 'withdrawn'],
    ['waiting', 'withdrawn'],
    ['second', 'signup/changed'],
    ['returned', 'withdrawn'],
    ['refused', 'withdrawn'],
    ['passed', 'withdrawn'],
    ['withdrawn', 'signup/changed'],
    ['disqualified', 'signup/changed'],
  ])
  expect(decide({ exam: { ...fine.exam, state: 'closed' } })).toBe('signup/exam-not-open')
})

test('what waits may be taken back until sign-up ends, unless a reviewer has it open; what was returned also later', () => {
  expect(decide({ isOpenAtReviewer: true })).toBe('signup/under-review')
  expect([decide({ now: at('20T16:59:59.999') }), decide({ now: at('20T17:00:00') })]).toEqual(['withdrawn', 'signup/outside-window'])
  expect(decide({ now: at('20T17:00:00'), state: 'returned', isOpenAtReviewer: true })).toBe('withdrawn')
})

test('what passed may be taken back while it is unpaid and can still be paid', () => {
  const pays = ['none', 'due', 'overdue', 'paid', 'refunding', 'refunded'] as const
  expect(pays.map(payState => decide({ state: 'passed', payState }))).toEqual([
    'withdrawn',
    'withdrawn',
    'withdrawn',
    'signup/paid',
    'signup/paid',
    'signup/paid',
  ])
  expect([decide({ state: 'passed', now: at('22T16:59:59.999') }), decide({ state: 'passed', now: at('22T17:00:00') })]).toEqual([
    'withdrawn',
    'signup/outside-window',
  ])
})

test('the button is offered for all that may be taken back but a draft', () => {
  const states = ['draft', 'waiting', 'second', 'returned', 'refused', 'passed', 'withdrawn', 'disqualified'] as const
  expect(states.filter(state => offersWithdraw({ ...fine, state }))).toEqual(['waiting', 'returned', 'refused', 'passed'])
})
