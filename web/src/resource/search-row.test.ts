import { expect, it } from 'vitest'
import { hasConditions, type SearchField } from './search-row.tsx'

const fields: readonly SearchField[] = [
  { kind: 'text', key: 'keyword', label: '姓名' },
  { kind: 'range', key: 'submitTime', label: '提交时间', from: 'submitTime_ge', to: 'submitTime_le', of: 'instant' },
]

it('a list of an examination that is empty is no search without a match', () => {
  expect(hasConditions(fields, { examId: '7' })).toBe(false)
  expect(hasConditions(fields, {})).toBe(false)
  expect(hasConditions(fields, { examId: '7', keyword: '徐' })).toBe(true)
  expect(hasConditions(fields, { submitTime_le: '2026-03-01 23:59:59' })).toBe(true)
})
