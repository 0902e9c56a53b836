import { expect, it } from 'vitest'
import { exportName, isOpenJob, jobPercent } from './export-jobs.ts'

it('names a file so that every file system takes it', () => {
  expect(exportName('报名/审核: "2026"', '2026-11-20 09:00:00')).toBe('报名 审核 2026_20261120.xlsx')
  expect(exportName(' Parameters ', '2026-11-20')).toBe('Parameters_20261120.xlsx')
})
it('tells how far an export is and never says done before the file is there', () => {
  expect([0, 3].map(state => jobPercent({ state, total: 12_034, done: 4_000 }))).toEqual([33, 33])
  expect(jobPercent({ state: 3, total: 10, done: 10 })).toBe(99)
  expect(jobPercent({ state: 0, total: 0, done: 0 })).toBe(0)
  expect(jobPercent({ state: 4, total: 10, done: 10 })).toBe(100)
  expect([0, 3, 4, 5, 6, 7].map(state => isOpenJob({ state }))).toEqual([true, true, false, false, false, false])
})
