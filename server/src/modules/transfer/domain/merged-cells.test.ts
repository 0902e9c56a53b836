import { describe, expect, test } from 'vitest'
import { type CellRange, markMerged } from './merged-cells.ts'

const merged = (shown: string, range: string) => ({ shown, fault: 'merged', range })
const rowsOf = (merges: readonly CellRange[], rows: Readonly<Record<number, readonly string[]>>) => {
  const mark = markMerged(merges)
  return Object.entries(rows).map(([row, cells]) => mark(Number(row), cells))
}

describe('cells that are merged with another one', () => {
  test('below and beside the first, also behind the last cell of a row, each names its range', () => {
    const merges = [
      { top: 2, bottom: 4, left: 1, right: 1 },
      { top: 3, bottom: 3, left: 2, right: 3 },
    ]
    expect(rowsOf(merges, { 1: ['a', 'b', 'c'], 2: ['1', 'H01'], 3: ['2', '', 'x'], 4: ['3'], 5: ['4', ''] })).toEqual([
      ['a', 'b', 'c'],
      ['1', 'H01'],
      ['2', merged('', 'B2:B4'), 'x', merged('', 'C3:D3')],
      ['3', merged('', 'B2:B4')],
      ['4', ''],
    ])
  })
  test('one that holds what is shown is no fault, one that hides another text is; empty ranges say nothing', () => {
    const merges = [
      { top: 2, bottom: 4, left: 0, right: 0 },
      { top: 2, bottom: 4, left: 1, right: 1 },
      { top: 2, bottom: 9, left: 2, right: 2 },
    ]
    expect(rowsOf(merges, { 3: ['', '', '1'], 4: ['hidden', '', '2'] })).toEqual([
      ['', '', merged('1', 'C2:C9')],
      [merged('hidden', 'A2:A4'), '', merged('2', 'C2:C9')],
    ])
    expect(rowsOf(merges, { 2: ['H01', '', 'x'], 3: ['H01 ', '', 'y'] })).toEqual([
      ['H01', '', 'x'],
      ['H01 ', '', merged('y', 'C2:C9')],
    ])
  })
  test('ranges that overlap or reach over all columns: the first counts, and only columns that can be read', () => {
    const whole = { top: 1, bottom: 1_048_576, left: 0, right: 16_383 }
    const [, second = []] = rowsOf(Array<CellRange>(20_000).fill(whole), { 1: ['x'], 2: ['y'] })
    expect([second.length, second[0], second[255]]).toEqual([256, merged('y', 'A1:XFD1048576'), merged('', 'A1:XFD1048576')])
  })
})
