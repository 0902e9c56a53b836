import { expect, test } from 'vitest'
import { isOpen, pollGap } from './polling.ts'

test('every 3 seconds for two minutes, then slower', () => {
  expect([0, 119_999, 120_000].map(pollGap)).toEqual([3_000, 3_000, 10_000])
})

test('polling ends with the order', () => {
  expect([0, 1, 2, 3, 4, 5, 6, 7].map(isOpen)).toEqual([true, true, false, false, false, false, false, false])
})
