import { expect, test } from 'vitest'
import { placeRegions } from './region-place.ts'

const place = (rows: readonly (readonly [code: string, parentCode: string, isBad?: boolean])[], known: readonly string[] = []) => [
  ...placeRegions(
    rows.map(([code, parentCode, isBad = false], at) => ({ row: at + 2, code, parentCode, isBad })),
    new Set(known),
  ),
]

test('rows in any order stand below each other and below what is there', () => {
  expect(
    place(
      [
        ['330106001001', '330106001'],
        ['330106001', '330106'],
        ['990000', ''],
      ],
      ['330106'],
    ),
  ).toEqual([])
})

test('a province has no parent, anything else has one that its code begins with and that exists', () => {
  expect(
    place(
      [
        ['990000', '330000'],
        ['330199', '330200'],
        ['330198', ''],
        ['330197', '330100'],
        ['nothing', ''],
      ],
      ['330000', '330200'],
    ),
  ).toEqual([
    [2, { code: 'no-parent' }],
    [3, { code: 'not-below' }],
    [4, { code: 'not-below' }],
    [5, { code: 'parent-missing' }],
  ])
})

test('what stands below a refused row is refused, down to the last, unless the parent is there already', () => {
  expect(
    place(
      [
        ['990101001', '990101'],
        ['990101', '990100'],
        ['990100', '990000', true],
        ['330106001', '330106'],
        ['330106', '330100', true],
      ],
      ['990000', '330106', '330100'],
    ),
  ).toEqual([
    [3, { code: 'parent-wrong', parentRow: 4 }],
    [2, { code: 'parent-wrong', parentRow: 3 }],
  ])
})
