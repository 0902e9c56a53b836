import { expect, test } from 'vitest'
import { errorBook } from './error-book.ts'

test('[S7.40] the error workbook of a sheet with as many rows as are allowed is as wide as its widest row', () => {
  const rows = Array.from({ length: 200_000 }, (_, i) => (i === 199_999 ? ['a', 'b', 'c'] : ['a']))
  const book = errorBook({
    sheet: { header: ['一', '二'], rows, total: rows.length, headerFaults: [], warnings: [] },
    errors: [],
    say: label => label.en,
    lines: [],
    columnOf: () => undefined,
  })
  expect(book.sheets.map(sheet => sheet.columns.map(column => column.header))).toEqual([
    ['一', '二', '', 'Result', 'Reasons'],
    ['一', '二', ''],
    ['What', 'Value'],
  ])
})

test('[S7.40] the columns of an error workbook have the formats, lists and hints of the template', () => {
  const column = { header: '证件号码', required: true, kind: 'text', hint: '文本格式', choices: ['a'] } as const
  const book = errorBook({
    sheet: { header: ['证件号码*', '别的'], rows: [['1', '2']], total: 1, headerFaults: [], warnings: [] },
    errors: [],
    say: label => label.en,
    lines: [],
    columnOf: header => (header === '证件号码*' ? column : undefined),
  })
  expect(book.sheets.slice(0, 2).map(sheet => sheet.columns.slice(0, 2))).toEqual([
    [{ ...column, header: '证件号码*' }, { header: '别的' }],
    [{ ...column, header: '证件号码*' }, { header: '别的' }],
  ])
})
