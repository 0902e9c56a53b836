import { expect, test } from 'vitest'
import { errorBook } from './error-book.ts'

test('[S7.40] the error workbook of a sheet with as many rows as are allowed is as wide as its widest row', () => {
  const rows = Array.from({ length: 200_000 }, (_, i) => (i === 199_999 ? ['a', 'b', 'c'] : ['a']))
  const book = errorBook({
    sheet: { header: ['一', '二'], rows, total: rows.length, headerFaults: [], warnings: [] },
    errors: [],
    say: label => label.en,
    lines: [],
    isRequired: () => false,
  })
  expect(book.sheets.map(sheet => sheet.columns.map(column => column.header))).toEqual([
    ['一', '二', '', 'Result', 'Reasons'],
    ['一', '二', ''],
    ['What', 'Value'],
  ])
})
