import { expect, test } from 'vitest'
import { fitsCell } from './fits.ts'

test('a cell is clipped only where its text could be wider than the narrowest cell', () => {
  const seenWhole = ['', '-', '王小明', '2026-11-23 08:35', '440***********1234', 'WWWWWWWWWWWWWWW', '卫生健康系统人才招聘考试平台', 0, 370]
  const clipped = [
    '卫生健康系统人才招聘考试平台入口处',
    '0123456789 0123456789 012345',
    'District Health Bureau',
    null,
    undefined,
    { type: 'span' },
  ]
  expect(seenWhole.filter(content => !fitsCell(content))).toEqual([])
  expect(clipped.filter(fitsCell)).toEqual([])
})
