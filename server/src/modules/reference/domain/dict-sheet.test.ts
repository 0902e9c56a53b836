import { expect, test } from 'vitest'
import { placeDictRows } from './dict-sheet.ts'

const rows = (...all: readonly (readonly [code: string, dictKey: string])[]) =>
  all.map(([code, dictKey], index) => ({ row: index + 2, code, dictKey }))
const never = () => false

test('[S7.18] an entry of a workbook stands below the dictionary of its code, here or in the file, before or after', () => {
  const placed = placeDictRows(rows(['b', '1'], ['b', '-1'], ['a', '1'], ['c', '1']), new Set(['a']), never)
  expect([...placed]).toEqual([[5, { code: 'parent-missing' }]])
})

test('[S7.18] what stands twice, or below a row that is refused, is refused with the number of that row', () => {
  const twice = placeDictRows(rows(['a', '1'], ['a', '1'], ['a', '2']), new Set(['a']), never)
  expect([...twice]).toEqual([[3, { code: 'duplicate', first: 2 }]])
  const below = placeDictRows(rows(['b', '-1'], ['b', '1']), new Set(), row => row === 2)
  expect([...below]).toEqual([[3, { code: 'parent-wrong', parentRow: 2 }]])
})
