import { expect, it } from 'vitest'
import { freeExamNo } from './free-no.ts'

it('offers the number after the highest of the year, then what is free, and nothing when all are taken', () => {
  const of = (...numbers: readonly number[]) => numbers.map(examNo => ({ year: 2027, examNo }))
  expect(freeExamNo([{ year: 2026, examNo: 9 }], 2027)).toBe(1)
  expect(freeExamNo([...of(3, 1), { year: 2026, examNo: 9 }], 2027)).toBe(4)
  expect(freeExamNo(of(1, 99), 2027)).toBe(2)
  expect(freeExamNo(of(...Array.from({ length: 99 }, (_, index) => index + 1)), 2027)).toBeUndefined()
})
