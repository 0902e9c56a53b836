import { expect, test } from 'vitest'
import { fenRange } from './ask-release.tsx'

test('[19.16] the question before a release names the fee, or its range', () => {
  expect(fenRange([])).toBe(null)
  expect(fenRange([10_000])).toBe('100.00')
  expect(fenRange([6_000, 12_000, 9_000])).toBe('60.00–120.00')
})
