import { expect, test } from 'vitest'
import { progressOf } from './progress.ts'

const of = (examine: number, payState: number, ticketReleased = false, scoreReleased = false) =>
  progressOf({ examine, payState, ticketReleased, scoreReleased })
    .map(step => `${step.key} ${step.state}`)
    .join(', ')

test('the steps of a sign-up follow its states', () => {
  expect(of(0, 0)).toBe('fill now, review next, ticket next, score next')
  expect(of(1, 0)).toBe('fill done, review now, ticket next, score next')
  expect(of(3, 0)).toBe('fill bad, review next, ticket next, score next')
  expect(of(4, 0)).toBe('fill done, review bad, ticket next, score next')
  expect(of(5, 1)).toBe('fill done, review done, pay now, ticket next, score next')
  expect(of(5, 2)).toBe('fill done, review done, pay done, ticket now, score next')
  expect(of(5, 2, true)).toBe('fill done, review done, pay done, ticket done, score now')
  expect(of(5, 2, true, true)).toBe('fill done, review done, pay done, ticket done, score done')
  expect(of(5, 5)).toBe('fill done, review done, pay bad, ticket next, score next')
})
