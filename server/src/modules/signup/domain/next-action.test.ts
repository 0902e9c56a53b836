import { expect, test } from 'vitest'
import { mayHandIn, type NextActionFacts, nextActionOf } from './next-action.ts'

const at = (time: string): Date => new Date(`2026-03-${time}+08:00`)
const fine: NextActionFacts = {
  now: at('17T10:00:00'),
  examId: '5',
  exam: {
    state: 'released',
    signBegin: at('16T09:00:00'),
    signEnd: at('20T17:00:00'),
    modifyEnd: at('21T12:00:00'),
    examineEnd: at('21T17:00:00'),
    payBegin: at('16T09:00:00'),
    payEnd: at('22T17:00:00'),
    ticketBegin: at('24T09:00:00'),
    ticketEnd: at('28T09:00:00'),
    allowChangePost: true,
  },
  state: undefined,
  payState: 'none',
  payUntil: null,
  refundWaits: 'none',
  extendUntil: null,
  adviceCount: 2,
  ticketReleased: false,
  scoreReleased: false,
  scoreInCheck: false,
  unsentCount: 0,
  isOpenAtReviewer: false,
  hasPromised: true,
  reductionState: 0,
  choiceUntil: null,
}
const next = (facts: Partial<NextActionFacts>) => {
  const { code, text, deadline, link } = nextActionOf({ ...fine, ...facts })
  return [code, text.en, deadline, link]
}
const form = '/signup/form/5'
const late = at('20T17:00:00')

test('before and during the review', () => {
  const end = '2026-03-20 17:00:00'
  expect([
    next({}),
    next({ now: late }),
    next({ exam: { ...fine.exam, state: 'closed' } }),
    next({ state: 'draft' }),
    next({ state: 'draft', now: late }),
    next({ state: 'waiting' }),
    next({ state: 'second' }),
    next({ state: 'withdrawn' }),
    next({ state: 'withdrawn', now: late }),
    next({ state: 'refused' }),
    next({ state: 'refused', now: late }),
    next({ state: 'refused', exam: { ...fine.exam, allowChangePost: false } }),
    next({ state: 'disqualified' }),
  ]).toEqual([
    ['fill', 'Sign up', end, form],
    ['none', 'Not signed up', null, null],
    ['none', 'Not signed up', null, null],
    ['submit', 'Complete and submit', end, form],
    ['missed', 'Sign-up has closed; the draft was not submitted', null, '/signup/exam/5'],
    ['wait', 'Wait for the review', '2026-03-21 17:00:00', null],
    ['wait', 'Wait for the review', '2026-03-21 17:00:00', null],
    ['fill', 'Sign up again', end, form],
    ['none', 'Withdrawn', null, null],
    ['repost', 'Refused; you may choose another post', end, form],
    ['none', 'Refused', null, null],
    ['none', 'Refused', null, null],
    ['missed', 'Disqualified', null, '/signup/selection'],
  ])
})

test('what was returned is mended until the examination’s day, or the day this person was given', () => {
  const over = at('21T12:00:00')
  expect([
    next({ state: 'returned' }),
    next({ state: 'returned', now: over }),
    next({ state: 'returned', now: over, extendUntil: at('22T12:00:00') }),
    next({ state: 'returned', now: at('22T12:00:00'), extendUntil: at('22T12:00:00') }),
  ]).toEqual([
    ['fix', 'Correct 2 places and submit again', '2026-03-21 12:00:00', form],
    ['missed', 'The time for corrections is over', null, '/signup/exam/5'],
    ['fix', 'Correct 2 places and submit again', '2026-03-22 12:00:00', form],
    ['missed', 'The time for corrections is over', null, '/signup/exam/5'],
  ])
})

test('after the pass: money, ticket, score', () => {
  const passed = { state: 'passed', payState: 'paid', now: at('22T10:00:00') } as const
  const printing = { ...passed, now: at('24T09:00:00') }
  expect([
    next({ ...passed, payState: 'due' }),
    next({ ...passed, payState: 'overdue' }),
    next({ ...passed, payState: 'refunding' }),
    next({ ...passed, payState: 'refunded', scoreReleased: true }),
    next({ ...printing, ticketReleased: true }),
    next({ ...passed, ticketReleased: true, now: at('28T09:00:00') }),
    next({ ...passed, ticketReleased: true, scoreReleased: true }),
    next({ ...passed, ticketReleased: true, scoreReleased: true, scoreInCheck: true }),
  ]).toEqual([
    ['pay', 'Pay', '2026-03-22 17:00:00', '/signup/examPay'],
    ['missed', 'The fee was not paid in time', null, '/signup/examPay'],
    ['refund', 'Your refund is under way', null, '/signup/examPay'],
    ['none', 'Refunded; you do not take this examination', null, null],
    ['downloadTicket', 'Print the ticket', '2026-03-28 09:00:00', '/signup/ticket'],
    ['waitScore', 'Wait for the result', null, null],
    ['viewScore', 'View the score', null, '/signup/score'],
    ['waitScore', 'The results are being checked; please look again later', null, '/signup/score'],
  ])
})

test('[19.9] no beginning is ever given as a deadline', () => {
  const passed = { state: 'passed', payState: 'paid', now: at('22T10:00:00') } as const
  expect([
    next(passed),
    next({ ...passed, now: at('24T09:00:00') }),
    next({ ...passed, ticketReleased: true }),
    next({ ...passed, payState: 'due', now: at('16T08:59:59') }),
    next({ state: 'waiting', now: at('21T17:00:00') }),
  ]).toEqual([
    ['waitTicket', 'Wait for the ticket, to be printed from 2026-03-24 09:00 on', null, null],
    ['waitTicket', 'Wait for the ticket', null, null],
    ['waitTicket', 'The ticket can be printed from 2026-03-24 09:00 on', null, null],
    ['waitPay', 'Pay from 2026-03-16 09:00 on', null, '/signup/examPay'],
    ['wait', 'Wait for the review', null, null],
  ])
})

test('[19.9] what was missed and money on its way back are said with what follows, and old news is no headline', () => {
  const over = { state: 'passed', payState: 'due' } as const
  const said = (facts: Partial<NextActionFacts>) => {
    const { code, text, hint } = nextActionOf({ ...fine, ...facts })
    return [code, text.zh, hint?.zh ?? null]
  }
  const unpaid = (time: string) => ['missed', '逾期未缴费', `缴费已于 ${time} 截止，视为放弃本次考试；如有疑问请联系考务`]
  expect([
    said({ ...over, now: at('22T17:00:00') }),
    // A due may have its own day, before or after the window's.
    said({ ...over, now: at('22T17:00:00'), payUntil: at('23T10:00:00') }),
    said({ ...over, now: at('22T16:00:00'), payUntil: at('20T10:00:00') }),
    said({ ...over, payState: 'overdue', payUntil: at('23T10:00:00'), now: at('24T10:00:00') }),
    said({ ...over, payState: 'overdue', now: new Date('2026-04-21T16:59:59+08:00') }),
    said({ ...over, payState: 'overdue', now: new Date('2026-04-21T17:00:00+08:00') }),
    said({ ...over, payState: 'overdue', exam: { ...fine.exam, state: 'closed' } }),
    said({ state: 'waiting', payState: 'overdue', now: at('23T10:00:00') }),
    said({ state: 'draft', now: late }),
    said({ state: 'draft', now: at('15T10:00:00') }),
    said({ state: 'returned', now: at('21T12:00:00') }),
    said({ state: 'passed', payState: 'paid', refundWaits: 'own', ticketReleased: true }),
    said({ state: 'passed', payState: 'paid', refundWaits: 'other', ticketReleased: true }),
    said({ state: 'passed', payState: 'refunding' }),
  ]).toEqual([
    unpaid('2026-03-22 17:00'),
    ['pay', '去缴费', null],
    unpaid('2026-03-20 10:00'),
    unpaid('2026-03-23 10:00'),
    unpaid('2026-03-22 17:00'),
    ['none', '逾期未缴费', null],
    ['none', '逾期未缴费', null],
    unpaid('2026-03-22 17:00'),
    ['missed', '报名已截止，草稿未提交', '报名已于 2026-03-20 17:00 截止，没有提交的草稿不算报名'],
    ['none', '报名已截止，草稿未提交', null],
    ['missed', '修改时间已过', '修改已于 2026-03-21 12:00 截止，没有重新提交，本次报名未通过；如有疑问请联系考务'],
    ['refund', '退费申请待审批', '申请期间不能打印准考证，批准后考试名额不再保留；审批前可以撤回申请'],
    ['refund', '退费处理中', '退费期间不能打印准考证，退费后考试名额不再保留；如有疑问请联系考务'],
    ['refund', '退费处理中', '考试名额已取消，费用将原路退回'],
  ])
})

test('a form is handed in where that is the next step, and while what waits may be changed', () => {
  const codes = ['fill', 'submit', 'fix', 'repost', 'wait', 'sendEdits', 'pay', 'missed', 'none'] as const
  expect(codes.filter(code => mayHandIn(code, { ...fine, state: 'passed' }))).toEqual(['fill', 'submit', 'fix', 'repost'])
  expect(mayHandIn('wait', { ...fine, state: 'waiting' })).toBe(true)
  expect(mayHandIn('wait', { ...fine, state: 'waiting', isOpenAtReviewer: true })).toBe(false)
  expect(mayHandIn('wait', { ...fine, state: 'waiting', now: at('20T17:00:00') })).toBe(false)
})

test('[S4.04] whose post was cancelled chooses first, then waits or gets the money back', () => {
  const until = at('24T17:00:00')
  const paid = { state: 'passed', payState: 'paid', choiceUntil: until } as const
  expect([
    next({ ...paid, reductionState: 1 }),
    next({ ...paid, reductionState: 1, now: until }),
    next({ ...paid, reductionState: 2, state: 'waiting' }),
    next({ ...paid, reductionState: 2, state: 'returned', extendUntil: until }),
    next({ ...paid, reductionState: 3 }),
    next({ ...paid, reductionState: 4, state: 'withdrawn' }),
    next({ ...paid, reductionState: 4, state: 'withdrawn', payState: 'refunded' }),
    next({ ...paid, reductionState: 5, state: 'withdrawn', payState: 'none' }),
    next({ ...paid, reductionState: 1, state: 'disqualified' }),
  ]).toEqual([
    ['choosePost', 'Choose another post or your money back', '2026-03-24 17:00:00', '/signup/adjust'],
    ['wait', 'The time to choose is over', null, '/signup/adjust'],
    ['wait', 'Your new post is under review', null, '/signup/adjust'],
    ['fix', 'Correct 2 places and submit again', '2026-03-24 17:00:00', form],
    ['waitTicket', 'Wait for the ticket, to be printed from 2026-03-24 09:00 on', null, null],
    ['refund', 'Your refund is under way', null, '/signup/examPay'],
    ['none', 'The post was cancelled; you have left the examination', null, null],
    ['none', 'The post was cancelled; you have left the examination', null, null],
    ['missed', 'Disqualified', null, '/signup/selection'],
  ])
})

test('[S7.41] whom others have signed up completes and submits it while that may be done', () => {
  const signedUp = { state: 'waiting', hasPromised: false } as const
  expect([next(signedUp), next({ ...signedUp, isOpenAtReviewer: true }), next({ ...signedUp, now: late })]).toEqual([
    ['submit', 'You were signed up: complete and submit it', '2026-03-20 17:00:00', form],
    ['wait', 'Under review now', '2026-03-21 17:00:00', null],
    ['wait', 'Wait for the review', '2026-03-21 17:00:00', null],
  ])
})

test('whoever was refused reads why, what can still be done and until when', () => {
  const refusal = { reason: { zh: '专业不符', en: 'Wrong major' }, appealUntil: new Date('2026-03-22T17:00:00+08:00') }
  const told = (more: Parameters<typeof nextActionOf>[0]) => {
    const { code, hint, deadline } = nextActionOf(more)
    return [code, hint?.en ?? null, deadline]
  }
  const facts = { ...fine, state: 'refused', refusal } as const
  expect(told(facts)).toEqual([
    'repost',
    'Reason: Wrong major; You may also appeal about the same post before 2026-03-22 17:00',
    expect.any(String),
  ])
  expect(told({ ...facts, exam: { ...fine.exam, allowChangePost: false } })).toEqual([
    'appeal',
    'Reason: Wrong major',
    expect.stringContaining('2026-03-22 17:00'),
  ])
  expect(told({ ...facts, exam: { ...fine.exam, allowChangePost: false }, refusal: { ...refusal, appealUntil: null } })).toEqual([
    'none',
    'Reason: Wrong major; It is too late to choose another post or to appeal; contact the examination office with questions',
    null,
  ])
})

test('after the results the answer to a call, papers that are asked for and a second medical check come first', () => {
  const passed = { state: 'passed', payState: 'paid', scoreReleased: true } as const
  const page = '/signup/selection'
  const until = at('19T10:00:00')
  expect([
    next(passed),
    next({ ...passed, selection: { kind: 'answer', stage: 3, until } }),
    next({ ...passed, selection: { kind: 'answer', stage: 5, until: null } }),
    next({ ...passed, selection: { kind: 'papers', stage: 3, until: null } }),
    next({ ...passed, selection: { kind: 'recheck', stage: 5, until } }),
    next({ ...passed, state: 'disqualified', selection: { kind: 'papers', stage: 9, until: null } }),
  ]).toEqual([
    ['viewScore', 'View the score', null, '/signup/score'],
    ['selection', 'Say whether you take part: Re-review', '2026-03-19 10:00:00', page],
    ['selection', 'Say whether you take part: Medical check', null, page],
    ['selection', 'Hand in more papers for the re-review', null, page],
    ['selection', 'Medical check not passed; you may ask for a second one', '2026-03-19 10:00:00', page],
    ['missed', 'Disqualified', null, '/signup/selection'],
  ])
})
