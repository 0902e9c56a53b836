import { expect, it } from 'vitest'
import { examPay } from '#contract/pay/pay.resources.ts'
import { hasConditions, type SearchField, toldOf } from './search-row.tsx'

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

it('an examination that is not among the choices is named by its row, not by its id', () => {
  const of = examPay.fields.examId
  const exam = { kind: 'select', key: 'examId', label: '考试', options: [{ value: '7', label: 'K7 护士招聘' }], of } as const
  expect(toldOf(exam, { examId: '7' })).toBe('K7 护士招聘')
  expect(toldOf(exam, { examId: '1990000000000000001' })).toEqual({ of, id: '1990000000000000001' })
  expect(toldOf({ kind: 'ref', key: 'examId', label: '考试', of }, { examId: '7' })).toEqual({ of, id: '7' })
  expect(toldOf({ kind: 'select', key: 'state', label: '状态', options: [] }, { state: '9' })).toBe('9')
})
