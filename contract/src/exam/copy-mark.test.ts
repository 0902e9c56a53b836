import { expect, it } from 'vitest'
import { copyMarkOf, earlierYearsIn } from './copy-mark.ts'

it('knows the name of a copy, in either language', () => {
  expect(['2026年招聘（副本）', 'Recruitment (copy)', '副本管理员招聘', '2026年招聘'].map(copyMarkOf)).toEqual([
    '（副本）',
    '(copy)',
    undefined,
    undefined,
  ])
})

it('finds years that an earlier examination left in a text', () => {
  expect(earlierYearsIn('2025年招聘，2025年4月6日笔试，2026年1月聘用', 2026)).toEqual([2025])
  expect(earlierYearsIn('电话 0571-20251234，文号〔2019〕3号，1998年以后出生', 2026)).toEqual([])
})
