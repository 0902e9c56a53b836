import { expect, it } from 'vitest'
import { freeNo } from './free-no.ts'

it('offers the number after the highest, then what is free, and nothing when all are taken', () => {
  expect(freeNo([])).toBe(1)
  expect(freeNo([3, 1])).toBe(4)
  expect(freeNo([1, 99])).toBe(2)
  expect(freeNo(Array.from({ length: 99 }, (_, index) => index + 1))).toBeNull()
})
