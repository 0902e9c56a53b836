import { describe, expect, it } from 'vitest'
import { columnLetter } from './sheet.ts'
import { columnIndex, mergeFixes, withFixes } from './sheet-fixes.ts'

describe('cells mended on the screen', () => {
  const sheet = { header: ['代码', '名称', '人数'], rows: [['A1', '医师', 'x'], [], ['A2']], total: 2 }
  it('takes the place of what the file says, also in a row that is shorter', () => {
    const fixed = withFixes(sheet, [
      { row: 2, column: 'C', value: '3' },
      { row: 4, column: 'B', value: '护士' },
    ])
    expect(fixed).toEqual({ ...sheet, rows: [['A1', '医师', '3'], [], ['A2', '护士']] })
    expect(sheet.rows[0]).toEqual(['A1', '医师', 'x'])
  })
  it('makes no rows and no columns', () => {
    const fixes = [
      { row: 1, column: 'A', value: 'x' },
      { row: 3, column: 'A', value: 'x' },
      { row: 9, column: 'A', value: 'x' },
      { row: 2, column: 'D', value: 'x' },
    ]
    expect(withFixes(sheet, fixes)).toEqual(sheet)
  })
  it('keeps the last word about a cell', () => {
    const [a, b] = [
      { row: 2, column: 'C', value: '3' },
      { row: 2, column: 'C', value: '4' },
    ]
    expect(mergeFixes([a], [b])).toEqual([b])
  })
  it('reads the letters it writes', () => {
    for (const index of [0, 25, 26, 51, 52, 701, 702]) expect(columnIndex(columnLetter(index))).toBe(index)
  })
})
