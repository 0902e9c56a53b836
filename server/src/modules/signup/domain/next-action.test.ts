import { expect, test } from 'vitest'
import { type NextActionFacts, nextActionOf } from './next-action.ts'

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
    payEnd: at('22T17:00:00'),
    ticketBegin: at('24T09:00:00'),
    ticketEnd: at('28T09:00:00'),
    allowChangePost: true,
  },
  state: undefined,
  payState: 'none',
  extendUntil: null,
  adviceCount: 2,
  ticketReleased: false,
  scoreReleased: false,
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
    ['none', 'Sign-up has closed; the draft was not submitted', null, null],
    ['wait', 'Wait for the review', '2026-03-21 17:00:00', null],
    ['wait', 'Wait for the review', '2026-03-21 17:00:00', null],
    ['fill', 'Sign up again', end, form],
    ['none', 'Withdrawn', null, null],
    ['repost', 'Choose another post', end, form],
    ['none', 'Refused', null, null],
    ['none', 'Refused', null, null],
    ['none', 'Disqualified', null, null],
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
    ['none', 'The time for corrections is over', null, null],
    ['fix', 'Correct 2 places and submit again', '2026-03-22 12:00:00', form],
    ['none', 'The time for corrections is over', null, null],
  ])
})

test('after the pass: money, ticket, score', () => {
  const passed = { state: 'passed', payState: 'paid' } as const
  expect([
    next({ ...passed, payState: 'due' }),
    next({ ...passed, payState: 'overdue' }),
    next({ ...passed, payState: 'refunding' }),
    next({ ...passed, payState: 'refunded', scoreReleased: true }),
    next(passed),
    next({ ...passed, ticketReleased: true }),
    next({ ...passed, ticketReleased: true, now: at('28T09:00:00') }),
    next({ ...passed, ticketReleased: true, scoreReleased: true }),
  ]).toEqual([
    ['pay', 'Pay', '2026-03-22 17:00:00', '/signup/examPay'],
    ['none', 'The fee was not paid in time', null, null],
    ['none', 'Refunded', null, null],
    ['none', 'Refunded', null, null],
    ['waitTicket', 'Wait for the ticket', '2026-03-24 09:00:00', null],
    ['downloadTicket', 'Print the ticket', '2026-03-28 09:00:00', '/signup/ticket'],
    ['waitScore', 'Wait for the result', null, null],
    ['viewScore', 'View the score', null, '/signup/score'],
  ])
})
